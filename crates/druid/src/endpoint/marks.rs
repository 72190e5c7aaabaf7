//! Which segments a mark call means: the body of `markUsed` and `markUnused`.
//!
//! Source: `SegmentsToUpdateFilter` (before 30 `DataSourcesResource.MarkDataSourceSegmentsPayload`, which knows no versions).

use serde_json::{Value, json};

use crate::interval::Interval;

/// Which segments to mark. Druid takes an interval or ids, never both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marks {
    /// All segments inside the interval, of these versions where some are named.
    Inside {
        /// Segments must lie wholly in here.
        interval: Interval,
        /// Only these versions, since 30; none: all. A list without any means no segment at all.
        versions: Option<Vec<String>>,
    },
    /// These segments.
    Ids(Vec<String>),
}

impl Marks {
    /// What the server says to a body that names neither or both, since 30.
    pub const REFUSED: &str = "Invalid request payload. Specify either 'interval' or 'segmentIds', but not both. Optionally, \
                               include 'versions' only when 'interval' is provided.";

    /// From the parts of a body. None where the server refuses them ([`Self::REFUSED`]): an empty list of ids is none, and
    /// so is an empty list of versions beside ids.
    #[must_use]
    pub fn of(
        interval: Option<Interval>,
        ids: Option<Vec<String>>,
        versions: Option<Vec<String>>,
    ) -> Option<Marks> {
        let ids = ids.filter(|ids| !ids.is_empty());
        match (interval, ids) {
            (Some(interval), None) => Some(Marks::Inside { interval, versions }),
            (None, Some(ids)) if versions.is_none_or(|versions| versions.is_empty()) => Some(Marks::Ids(ids)),
            _ => None,
        }
    }

    /// Reads a body. None where the server refuses it.
    #[must_use]
    pub fn read(body: &Value) -> Option<Marks> {
        let texts = |key: &str| {
            let list = body.get(key)?.as_array()?;
            Some(list.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect())
        };
        let interval = body.get("interval").and_then(Value::as_str);
        let interval = interval.and_then(|text| Interval::parse(text).ok());
        Marks::of(interval, texts("segmentIds"), texts("versions"))
    }

    /// The body as it is sent.
    #[must_use]
    pub fn body(&self) -> String {
        match self {
            Marks::Inside { interval, versions: None } => {
                json!({ "interval": interval.to_string() }).to_string()
            }
            Marks::Inside { interval, versions: Some(versions) } => {
                json!({ "interval": interval.to_string(), "versions": versions }).to_string()
            }
            Marks::Ids(ids) => json!({ "segmentIds": ids }).to_string(),
        }
    }
}
