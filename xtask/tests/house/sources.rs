//! What no file may contain, and what every Rust file begins with.

use std::process::{Command, Stdio};

use crate::{files, listed, none, root};

/// Hosts of package registries: a clone must work wherever its owner's clients are pointed. Written in pieces, so that
/// this file keeps its own rule.
fn registry_hosts() -> Vec<String> {
    let hosts: [&[&str]; 9] = [
        &["registry", "npmjs", "org"],
        &["registry", "yarnpkg", "com"],
        &["static", "crates", "io"],
        &["index", "crates", "io"],
        &["pypi", "org"],
        &["pythonhosted", "org"],
        &["proxy", "golang", "org"],
        &["repo1", "maven", "org"],
        &["deb", "debian", "org"],
    ];
    hosts.iter().map(|pieces| pieces.join(".")).collect()
}

/// Folders of one machine.
fn machine_folders() -> Vec<String> {
    ["root", "work", "tmp/wt", "home/user", "Users"].iter().map(|folder| format!("/{folder}/")).collect()
}

/// A folder counts where it stands by itself, not as the tail of another path.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        before.is_none_or(|letter| !(letter.is_alphanumeric() || "._-*}/:".contains(letter)))
    })
}

fn text_faults(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let at = format!("{name}:{}", number + 1);
        faults.extend(
            registry_hosts()
                .iter()
                .filter(|host| line.contains(*host))
                .map(|host| format!("{at}: the registry host {host}")),
        );
        faults.extend(
            machine_folders()
                .iter()
                .filter(|folder| names_folder(line, folder))
                .map(|folder| format!("{at}: a path of one machine, {folder}")),
        );
    }
    faults
}

/// Faults of the console's views: markup from text, and style attributes (the content security policy blocks them;
/// `style:prop=` sets a property and is allowed).
fn view_faults(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
        let at = format!("{name}:{}", number + 1);
        if line.contains("inner_html") {
            faults.push(format!("{at}: inner_html turns text into markup"));
        }
        let is_attribute =
            |at: usize| line.get(..at).is_none_or(|text| text.is_empty() || text.ends_with([' ', '\t']));
        if line.match_indices("style=").any(|(at, _)| is_attribute(at)) {
            faults.push(format!("{at}: a style attribute; use a class or style:prop="));
        }
        if line.contains("js_sys::eval") || line.contains("Function::new_with_args") {
            faults.push(format!("{at}: text run as a program"));
        }
    }
    faults
}

/// Folders of what is built, measured, drawn or downloaded, each with where it is ignored.
const PRODUCTS: [(&str, Depth); 5] = [
    ("target", Depth::Any),
    ("node_modules", Depth::Any),
    ("dist", Depth::Root),
    ("shots", Depth::Root),
    (".tools", Depth::Root),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Root,
    Any,
}

/// The folder of products that a path lies in.
fn product_folder(name: &str) -> Option<&'static str> {
    let folders: Vec<&str> = name.split('/').rev().skip(1).collect();
    let lies_in = |folder: &str, depth: Depth| match depth {
        Depth::Root => folders.last() == Some(&folder),
        Depth::Any => folders.contains(&folder),
    };
    PRODUCTS.into_iter().find(|(folder, depth)| lies_in(folder, *depth)).map(|(folder, _)| folder)
}

fn product_faults(name: &str) -> Option<String> {
    product_folder(name).map(|folder| format!("{name} is a product: nothing below {folder}/ is committed"))
}

/// Whether git would leave this folder alone if it were there, or the link that stands in its place.
fn is_ignored(folder: &str) -> bool {
    let asked = |path: &str| {
        let mut git = Command::new("git");
        git.current_dir(root()).args(["check-ignore", "--quiet", "--no-index", path]).stderr(Stdio::null());
        git.status().unwrap().success()
    };
    asked(folder) || asked(&format!("{folder}/"))
}

fn is_in_console(name: &str) -> bool {
    name.starts_with("src/") && name.ends_with(".rs")
}

