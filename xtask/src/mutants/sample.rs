//! Which mutants are tried: all of a room, or so many of them by a seed.

use anyhow::Result;
use serde::Deserialize;

/// One small change of the code.
#[derive(Clone, Debug)]
pub(super) struct Mutant {
    /// cargo-mutants' whole name: file, line, column and what is changed. No two have the same.
    pub(super) name: String,
    /// The file and what is changed, without the place.
    pub(super) said: String,
    /// The first line that is changed, as it was.
    pub(super) before: String,
}

#[derive(Deserialize)]
struct Listed {
    name: String,
    file: String,
    diff: String,
}

/// Reads `cargo mutants --list --json`.
pub(super) fn read(json: &[u8]) -> Result<Vec<Mutant>> {
    let listed: Vec<Listed> = serde_json::from_slice(json)?;
    Ok(listed.into_iter().map(mutant).collect())
}

fn mutant(listed: Listed) -> Mutant {
    let Listed { name, file, diff } = listed;
    // `FILE:LINE:COLUMN: what is changed`
    let what = name
        .strip_prefix(&file)
        .unwrap_or(&name)
        .trim_start_matches(|c: char| c == ':' || c.is_ascii_digit());
    let removed = |line: &&str| line.starts_with('-') && !line.starts_with("---");
    let before = diff.lines().find(removed).map(|line| line[1..].trim().to_owned()).unwrap_or_default();
    Mutant { said: format!("{file}:{what}"), before, name }
}

/// `size` of them, or all where there are no more. A mutant's turn comes from the seed and from what it says, not from its
/// line, so code that moves keeps its place in the sample; of those that say the same, from which of them it is.
pub(super) fn draw(all: Vec<Mutant>, size: usize, seed: u64) -> Vec<Mutant> {
    let mut turns: Vec<(u64, Mutant)> = Vec::with_capacity(all.len());
    let mut said = std::collections::HashMap::new();
    for mutant in all {
        let same = said.entry(format!("{} {}", mutant.said, mutant.before)).or_insert(0_u32);
        *same += 1;
        let turn = spread(&format!("{seed} {} {} {same}", mutant.said, mutant.before));
        turns.push((turn, mutant));
    }
    turns.sort_by_key(|(turn, _)| *turn);
    turns.truncate(size);
    turns.into_iter().map(|(_, mutant)| mutant).collect()
}

/// A number that looks like any other: FNV-1a, then SplitMix64's finish. It is the same on every machine and for ever.
fn spread(text: &str) -> u64 {
    let mut hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// The drawn ones as cargo-mutants' configuration: each by its whole name.
pub(super) fn chosen(drawn: &[Mutant]) -> String {
    let names: String =
        drawn.iter().map(|mutant| format!("  '''^{}$''',\n", escaped(&mutant.name))).collect();
    format!("examine_re = [\n{names}]\n")
}

/// The text as a regular expression that finds only it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation()
            && !matches!(
                c,
                '"' | '\'' | '<' | '>' | '/' | '%' | '@' | '`' | '_' | ':' | ',' | ';' | '=' | '!'
            )
        {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"[
      {"name": "src/a.rs:12:8: replace < with <= in f", "file": "src/a.rs",
       "diff": "--- src/a.rs\n+++ x\n@@ -1 +1 @@\n a\n-    if x < y {\n+    if x <= y {\n"},
      {"name": "src/a.rs:19:8: replace < with <= in f", "file": "src/a.rs",
       "diff": "--- src/a.rs\n+++ x\n@@ -1 +1 @@\n-    if x < z {\n+    if x <= z {\n"},
      {"name": "src/a.rs:30:1: replace g -> Option<&'static str> with Some(\"xyzzy\")", "file": "src/a.rs", "diff": ""}]"#;

    #[test]
    fn a_mutant_is_known_by_what_it_says_and_by_the_line_as_it_was() {
        let read = read(LIST.as_bytes()).unwrap();
        assert_eq!(read[0].said, "src/a.rs: replace < with <= in f");
        assert_eq!((read[0].before.as_str(), read[1].before.as_str()), ("if x < y {", "if x < z {"));
    }

    #[test]
    fn a_sample_is_the_same_after_the_code_moved_down_and_another_with_another_seed() {
        let many = |from: usize| -> Vec<Mutant> {
            let one = |n: usize| {
                let said = format!("src/a.rs: replace + with - in f{n}");
                Mutant { name: format!("src/a.rs:{}:1: {n}", n + from), said, before: String::new() }
            };
            (0..1000).map(one).collect()
        };
        let said =
            |drawn: Vec<Mutant>| -> Vec<String> { drawn.into_iter().map(|mutant| mutant.said).collect() };
        let here = said(draw(many(0), 200, 1));
        assert_eq!(here, said(draw(many(77), 200, 1)));
        assert_ne!(here, said(draw(many(0), 200, 2)));
        assert_eq!(here.iter().collect::<std::collections::HashSet<_>>().len(), 200);
    }

    #[test]
    fn signs_of_a_name_are_no_signs_of_an_expression() {
        let read = read(LIST.as_bytes()).unwrap();
        assert_eq!(
            chosen(&read[2..]),
            "examine_re = [\n  '''^src/a\\.rs:30:1: replace g \\-> Option<\\&'static str> with Some\\(\"xyzzy\"\\)$''',\n]\n"
        );
    }
}
