//! Is the task that the server has under an id the one we would send?
//!
//! The Overlord refuses on the id alone and gives the stored task back with its defaults filled in, intervals
//! rewritten and secrets masked (facts §5.3), so the texts cannot be compared; the meaning is.
//!
//! The rules: what we say must be there and mean the same. What we say and the server does not have is a key that
//! Druid does not know and drops. What the server has and we do not say must be empty, the default, or in a part of
//! the task that does not decide which rows go where (tuning, context, formats).
//!
//! `tests/stored_tasks.rs` holds them against what running Druids stored of a hundred tasks.
//!
//! Not here: byte equality, and any judgement of a task whose shape is unknown: there only what we say counts.

mod meaning;
mod partitions;

use crate::mask::MASK;
use druid::json::{Document, Path, Step};
use druid::spec::secrets;
use meaning::{
    intervals_mean_the_same, is_granularity, means_the_same, moved, says_nothing, values_mean_the_same,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One place at which two tasks differ.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Difference {
    /// Where, as `spec.ioConfig.dropExisting`.
    pub path: String,
    /// Our JSON; None: we do not say it.
    pub ours: Option<String>,
    /// The server's JSON; None: it has none.
    pub theirs: Option<String>,
}

/// The result of [`same_content`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sameness {
    /// They mean the same.
    Same,
    /// They do not: up to 20 places.
    Differs(Vec<Difference>),
    /// One of the texts is not JSON; why.
    Unreadable(String),
}

/// Compares the task we would send with the `payload` the server has stored, both JSON text. Ids do not count.
pub fn same_content(ours: &str, theirs: &str) -> Sameness {
    let read = |whose: &str, text: &str| {
        serde_json::from_str::<Value>(text).map_err(|e| format!("{whose} task cannot be read as JSON: {e}"))
    };
    let (ours, theirs) = match (read("our", ours), read("the server's", theirs)) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (Err(why), _) | (_, Err(why)) => return Sameness::Unreadable(why),
    };
    let kind = theirs.get("type").and_then(Value::as_str).unwrap_or("");
    let secret_places = |task: &Value| -> Vec<Path> {
        secrets(&Document::parse(task.to_string())).into_iter().map(|(path, _)| path).collect()
    };
    let secrets = [&ours, &theirs].into_iter().flat_map(secret_places).collect();
    let strict = matches!(kind, "index_parallel" | "index");
    let mut comparison = Comparison { strict, secrets, found: Vec::new() };
    comparison.value(&mut Path::root(), &ours, &theirs);
    if comparison.found.is_empty() { Sameness::Same } else { Sameness::Differs(comparison.found) }
}

/// Keys of the task's top level that the server fills in by itself, or that are the id.
const NOT_CONTENT: &[&str] = &["id", "groupId", "resource", "dataSource"];

/// Parts of a task in which what the server adds is its own default and decides nothing about which rows go where.
const SERVER_MAY_ADD: &[&str] = &[
    "context",
    "spec.tuningConfig",
    "spec.ioConfig.inputFormat",
    "spec.ioConfig.type",
    "spec.dataSchema.timestampSpec",
    "spec.dataSchema.dimensionsSpec",
    "spec.dataSchema.metricsSpec[",
    "spec.dataSchema.transformSpec.transforms[",
];

/// But not in these: they decide what a chunk becomes.
const SERVER_MAY_NOT_ADD: &[&str] =
    &["spec.dataSchema.dimensionsSpec.dimensions", "spec.tuningConfig.forceGuaranteedRollup"];

/// Where the partitioning is said; [`partitions`] knows what the parts of it mean.
const PARTITIONS: &str = "partitionsSpec";

/// What a missing key means, where that is not "nothing".
const DEFAULTS: &[(&str, &str)] = &[
    ("spec.dataSchema.granularitySpec.type", "\"uniform\""),
    ("spec.dataSchema.granularitySpec.segmentGranularity", "\"DAY\""),
    ("spec.dataSchema.granularitySpec.queryGranularity", "\"NONE\""),
    ("spec.dataSchema.granularitySpec.rollup", "true"),
];

