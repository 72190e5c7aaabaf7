//! Survivors that are argued: changes that no test can notice, because they change nothing that can be seen.
//!
//! Three lines each: what cargo-mutants says without the place; `in:` and the line as it was; `why:` and the reason.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::sample::Mutant;

#[derive(Debug)]
pub(super) struct Known(Vec<Survivor>);

#[derive(Debug)]
struct Survivor {
    said: String,
    before: String,
    why: String,
}

impl Known {
    pub(super) fn read(file: &Path) -> Result<Known> {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        parse(&text).with_context(|| format!("{}", file.display()))
    }

    pub(super) fn reason(&self, mutant: &Mutant) -> Option<&str> {
        let found = self.0.iter().find(|known| known.said == mutant.said && known.before == mutant.before)?;
        Some(&found.why)
    }
}

fn parse(text: &str) -> Result<Known> {
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let survivor = |three: &[&str]| -> Result<Survivor> {
        let [said, before, why] = three else { bail!("“{}” wants three lines", three.join(" ")) };
        let part = |line: &str, name: &str| {
            let rest =
                line.strip_prefix(name).with_context(|| format!("“{line}” does not begin with “{name}”"))?;
            anyhow::Ok(rest.trim().to_owned())
        };
        Ok(Survivor { said: (*said).to_owned(), before: part(before, "in:")?, why: part(why, "why:")? })
    };
    Ok(Known(lines.chunks(3).map(survivor).collect::<Result<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "# a remark\n\nsrc/a.rs: replace < with <= in f\n  in: if x < y {\n  why: x is never y\n";

    fn mutant(before: &str) -> Mutant {
        let said = "src/a.rs: replace < with <= in f";
        Mutant { name: "src/a.rs:1:1".to_owned(), said: said.to_owned(), before: before.to_owned() }
    }

    #[test]
    fn a_reason_holds_for_the_line_that_it_was_given_for() {
        let known = parse(FILE).unwrap();
        assert_eq!(known.reason(&mutant("if x < y {")), Some("x is never y"));
        assert_eq!(known.reason(&mutant("if x < z {")), None);
    }

    #[test]
    fn a_survivor_without_a_reason_is_not_argued() {
        assert!(parse("src/a.rs: replace < with <= in f\n  in: if x < y {\n").is_err());
        assert!(parse("src/a.rs: a\n  in: b\n  because: c\n").is_err());
    }
}
