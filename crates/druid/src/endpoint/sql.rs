//! The only SQL there is: queries whose text stands here, with bound parameters.

use serde_json::{Value, json};

use super::Name;

/// A query by name. Its text is ours; only the parameters come from outside, and they are bound, never pasted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// The rows of `sys.segments` for one datasource: what is served and how many rows it has, which the metadata does not say.
    /// As old as the Broker's poll of the Coordinator (a minute or two).
    SegmentsOf(Name),
}

/// `start`, `end` and `size` are words of the language and need their quotes. Only columns that every release since 24 has.
const SEGMENTS_OF: &str = "SELECT segment_id, \"start\", \"end\", version, partition_num, num_rows, \"size\", num_replicas, \
     is_published, is_available, is_realtime, is_overshadowed, shard_spec FROM sys.segments WHERE datasource = ?";

impl Named {
    /// The body to `POST /druid/v2/sql`: rows as lines of arrays, the first line the column names, an empty line at the end.
    pub fn body(&self) -> String {
        self.json().to_string()
    }

    fn json(&self) -> Value {
        let (query, parameters) = match self {
            Named::SegmentsOf(datasource) => {
                (SEGMENTS_OF, json!([{ "type": "VARCHAR", "value": datasource.as_str() }]))
            }
        };
        json!({ "query": query, "parameters": parameters, "resultFormat": "arrayLines", "header": true })
    }

    /// Reads a body back. `None` for every body that is not one of the named queries, letter for letter.
    pub fn parse(body: &[u8]) -> Option<Named> {
        let given: Value = serde_json::from_slice(body).ok()?;
        let datasource = given.pointer("/parameters/0/value")?.as_str()?;
        let named = Named::SegmentsOf(Name::new(datasource).ok()?);
        (named.json() == given).then_some(named)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests: a panic is a failure
mod tests {
    use super::*;

    #[test]
    fn a_named_query_is_recognised_and_nothing_near_it_is() {
        let named = Named::SegmentsOf(Name::new("ünï ' OR 1=1 --").unwrap());
        assert_eq!(Named::parse(named.body().as_bytes()), Some(named.clone()));
        let mut other = named.json();
        other["query"] = json!("REPLACE INTO x OVERWRITE ALL SELECT 1 PARTITIONED BY DAY");
        assert_eq!(Named::parse(other.to_string().as_bytes()), None);
        let mut other = named.json();
        other["context"] = json!({ "sqlQueryId": "x" });
        assert_eq!(Named::parse(other.to_string().as_bytes()), None);
        let mut other = named.json();
        other["parameters"][0]["type"] = json!("BIGINT");
        assert_eq!(Named::parse(other.to_string().as_bytes()), None);
        for body in ["", "{", "null", "[]", "{\"query\":\"SELECT 1\"}"] {
            assert_eq!(Named::parse(body.as_bytes()), None);
        }
    }
}
