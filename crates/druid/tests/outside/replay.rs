//! Kept cases through their readers.

use std::fs;
use std::path::{Path, PathBuf};

use super::readers::Reader;

/// What a case is brought to when it comes many times over, bytes.
const LONG: usize = 24 << 10;

fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = listed.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

/// Each case of each reader as it is, cut, and many times over. A folder without a reader, and a reader without cases, are
/// faults.
pub(crate) fn all(corpus: &Path, readers: &[Reader]) {
    for folder in entries(corpus) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        assert!(readers.iter().any(|(known, _)| *known == name), "there is no reader {name}");
    }
    for (name, reader) in readers {
        let cases = entries(&corpus.join(name));
        assert!(cases.len() >= 3, "{name} has only {} cases", cases.len());
        for case in cases {
            eprintln!("{}", case.display()); // shown where it fails
            let bytes = fs::read(&case).unwrap();
            reader(&bytes);
            for quarter in 1..4 {
                reader(&bytes[..bytes.len() * quarter / 4]);
            }
            reader(&bytes.repeat(LONG / bytes.len().max(1)));
        }
    }
}
