//! The plan as a file: JSON with a format number.
//!
//! Always true: what is written can be read back to an equal plan; keys that this version does not know, on any
//! level it reads, are kept and written again (numbers in them as near as a double comes); a draft holds no secret.
//!
//! Not here: the log (a file is a state, not a history), and where the file goes.

use super::{Input, Plan, SpecVersion};
use crate::mask;
use crate::submission::Picture;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The format this version writes. A greater one is refused with the task's text saved from it.
pub const FORMAT: u32 = 1;

const KIND: &str = "foreshadow plan";

/// Why a file is not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// It is not JSON: line and column from 1, and what was expected there.
    NotJson {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// It is JSON, but no plan. It may be a task: those are imported, not opened.
    NotAPlan,
    /// A part of it has another shape than a plan's: which, and why.
    Misshapen(String),
    /// It was written by a newer version.
    Newer {
        /// Its format.
        format: u64,
        /// The task in it, which can be imported.
        document: Option<String>,
    },
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadError::NotJson { line, column, message } => {
                write!(f, "This is not JSON: line {line}, column {column}: {message}.")
            }
            ReadError::NotAPlan => {
                f.write_str("This is JSON, but no plan. If it is a task, import it instead.")
            }
            ReadError::Misshapen(why) => write!(f, "This plan cannot be read: {why}."),
            ReadError::Newer { format, .. } => write!(
                f,
                "This plan was written by a newer version (format {format}, this one knows {FORMAT}). The task in it \
                 can be imported."
            ),
        }
    }
}

impl std::error::Error for ReadError {}

#[derive(Serialize, Deserialize)]
struct File {
    kind: String,
    format: u32,
    version: SpecVersion,
    #[serde(default)]
    input: Input,
    #[serde(default)]
    confirmed: Vec<Yes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    picture: Option<Picture>,
    /// The task's text, byte for byte.
    document: String,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct Yes {
    check: String,
    /// Hexadecimal: JavaScript's numbers cannot hold 64 bits.
    saw: String,
}

impl Plan {
    /// The plan as a file.
    pub fn to_file(&self) -> String {
        self.write(self.document().text().to_owned())
    }

    /// The plan as a draft that may lie about: the same file with the secrets of the task masked.
    pub fn to_draft(&self) -> String {
        let masked = mask::masked_text(self.document());
        self.write(masked.unwrap_or_else(|| self.document().text().to_owned()))
    }

    /// Reads a file written by [`Plan::to_file`] or [`Plan::to_draft`].
    ///
    /// # Errors
    /// It is not JSON, no plan, or of a newer format.
    pub fn from_file(text: &str) -> Result<Plan, ReadError> {
        let value: Value = serde_json::from_str(text).map_err(|e| ReadError::NotJson {
            line: e.line(),
            column: e.column(),
            message: without_place(&e),
        })?;
        if value.get("kind").and_then(Value::as_str) != Some(KIND) {
            return Err(ReadError::NotAPlan);
        }
        match value.get("format").and_then(Value::as_u64) {
            Some(format) if format > u64::from(FORMAT) => {
                let document = value.get("document").and_then(Value::as_str).map(str::to_owned);
                return Err(ReadError::Newer { format, document });
            }
            Some(_) => {}
            None => return Err(ReadError::Misshapen("it has no format number".to_owned())),
        }
        let file: File =
            serde_json::from_value(value).map_err(|e| ReadError::Misshapen(without_place(&e)))?;
        let mut plan = Plan::new(file.document);
        plan.version = file.version;
        plan.input = file.input;
        plan.picture = file.picture;
        plan.unknown = file.unknown;
        // A confirmation that cannot be read is one that is asked for again.
        plan.confirmed = (file.confirmed.into_iter())
            .filter_map(|yes| Some((yes.check, u64::from_str_radix(&yes.saw, 16).ok()?)))
            .collect();
        Ok(plan)
    }

