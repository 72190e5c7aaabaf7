//! The Coordinator's calls: segments as the metadata store has them, loading, marks; and the one SQL question.

use crate::{
    Sandbox, answers,
    metadata::{Datasource, Row},
};
use druid::{
    answer::Response,
    endpoint::{LoadForm, Marks, Named},
    ingest::mark::MarkRefused,
    interval::Interval,
    release::Release,
    segment::Segment,
    spec::words_for_interval,
};
use serde_json::{Value, json};

impl Sandbox {
    /// Used segments that overlap the intervals in the body, overshadowed ones included.
    pub(crate) fn used_segments(&self, name: &str, body: &str) -> Response {
        let texts: Vec<String> = match serde_json::from_str(body) {
            Ok(texts) => texts,
            Err(_) => return answers::error_page(500, "java.lang.NullPointerException"),
        };
        if texts.is_empty() {
            return answers::error_page(500, "org.apache.druid.java.util.common.IAE: null/empty intervals");
        }
        let mut intervals = Vec::new();
        for (place, text) in texts.iter().enumerate() {
            let Ok(interval) = Interval::parse(text) else {
                let why = words_for_interval(text).unwrap_or_default();
                let chain = format!("(through reference chain: java.util.ArrayList[{place}])");
                return answers::refused(&format!("Invalid interval[{text}]: [{why}] {chain}"));
            };
            intervals.push(interval);
        }
        // Row counts are part of a segment's description since 37 only.
        let described = |segment: &Segment| match self.release >= Release::major(37) {
            true => segment.to_json(),
            false => Segment { rows: None, ..segment.clone() }.to_json(),
        };
        let segments: Vec<Value> = self.metadata.used_in(name, &intervals).map(described).collect();
        Response::json(200, &Value::Array(segments))
    }

    pub(crate) fn datasources(&self) -> Response {
        let names = self.metadata.datasources.iter().filter(|(_, datasource)| !datasource.used.is_empty());
        Response::json(200, &names.map(|(name, _)| json!(name)).collect())
    }

    pub(crate) fn unused_segments(
        &self,
        name: &str,
        interval: Option<Interval>,
        limit: Option<u32>,
    ) -> Response {
        let most = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        let rows: Vec<Value> = self
            .metadata
            .datasources
            .get(name)
            .into_iter()
            .flat_map(|datasource| &datasource.unused)
            .filter(|row| interval.is_none_or(|interval| interval.contains(row.segment.interval)))
            .take(most)
            .map(|row| {
                json!({
                    "dataSegment": row.segment.to_json(), "createdDate": row.created.to_string(),
                    "usedStatusLastUpdatedDate": row.marked.to_string(), "used": false, "schemaFingerprint": null,
                    "numRows": row.segment.rows, "upgradedFromSegmentId": null,
                })
            })
            .collect();
        Response::json(200, &Value::Array(rows))
    }

    /// How much of what should be served is served: used segments that nothing overshadows.
    pub(crate) fn load_status(&self, name: &str, interval: Option<Interval>, form: LoadForm) -> Response {
        let Some(datasource) = self.metadata.datasources.get(name) else { return Response::empty(204) };
        let within = |row: &&Row| interval.is_none_or(|interval| interval.overlaps(row.segment.interval));
        let wanted: Vec<&Row> = datasource.used.iter().filter(within).collect();
        if wanted.is_empty() {
            return answers::words(200, "No used segment found for the given datasource and interval");
        }
        let loaded =
            wanted.iter().filter(|row| self.clock.ms() - row.marked.ms() >= self.pace.load_ms).count();
        let missing = wanted.len() - loaded;
        let body = match form {
            LoadForm::Percent => json!({ name: 100.0 * loaded as f64 / wanted.len() as f64 }),
            LoadForm::Missing => json!({ name: missing }),
            LoadForm::MissingByTier => json!({ "_default_tier": { name: missing } }),
        };
        Response::json(200, &body)
    }

    /// Marks segments by interval or by ids.
    pub(crate) fn mark(&mut self, name: &str, body: &str, used: bool) -> Response {
        let parsed: Value = serde_json::from_str(body).unwrap_or_default();
        let Some(marks) = Marks::read(&parsed) else { return answers::words(400, Marks::REFUSED) };
        let (now, release) = (self.clock, self.release);
        let mut none = Datasource::default();
        let datasource = self.metadata.datasources.get_mut(name).unwrap_or(&mut none);
        match datasource.mark(name, now, used, &marks, release) {
            Ok(changed) => Response::json(
                200,
                &json!({ "numChangedSegments": changed, "segmentStateChanged": changed > 0 }),
            ),
            Err(refused @ MarkRefused::Illegal(_)) => {
                Response::json(500, &json!({ "error": "Server error", "message": refused.message(name) }))
            }
            Err(refused) => answers::envelope(400, "invalidInput", "INVALID_INPUT", &refused.message(name)),
        }
    }

    /// The named questions to `sys.segments`, answered a row a line.
    pub(crate) fn sql(&self, body: &str) -> Response {
        let Some(named) = Named::parse(body.as_bytes()) else {
            return answers::envelope(
                400,
                "invalidInput",
                "INVALID_INPUT",
                "Only named queries are answered here",
            );
        };
        let Named::SegmentsOf(datasource) = named;
        let mut text = json!([
            "segment_id",
            "start",
            "end",
            "version",
            "partition_num",
            "num_rows",
            "size",
            "num_replicas",
            "is_published",
            "is_available",
            "is_realtime",
            "is_overshadowed",
            "shard_spec",
        ])
        .to_string();
        text.push('\n');
        if let Some(rows) = self.metadata.datasources.get(datasource.as_str()) {
            let overshadowed: Vec<String> = rows
                .timeline(datasource.as_str())
                .map(|timeline| timeline.overshadowed().map(|row| timeline.segments().id(row)).collect())
                .unwrap_or_default();
            for row in &rows.used {
                let segment = &row.segment;
                let id = segment.id().to_string();
                let hidden = overshadowed.contains(&id);
                let available = self.clock.ms() - row.marked.ms() >= self.pace.load_ms;
                let line = json!([
                    id,
                    segment.interval.start.to_string(),
                    segment.interval.end.to_string(),
                    &*segment.version,
                    segment.shard.partition(),
                    segment.rows.unwrap_or(0),
                    segment.size,
                    i64::from(available),
                    1,
                    i64::from(available),
                    0,
                    i64::from(hidden),
                    segment.shard.to_json().to_string(),
                ]);
                text.push_str(&line.to_string());
                text.push('\n');
            }
        }
        text.push('\n');
        Response::bytes(200, "application/json", text)
    }
}
