//! Times out of an answer of Druid's sampler (`POST /druid/indexer/v1/sampler`).
//!
//! What always holds: a time that is given is of a row that the input has, after transforms and filters. What is not in a
//! sample may be in the input all the same.

use serde_json::Value;

use crate::interval::Instant;

/// The times of the rows that could be read, in their order (`SamplerResponse`: `data[].parsed.__time`, milliseconds).
#[must_use]
pub fn sampled_times(answer: &Value) -> Vec<Instant> {
    let rows = answer.get("data").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let readable = rows.iter().filter(|row| row.get("unparseable").and_then(Value::as_bool) != Some(true));
    readable.filter_map(|row| row.pointer("/parsed/__time")?.as_i64()).map(Instant::from_ms).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_the_sampler_could_not_read_have_no_time() {
        let answer = serde_json::json!({"numRowsRead": 3, "numRowsIndexed": 2, "data": [
            {"input": {"t": "a"}, "parsed": {"__time": 5, "page": "x"}},
            {"input": {"t": "b"}, "unparseable": true, "error": "Timestamp[b] is unparseable!"},
            {"input": {"t": "c"}, "parsed": {"__time": 7}},
        ]});
        assert_eq!(sampled_times(&answer), [Instant::from_ms(5), Instant::from_ms(7)]);
        assert!(sampled_times(&Value::Null).is_empty());
    }
}