    fn write(&self, document: String) -> String {
        let file = File {
            kind: KIND.to_owned(),
            format: FORMAT,
            version: self.version.clone(),
            input: self.input.clone(),
            confirmed: (self.confirmed.iter())
                .map(|(check, saw)| Yes { check: check.clone(), saw: format!("{saw:016x}") })
                .collect(),
            picture: self.picture.clone(),
            document,
            unknown: self.unknown.clone(),
        };
        // Maps with text keys and plain values: writing them cannot fail.
        serde_json::to_string_pretty(&file).unwrap_or_default()
    }
}

fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)] // a test that cannot set itself up should say where
    use super::super::{Basis, Says};
    use super::*;
    use druid::interval::Interval;

    fn plan() -> Plan {
        let mut plan = Plan::new("{ \"n\": 1E3,\r\n\t\"long\": 9223372036854775806 ,\"n\":\"ünï\"}");
        plan.set_version("", SpecVersion::Derived);
        plan.set_basis(Basis::Rows(vec![vec![0, -1], vec![i64::MAX]]));
        plan.paint("", Interval::parse("2026-01-01/2026-01-02").expect("an interval"), Says::Unknown);
        plan.confirm("widened", u64::MAX - 1);
        plan
    }

    #[test]
    fn a_plan_comes_back_from_its_file_as_it_was() {
        let plan = plan();
        let back = Plan::from_file(&plan.to_file()).expect("what was just written");
        assert_eq!(back.document().text(), plan.document().text());
        assert_eq!(back.version(), plan.version());
        assert_eq!(back.input(), plan.input());
        assert!(back.is_confirmed("widened", u64::MAX - 1));
        assert_eq!(back.to_file(), plan.to_file());
        assert!(!back.is_dirty());
    }

    #[test]
    fn a_draft_holds_no_secret_and_says_where_one_is_missing() {
        let plan = Plan::new("{\"spec\": {\"password\": \"hunter2\", \"n\": 1E3}}");
        assert!(plan.to_file().contains("hunter2"));
        let draft = plan.to_draft();
        assert!(!draft.contains("hunter2"));
        let back = Plan::from_file(&draft).expect("a plan");
        let places: Vec<String> = back.missing_secrets().iter().map(ToString::to_string).collect();
        assert_eq!(places, ["spec.password"]);
        assert_eq!(plan.missing_secrets(), []);
    }

    #[test]
    fn keys_from_a_later_version_survive_opening_and_saving() {
        let text = plan().to_file();
        let with_more = text.replacen("{", "{\n  \"reviewers\": [\"a\"],", 1);
        let with_more =
            with_more.replacen("\"input\": {", "\"input\": {\n    \"sampled\": {\"rows\": 12},", 1);
        let saved = Plan::from_file(&with_more).expect("a plan").to_file();
        let value: Value = serde_json::from_str(&saved).expect("JSON");
        assert_eq!(value["reviewers"][0], "a");
        assert_eq!(value["input"]["sampled"]["rows"], 12);
    }

    #[test]
    fn what_is_no_plan_is_named_and_a_newer_one_gives_its_task_away() {
        assert_eq!(Plan::from_file("{\"type\":\"index_parallel\"}").err(), Some(ReadError::NotAPlan));
        assert!(matches!(Plan::from_file("{\n  nope").err(), Some(ReadError::NotJson { line: 2, .. })));
        let newer = plan().to_file().replace("\"format\": 1", "\"format\": 2");
        match Plan::from_file(&newer).err() {
            Some(ReadError::Newer { format: 2, document: Some(document) }) => {
                assert_eq!(document, plan().document().text());
            }
            other => panic!("{other:?}"),
        }
        let cut = plan().to_file().replace("\"version\"", "\"verzion\"");
        assert!(matches!(Plan::from_file(&cut).err(), Some(ReadError::Misshapen(_))));
    }
}
