//! Chromium and its driver: an installed one, or Debian's.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::system::{Need, install};
use crate::command::{answer, find, program};
use crate::tree::Tree;

/// A browser and the driver of the same version.
pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    pub(crate) driver: PathBuf,
}

const CHROMIUM: Need = Need {
    what: "Chromium with ChromeDriver",
    debian: &["chromium", "chromium-driver", "fonts-dejavu-core"],
    fedora: "chromium chromedriver",
    arch: "chromium",
    homebrew: "--cask google-chrome chromedriver",
    or_else: "Or name an installed one: CHROME=/path/to/chrome CHROMEDRIVER=/path/to/chromedriver",
};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

pub(crate) fn browser(tree: &Tree) -> Result<Browser> {
    let (chromium, driver) = match (chromium(tree), driver(tree)) {
        (Some(chromium), Some(driver)) => (chromium, driver),
        _ => {
            install(tree, &CHROMIUM)?;
            let chromium = chromium(tree).context("Chromium is not on PATH after it was installed")?;
            (chromium, driver(tree).context("chromedriver is not on PATH after it was installed")?)
        }
    };
    let (browser_says, driver_says) = (version(tree, &chromium), version(tree, &driver));
    if major(&browser_says) != major(&driver_says) {
        bail!(
            "{} is “{browser_says}” and {} is “{driver_says}”: they must be of one version. \
             CHROME and CHROMEDRIVER name others",
            chromium.display(),
            driver.display()
        );
    }
    Ok(Browser { chromium, driver })
}

fn chromium(tree: &Tree) -> Option<PathBuf> {
    named("CHROME")
        .or_else(|| NAMES.iter().find_map(|name| find(tree, name)))
        .or_else(|| MAC.iter().map(PathBuf::from).find(|place| place.is_file()))
}

fn driver(tree: &Tree) -> Option<PathBuf> {
    named("CHROMEDRIVER").or_else(|| find(tree, "chromedriver"))
}

fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|place| place.is_file())
}

fn version(tree: &Tree, place: &Path) -> String {
    answer(program(tree, place).arg("--version")).unwrap_or_default()
}

/// 156 of `Chromium 156.0.8078.114 built on Debian …` and of `ChromeDriver 156.0.8078.114 (…)`.
fn major(says: &str) -> Option<u32> {
    let number =
        says.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
    number.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_and_its_driver_are_compared_by_major_version() {
        assert_eq!(major("Chromium 156.0.8078.114 built on Debian GNU/Linux 12 (bookworm)"), Some(156));
        assert_eq!(major("ChromeDriver 156.0.8078.73 (0123abc-refs/branch-heads/8078@{#1})"), Some(156));
        assert_eq!(major("Google Chrome 155.0.1.2"), Some(155));
        assert_eq!(major(""), None);
    }
}
