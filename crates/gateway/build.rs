//! Embeds the console: every file of the folder that the environment variable FORESHADOW_DIST names, with its compressed twins
//! (`x.wasm.br`, `x.wasm.gz`) where they lie beside it. `cargo xtask build` makes that folder and sets the variable. Without it
//! the gateway serves a page that says how.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a build that cannot read its input should stop

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=FORESHADOW_DIST");
    let mut files = Vec::new();
    if let Some(dist) = env::var_os("FORESHADOW_DIST").filter(|dist| !dist.is_empty()) {
        let dist = PathBuf::from(dist);
        println!("cargo::rerun-if-changed={}", dist.display());
        collect(&dist, &dist, &mut files);
        assert!(files.iter().any(|(key, _)| key == "index.html"), "{} holds no index.html", dist.display());
    }
    files.sort();
    let mut table = String::from("pub(super) static FILES: &[(&str, super::Embedded)] = &[\n");
    for (key, path) in files.iter().filter(|(key, _)| !is_twin(key, &files)) {
        let twin = |suffix: &str| match files.iter().find(|(other, _)| *other == format!("{key}.{suffix}")) {
            Some((_, path)) => format!("Some(include_bytes!({path:?}))"),
            None => "None".to_owned(),
        };
        let (br, gz) = (twin("br"), twin("gz"));
        writeln!(
            table,
            "    ({key:?}, super::Embedded {{ plain: include_bytes!({path:?}), br: {br}, gz: {gz} }}),"
        )
        .unwrap();
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("files.rs"), table).expect("OUT_DIR can be written");
}

/// Every file below `folder`, by its path from `root` with `/` between the parts.
fn collect(root: &Path, folder: &Path, into: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            collect(root, &path, into);
        } else {
            let parts: Vec<_> = path
                .strip_prefix(root)
                .expect("below root")
                .iter()
                .map(|part| part.to_string_lossy())
                .collect();
            into.push((parts.join("/"), path.clone()));
        }
    }
}

fn is_twin(key: &str, files: &[(String, PathBuf)]) -> bool {
    [".br", ".gz"].iter().any(|suffix| {
        key.strip_suffix(suffix).is_some_and(|plain| files.iter().any(|(other, _)| other == plain))
    })
}