#[test]
fn no_file_names_a_registry_host_or_a_path_of_one_machine() {
    let files = files();
    assert!(files.iter().any(|(name, _)| name == "Cargo.toml"), "the files were not listed");
    none(&files.iter().flat_map(|(name, text)| text_faults(name, text)).collect::<Vec<_>>());
}

#[test]
fn nothing_that_was_built_measured_drawn_or_downloaded_is_committed() {
    none(&listed().iter().filter_map(|name| product_faults(name)).collect::<Vec<_>>());
}

/// A benchmark that is run in a crate's folder makes `target` there.
#[test]
fn what_is_built_is_ignored_wherever_it_falls() {
    for (folder, depth) in PRODUCTS {
        assert!(is_ignored(folder), "{folder} is not ignored");
        let below = format!("crates/druid/{folder}");
        assert_eq!(is_ignored(&below), depth == Depth::Any, "{below}");
    }
    assert!(!is_ignored("crates/druid/src/targets.rs"));
}

#[test]
fn no_view_makes_markup_from_text_or_carries_a_style_attribute() {
    none(
        &files()
            .iter()
            .filter(|(name, _)| is_in_console(name))
            .flat_map(|(name, text)| view_faults(name, text))
            .collect::<Vec<_>>(),
    );
    none(
        &files()
            .iter()
            .filter(|(name, _)| name == "index.html")
            .flat_map(|(name, text)| view_faults(name, text))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn every_rust_file_says_first_what_it_is() {
    let faults: Vec<String> = files()
        .iter()
        .filter(|(name, _)| name.ends_with(".rs") && name.contains("src/") && !name.ends_with("/tests.rs"))
        .filter(|(_, text)| !text.starts_with("//!"))
        .map(|(name, _)| format!("{name} does not begin with //!"))
        .collect();
    none(&faults);
}

#[test]
fn the_npm_lock_files_record_no_download_address() {
    let locks: Vec<(String, String)> =
        files().into_iter().filter(|(name, _)| name.ends_with("package-lock.json")).collect();
    assert_eq!(locks.len(), 2);
    for (name, text) in locks {
        assert!(!text.contains("\"resolved\""), "{name}");
    }
}

#[test]
fn a_registry_host_or_a_machines_path_is_seen() {
    for bad in [
        format!("https://{}/x.tgz", registry_hosts().remove(0)),
        format!("see {}notes", machine_folders().remove(0)),
        format!("\"{}main\"", machine_folders().remove(1)),
    ] {
        assert_eq!(text_faults("a.md", &bad).len(), 1, "{bad}");
    }
    none(&text_faults("a.md", "../net/work/x and network/root/x and https://druid.example/root/x"));
}

#[test]
fn a_committed_product_is_seen_at_any_depth() {
    for (name, folder) in [
        ("target/debug/foreshadow", Some("target")),
        ("crates/druid/target/criterion/report/index.html", Some("target")),
        ("tests/browser/node_modules/playwright-core/index.js", Some("node_modules")),
        ("dist/index.html", Some("dist")),
        ("docs/dist/page.md", None),
        ("src/target.rs", None),
        ("crates/druid/src/retarget/mod.rs", None),
        ("target", None),
    ] {
        assert_eq!(product_folder(name), folder, "{name}");
        assert_eq!(product_faults(name).is_some(), folder.is_some(), "{name}");
    }
}

#[test]
fn markup_from_text_and_style_attributes_are_seen() {
    for bad in [
        "<div inner_html=text/>",
        "<div style=\"color: red\">",
        "<p style=move || width()>",
        "js_sys::eval(&code)",
    ] {
        assert_eq!(view_faults("a.rs", bad).len(), 1, "{bad}");
    }
    none(
        &view_faults("a.rs", "<div style:width=w class:narrow=narrow> // no inner_html: see the policy")
            .into_iter()
            .filter(|fault| !fault.contains("inner_html"))
            .collect::<Vec<_>>(),
    );
}