const MOST_DIFFERENCES: usize = 20;

struct Comparison {
    strict: bool,
    /// Secrets come back masked, so they cannot be compared.
    secrets: Vec<Path>,
    found: Vec<Difference>,
}

impl Comparison {
    fn value(&mut self, path: &mut Path, ours: &Value, theirs: &Value) {
        match (ours, theirs) {
            (Value::Null, theirs) => self.unsaid(path, theirs),
            (Value::Object(ours), Value::Object(theirs)) => match moved(path, ours, theirs) {
                Some(ours) => self.members(path, &ours, theirs),
                None => self.members(path, ours, theirs),
            },
            (Value::Array(ours), Value::Array(theirs)) => self.list(path, ours, theirs),
            (ours, theirs) if self.is_secret(path, ours) || means_the_same(path, ours, theirs) => {}
            (ours, theirs) => self.differs(path, Some(ours), Some(theirs)),
        }
    }

    fn members(&mut self, path: &mut Path, ours: &Map<String, Value>, theirs: &Map<String, Value>) {
        let (top, tuning) = (path.0.is_empty(), is_tuning(path));
        let passed_over = |key: &str| (top && NOT_CONTENT.contains(&key)) || (tuning && key == PARTITIONS);
        if tuning {
            self.partitions(path, ours, theirs);
        }
        for (key, value) in ours.iter().filter(|(key, _)| !passed_over(key)) {
            // A key the server does not have is one Druid does not know; it is dropped on reading.
            if let Some(stored) = theirs.get(key) {
                self.below(path, Step::Key(key.clone()), |me, path| me.value(path, value, stored));
            }
        }
        for (key, stored) in theirs.iter().filter(|(key, _)| !passed_over(key) && !ours.contains_key(*key)) {
            self.below(path, Step::Key(key.clone()), |me, path| me.unsaid(path, stored));
        }
    }

    /// The partitioning is compared whole: it may be said in keys of the tuning, and is stored with what follows from it.
    fn partitions(&mut self, path: &mut Path, ours: &Map<String, Value>, theirs: &Map<String, Value>) {
        if !partitions::mean_the_same(ours, theirs) {
            let (ours, theirs) = (ours.get(PARTITIONS), theirs.get(PARTITIONS));
            self.below(path, Step::Key(PARTITIONS.to_owned()), |me, path| me.differs(path, ours, theirs));
        }
    }

    fn is_secret(&self, path: &Path, ours: &Value) -> bool {
        ours.as_str() == Some(MASK)
            || self.secrets.iter().any(|secret| path.starts_with(secret) || secret.starts_with(path))
    }

    fn list(&mut self, path: &mut Path, ours: &[Value], theirs: &[Value]) {
        let key = path.last_key().unwrap_or("");
        let same = match key {
            // Druid adds the timestamp column and __time to what we exclude.
            "dimensionExclusions" => ours.iter().all(|name| theirs.contains(name)),
            "intervals" => intervals_mean_the_same(ours, theirs),
            "values" if is_in_filter(path) => values_mean_the_same(ours, theirs),
            _ if ours.len() == theirs.len() => {
                for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                    self.below(path, Step::Index(index), |me, path| me.value(path, ours, theirs));
                }
                return;
            }
            _ => false,
        };
        if !same {
            let (ours, theirs) = (Value::Array(ours.to_vec()), Value::Array(theirs.to_vec()));
            self.differs(path, Some(&ours), Some(&theirs));
        }
    }

    /// The server has something that we do not say.
    fn unsaid(&mut self, path: &mut Path, theirs: &Value) {
        let place = path.to_string();
        let starts = |list: &[&str]| list.iter().any(|prefix| place.starts_with(prefix));
        if let Value::Object(members) = theirs {
            // An object stands for what is in it; a granularity that is one stands for itself.
            if is_tuning(path) {
                self.members(path, &Map::new(), members);
                return;
            }
            if !is_granularity(path) {
                for (key, value) in members {
                    self.below(path, Step::Key(key.clone()), |me, path| me.unsaid(path, value));
                }
                return;
            }
        }
        let expected = DEFAULTS.iter().find(|(at, _)| *at == place).map(|(_, default)| {
            serde_json::from_str(default).is_ok_and(|default: Value| means_the_same(path, &default, theirs))
        });
        let of_a_filter = is_in_filter(path) && place.ends_with(".ordering.type");
        let nothing = expected.unwrap_or_else(|| {
            says_nothing(theirs) || (of_a_filter && theirs.as_str() == Some("lexicographic"))
        });
        // A dimension given as an object is filled in like one given by name; a whole dimension more is not.
        let within_dimension = place.contains("dimensions[") && !place.ends_with(']');
        let free = starts(SERVER_MAY_ADD) && (!starts(SERVER_MAY_NOT_ADD) || within_dimension);
        if self.strict && !free && !nothing {
            self.differs(path, None, Some(theirs));
        }
    }

    fn below(&mut self, path: &mut Path, step: Step, work: impl FnOnce(&mut Self, &mut Path)) {
        path.0.push(step);
        work(self, path);
        path.0.pop();
    }

    fn differs(&mut self, path: &Path, ours: Option<&Value>, theirs: Option<&Value>) {
        if self.found.len() < MOST_DIFFERENCES {
            let text = |value: &Value| shorten(&value.to_string());
            self.found.push(Difference {
                path: path.to_string(),
                ours: ours.map(text),
                theirs: theirs.map(text),
            });
        }
    }
}

