//! Versions that must be exact, and the two commands that everything goes by.

use crate::{listed, root};

/// Crates whose version is coupled to a tool or to each other: pinned with `=` in the workspace manifest. The
/// wasm-bindgen command line follows by itself: `cargo xtask` reads the version it builds from Cargo.lock.
const EXACT: [&str; 6] =
    ["wasm-bindgen", "wasm-bindgen-futures", "wasm-bindgen-test", "js-sys", "web-sys", "leptos"];

fn text(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The version that a `[workspace.dependencies]` line asks for.
fn asked<'a>(manifest: &'a str, package: &str) -> Option<&'a str> {
    let line = manifest.lines().find(|line| line.starts_with(&format!("{package} = ")))?;
    let version = line.split_once("version = ").map_or_else(|| line.split_once(" = "), Some)?.1;
    version.strip_prefix('"')?.split('"').next()
}

#[test]
fn crates_that_are_coupled_to_a_tool_are_pinned_exactly() {
    let (manifest, lock) = (text("Cargo.toml"), text("Cargo.lock"));
    for package in EXACT {
        let version = asked(&manifest, package).and_then(|version| version.strip_prefix('='));
        let version = version.unwrap_or_else(|| panic!("{package} is not pinned with ="));
        assert!(
            lock.contains(&format!("name = \"{package}\"\nversion = \"{version}\"\n")),
            "{package} {version}"
        );
    }
}

#[test]
fn a_version_that_is_only_a_lower_bound_is_seen() {
    assert_eq!(asked("serde = \"1.0\"", "serde"), Some("1.0"));
    assert_eq!(asked("leptos = { version = \"=0.8.23\", features = [] }", "leptos"), Some("=0.8.23"));
    assert_eq!(asked("serde = \"1.0\"", "leptos"), None);
}

#[test]
fn the_readme_gives_the_two_commands_and_ci_runs_the_second() {
    let readme = text("README.md");
    for command in ["cargo xtask serve", "cargo xtask test"] {
        assert!(readme.lines().any(|line| line.trim() == command), "{command}");
    }
    assert_eq!(text(".ci/run").lines().last(), Some("exec cargo xtask test"));
}

/// Folders that set-up and builds make; a link in their place counts too.
fn left_behind(name: &str) -> bool {
    let made = [".tools", "target", "dist", "shots", "node_modules"];
    name.split('/').enumerate().any(|(depth, part)| {
        made.contains(&part) && (depth == 0 || ["node_modules", "target"].contains(&part))
    })
}

#[test]
fn what_set_up_and_builds_leave_behind_is_never_committed() {
    let left: Vec<String> = listed().into_iter().filter(|name| left_behind(name)).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_folder_of_packages_or_a_link_to_one_is_seen() {
    for bad in [
        "tests/browser/node_modules",
        "tests/browser/node_modules/a/b.js",
        "dist/index.html",
        ".tools/x",
        "crates/druid/target/criterion/x.json",
    ] {
        assert!(left_behind(bad), "{bad}");
    }
    assert!(!left_behind("docs/dist.md") && !left_behind("crates/druid/src/target.rs"));
}
