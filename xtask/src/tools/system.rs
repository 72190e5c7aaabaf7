//! The system's package manager: used where we may (Debian's, as root), spelt out for a person where we may not.

use std::process::Command;

use anyhow::{Result, bail};

use crate::command::{answer, find, loudly, program};
use crate::tree::Tree;

/// Something that only the system can bring, with its packages' names.
pub(crate) struct Need {
    /// As a person calls it.
    pub(crate) what: &'static str,
    pub(crate) debian: &'static [&'static str],
    pub(crate) fedora: &'static str,
    pub(crate) arch: &'static str,
    pub(crate) homebrew: &'static str,
    /// The way round, where there is one: an environment variable that names an installed one.
    pub(crate) or_else: &'static str,
}

/// Installs with apt where that exists and we are root; otherwise the error says what to type.
pub(crate) fn install(tree: &Tree, need: &Need) -> Result<()> {
    if find(tree, "apt-get").is_none() || !is_root(tree) {
        bail!("{}", by_hand(need));
    }
    eprintln!("   {} is missing; installing Debian's packages {}", need.what, need.debian.join(", "));
    let wanted = |tree: &Tree| {
        let mut install = apt(tree, &["install", "-y", "-qq", "--no-install-recommends"]);
        install.args(need.debian);
        install
    };
    // A fresh machine has no package lists, an old one stale lists: refresh them, then install.
    loudly(&mut apt(tree, &["update", "-qq"]))
        .and_then(|()| loudly(&mut wanted(tree)))
        .map_err(|error| error.context(by_hand(need)))
}

fn apt(tree: &Tree, arguments: &[&str]) -> Command {
    let mut command = program(tree, "apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

fn is_root(tree: &Tree) -> bool {
    answer(program(tree, "id").arg("-u")).as_deref() == Some("0")
}

/// What a person types, one line a platform.
pub(crate) fn by_hand(need: &Need) -> String {
    format!(
        "{what} is needed and not installed, and this may not install it (it does so only as root on Debian).\n\
         Install it by hand, then run the same command again:\n  \
         Debian, Ubuntu: sudo apt-get install {debian}\n  \
         Fedora:         sudo dnf install {fedora}\n  \
         Arch:           sudo pacman -S {arch}\n  \
         macOS:          brew install {homebrew}\n{or_else}",
        what = need.what,
        debian = need.debian.join(" "),
        fedora = need.fedora,
        arch = need.arch,
        homebrew = need.homebrew,
        or_else = need.or_else,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_names_the_packages_of_each_platform() {
        let need = Need {
            what: "Chromium",
            debian: &["chromium", "chromium-driver"],
            fedora: "chromium chromedriver",
            arch: "chromium",
            homebrew: "--cask chromium",
            or_else: "Or name one: CHROME=/path/to/chrome",
        };
        let text = by_hand(&need);
        for part in [
            "apt-get install chromium chromium-driver",
            "dnf install chromium chromedriver",
            "pacman -S chromium",
            "brew install --cask chromium",
            "CHROME=",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