/// The tuning of a batch task (`spec.tuningConfig`) or of a compaction (`tuningConfig`).
fn is_tuning(path: &Path) -> bool {
    path.last_key() == Some("tuningConfig") && path.0.len() <= 2
}

fn is_in_filter(path: &Path) -> bool {
    path.0.iter().any(|step| matches!(step, Step::Key(key) if key == "filter"))
}

/// At most 200 characters, so that a difference in inline data does not fill a journal.
fn shorten(text: &str) -> String {
    if text.chars().count() <= 200 {
        text.to_owned()
    } else {
        text.chars().take(199).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A task as a live 33.0.0 gave it back (shortened), and what had been sent.
    const STORED: &str = r#"{"type":"index_parallel","id":"ls_slow1","groupId":"ls_slow1","resource":{"availabilityGroup":
      "ls_slow1","requiredCapacity":1},"spec":{"dataSchema":{"dataSource":"ls_slow","timestampSpec":{"column":"ts",
      "format":"iso","missingValue":null},"dimensionsSpec":{"dimensions":[{"type":"string","name":"page",
      "multiValueHandling":"SORTED_ARRAY","createBitmapIndex":true}],"dimensionExclusions":["__time","ts"],
      "includeAllDimensions":false,"useSchemaDiscovery":false},"metricsSpec":[],"granularitySpec":{"type":"uniform",
      "segmentGranularity":"DAY","queryGranularity":{"type":"none"},"rollup":false,"intervals":
      ["2026-07-16T00:00:00.000Z/2026-07-17T00:00:00.000Z"]},"transformSpec":{"filter":null,"transforms":[]}},
      "ioConfig":{"type":"index_parallel","inputSource":{"type":"http","uris":["http://127.0.0.1/s1"],
      "requestHeaders":{}},"inputFormat":{"type":"json"},"appendToExisting":false,"dropExisting":true},"tuningConfig":
      {"type":"index_parallel","maxRowsPerSegment":null,"maxRowsInMemory":1000000,"partitionsSpec":null,
      "forceGuaranteedRollup":false,"maxNumConcurrentSubTasks":1,"partitionDimensions":[]}},"context":
      {"forceTimeChunkLock":true,"useLineageBasedSegmentAllocation":true},"dataSource":"ls_slow"}"#;

    const SENT: &str = r#"{"type":"index_parallel","id":"other","spec":{"dataSchema":{"dataSource":"ls_slow",
      "timestampSpec":{"column":"ts","format":"iso"},"dimensionsSpec":{"dimensions":["page"]},
      "granularitySpec":{"segmentGranularity":"day","rollup":false,"intervals":["2026-07-16/P1D"]}},
      "ioConfig":{"type":"index_parallel","inputSource":{"type":"http","uris":["http://127.0.0.1/s1"]},
      "inputFormat":{"type":"json"},"dropExisting":true},"dropExsiting":true}}"#;

    #[test]
    fn a_task_is_the_same_with_its_defaults_filled_in_and_its_intervals_rewritten() {
        assert_eq!(same_content(SENT, STORED), Sameness::Same);
        assert_eq!(same_content(STORED, STORED), Sameness::Same);
    }

    #[test]
    fn what_decides_which_rows_go_where_makes_another_task() {
        let changes = [
            ("\"dropExisting\":true", "\"dropExisting\":false", "spec.ioConfig.dropExisting"),
            ("/s1", "/s2", "spec.ioConfig.inputSource.uris[0]"),
            ("P1D", "P2D", "spec.dataSchema.granularitySpec.intervals"),
            ("\"day\"", "\"hour\"", "spec.dataSchema.granularitySpec.segmentGranularity"),
            ("\"rollup\":false,", "", "spec.dataSchema.granularitySpec.rollup"),
            ("[\"page\"]", "[\"page\",\"n\"]", "spec.dataSchema.dimensionsSpec.dimensions"),
            ("ls_slow", "ls_fast", "spec.dataSchema.dataSource"),
            (",\"dropExisting\":true", "", "spec.ioConfig.dropExisting"),
            (
                "\"intervals\":[\"2026-07-16/P1D\"]",
                "\"intervals\":[]",
                "spec.dataSchema.granularitySpec.intervals",
            ),
        ];
        for (from, to, path) in changes {
            match same_content(&SENT.replace(from, to), STORED) {
                Sameness::Differs(found) => assert_eq!(found.first().map(|d| d.path.as_str()), Some(path)),
                other => panic!("{from} → {to}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_only_the_server_has_makes_another_task_where_it_decides_something() {
        let with = |from: &str, to: &str| same_content(SENT, &STORED.replace(from, to));
        assert!(matches!(
            with("\"transforms\":[]", "\"transforms\":[{\"name\":\"x\"}]"),
            Sameness::Differs(_)
        ));
        assert!(matches!(
            with("\"partitionsSpec\":null", "\"partitionsSpec\":{\"type\":\"range\"}"),
            Sameness::Differs(_)
        ));
        assert!(matches!(
            with("\"metricsSpec\":[]", "\"metricsSpec\":[{\"type\":\"count\"}]"),
            Sameness::Differs(_)
        ));
        assert_eq!(with("\"maxRowsInMemory\":1000000", "\"maxRowsInMemory\":7"), Sameness::Same);
        assert_eq!(with("\"forceTimeChunkLock\":true", "\"clusterDefault\":1"), Sameness::Same);
    }

    #[test]
    fn a_masked_secret_does_not_make_another_task() {
        let ours = r#"{"type":"index_parallel","spec":{"p":{"password":"hunter2","user":"u"}}}"#;
        let theirs = ours.replace("\"hunter2\"", "{\"type\":\"default\",\"password\":\"******\"}");
        assert_eq!(same_content(ours, &theirs), Sameness::Same);
        assert!(matches!(same_content(ours, &theirs.replace("\"u\"", "\"v\"")), Sameness::Differs(_)));
    }

    #[test]
    fn two_long_integers_that_differ_in_their_last_digit_are_not_the_same() {
        let of = |n: &str| format!("{{\"type\":\"index\",\"n\":{n}}}");
        assert_eq!(same_content(&of("1000"), &of("1E3")), Sameness::Same);
        assert_eq!(same_content(&of("0.10"), &of("0.1")), Sameness::Same);
        assert!(matches!(
            same_content(&of("9223372036854775806"), &of("9223372036854775807")),
            Sameness::Differs(_)
        ));
    }

    #[test]
    fn a_text_that_is_no_json_cannot_be_compared_and_says_which() {
        assert!(
            matches!(same_content("{", STORED), Sameness::Unreadable(why) if why.starts_with("our task"))
        );
        assert!(
            matches!(same_content(SENT, "<html>"), Sameness::Unreadable(why) if why.starts_with("the server's"))
        );
    }
}
