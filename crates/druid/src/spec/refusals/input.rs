//! Rules about `ioConfig`: the input sources and formats of Druid and its core extensions.

use crate::json::{Edit, Kind};
use crate::release::Release;

use super::super::values::At;
use super::super::{Batch, InputSource, TaskKind};
use super::Look;

const SIMPLE_IO: &str = "org.apache.druid.indexing.common.task.IndexTask$IndexIOConfig";
const PARALLEL_IO: &str = "org.apache.druid.indexing.common.task.batch.parallel.ParallelIndexIOConfig";
const INLINE: &str = "org.apache.druid.data.input.impl.InlineInputSource";
const SPLITTABLE: &str = "org.apache.druid.data.input.impl.SplittableInputSource";
const LOCAL: &str = "org.apache.druid.data.input.impl.LocalInputSource";
const HTTP: &str = "org.apache.druid.data.input.impl.HttpInputSource";
const S3: &str = "org.apache.druid.data.input.s3.S3InputSource";
const DRUID: &str = "org.apache.druid.indexing.input.DruidInputSource";
const COMBINING: &str = "org.apache.druid.data.input.impl.CombiningInputSource";
const CSV: &str = "org.apache.druid.data.input.impl.CsvInputFormat";
const TSV: &str = "org.apache.druid.data.input.impl.DelimitedInputFormat";
const JSON: &str = "org.apache.druid.data.input.impl.JsonInputFormat";

/// Input sources that Druid or a core extension knows.
const SOURCES: &[&str] = &[
    "azure",
    "azureStorage",
    "combining",
    "delta",
    "druid",
    "google",
    "hdfs",
    "http",
    "iceberg",
    "inline",
    "local",
    "s3",
    "sql",
];

impl Look<'_> {
    pub(super) fn input(&mut self, batch: &Batch) {
        let io = self.part(batch, &["ioConfig"]);
        if !io.is_there() {
            if self.part(batch, &[]).is_there() {
                let (class, spec) = (self.spec_class(), self.part(batch, &[]));
                let io_class = if batch.simple { SIMPLE_IO } else { PARALLEL_IO };
                let message =
                    format!("Cannot invoke \"{io_class}.getInputSource()\" because \"ioConfig\" is null");
                self.refuse("no-io-config", class, &spec, &io.path, message);
            }
            return;
        }
        self.part_type(batch, &io);
        let tuning = self.part(batch, &["tuningConfig"]);
        if tuning.is_there() {
            self.part_type(batch, &tuning);
        }
        self.source(&io.get("inputSource"), false);
        self.format(&io.get("inputFormat"));
    }

    /// `ioConfig.type` and `tuningConfig.type` have to be there and name the task's own type.
    fn part_type(&mut self, batch: &Batch, part: &At<'_>) {
        let wanted = if batch.simple { "index" } else { "index_parallel" };
        let at = part.get("type");
        let label = format!("Set type to {wanted}");
        let json = format!("\"{wanted}\"");
        match at.peek_text() {
            None => {
                let class = match (part.path.last_key(), batch.simple) {
                    (Some("ioConfig"), true) => SIMPLE_IO,
                    (Some("ioConfig"), false) => PARALLEL_IO,
                    (_, true) => "org.apache.druid.indexing.common.task.IndexTask$IndexTuningConfig",
                    (_, false) => {
                        "org.apache.druid.indexing.common.task.batch.parallel.ParallelIndexTuningConfig"
                    }
                };
                self.no_type(part, class).fix_set(label, &at.path, json);
            }
            Some(given) if given != wanted => {
                let message =
                    format!("Could not resolve type id '{given}': this part belongs to another kind of task");
                self.misread("part-type", &at, message).ours().fix_set(label, &at.path, json);
            }
            Some(_) => {}
        }
    }

    fn source(&mut self, at: &At<'_>, is_delegate: bool) {
        let Some(kind) = at.get("type").peek_text() else {
            if at.is_there() {
                self.no_type(at, "org.apache.druid.data.input.InputSource").rule = "input-source-type";
            }
            return;
        };
        match &*kind {
            "inline" => self.inline(at, is_delegate),
            "local" => self.local(at),
            "http" => self.http(at),
            "s3" => self.s3(at),
            "druid" => self.druid(at),
            "combining" => {
                let delegates = at.get("delegates");
                if delegates.items().is_empty() {
                    let message = "Must specify at least one delegate inputSource";
                    self.refuse("no-delegates", COMBINING, at, &delegates.path, message);
                }
                for delegate in delegates.items() {
                    self.source(&delegate, true);
                }
            }
            known if SOURCES.contains(&known) => {}
            unknown => {
                let message = format!(
                    "Could not resolve type id '{unknown}' as a subtype of `org.apache.druid.data.input.InputSource`"
                );
                self.misread("unknown-input-source", &at.get("type"), message).ours();
            }
        }
    }

    fn inline(&mut self, at: &At<'_>, is_delegate: bool) {
        let data = at.get("data");
        if data.peek_text().is_none_or(|data| data.is_empty()) && !data.is(Kind::Number) {
            self.refuse("empty-data", INLINE, at, &data.path, "empty data");
        }
        if is_delegate {
            let message = format!(
                "Could not resolve type id 'inline' as a subtype of `{SPLITTABLE}`: Class `{INLINE}` not subtype of \
                 `{SPLITTABLE}`"
            );
            self.misread("inline-delegate", &at.get("type"), message);
        }
    }

    fn local(&mut self, at: &At<'_>) {
        let has_folder = at.get("baseDir").is_there();
        if has_folder && !at.get("filter").is_there() {
            let path = at.path.join("filter");
            self.refuse("no-filter", LOCAL, at, &path, "filter").fix_set("Take every file", &path, "\"*\"");
        } else if !has_folder && at.get("files").items().is_empty() {
            let message = "At least one of baseDir or files should be specified";
            self.refuse("no-files", LOCAL, at, &at.path.join("baseDir"), message);
        }
    }

    fn http(&mut self, at: &At<'_>) {
        let uris = at.get("uris");
        if uris.items().is_empty() {
            self.refuse("no-uris", HTTP, at, &uris.path, "Empty URIs");
        }
        let is_web = |uri: &str| {
            let scheme = uri.split(':').next().unwrap_or_default().to_ascii_lowercase();
            scheme == "http" || scheme == "https"
        };
        let other = uris.items().into_iter().find(|uri| uri.peek_text().is_some_and(|text| !is_web(&text)));
        if let Some(other) = other {
            // What a server allows can be set; this is the default.
            self.refuse("uri-protocol", HTTP, at, &other.path, "Only [http, https] protocols are allowed");
        }
    }

    fn s3(&mut self, at: &At<'_>) {
        let given: Vec<_> = ["uris", "prefixes", "objects"]
            .into_iter()
            .filter(|key| !at.get(key).items().is_empty())
            .collect();
        if given.len() != 1 {
            let message = "Exactly one of uris, prefixes or objects must be specified";
            let place = given.last().copied().unwrap_or("prefixes");
            self.refuse("s3-places", S3, at, &at.path.join(place), message);
        }
        for key in ["uris", "prefixes"] {
            for uri in at.get(key).items() {
                let Some(text) = uri.peek_text().filter(|text| !text.starts_with("s3://")) else { continue };
                let message = format!("Invalid URI scheme [{text}] must be [s3]");
                let refusal = self.refuse("uri-protocol", S3, at, &uri.path, message).ours();
                if let Some(rest) = text.strip_prefix("s3a://").or_else(|| text.strip_prefix("s3n://")) {
                    refusal.fix_set("Write s3://", &uri.path, crate::json::quote(&format!("s3://{rest}")));
                }
            }
        }
    }

    fn druid(&mut self, at: &At<'_>) {
        let chain = format!(
            "{}[\"spec\"]->{}[\"ioConfig\"]->{}[\"inputSource\"]->{DRUID}[\"interval\"]",
            self.task_class(),
            self.spec_class(),
            match self.task.kind {
                TaskKind::Index => SIMPLE_IO,
                _ => PARALLEL_IO,
            }
        );
        self.interval(&at.get("interval"), &chain);
        if at.get("interval").is_there() == at.get("segments").is_there() {
            let message = "Specify exactly one of 'interval' and 'segments'";
            self.refuse("druid-source-range", DRUID, at, &at.path.join("interval"), message);
        }
        if at.get("dataSource").peek_text().is_none() {
            self.refuse("druid-source-name", DRUID, at, &at.path.join("dataSource"), "dataSource");
        }
    }

    /// Whether there is a source and a format for it (`ParallelIndexIngestionSpec`, `IndexIngestionSpec`).
    pub(super) fn formats(&mut self, batch: &Batch) {
        let io = self.part(batch, &["ioConfig"]);
        if !io.is_there() {
            return;
        }
        let (class, spec) = (self.spec_class(), self.part(batch, &[]));
        let since_37 = self.release >= Release::major(37);
        if batch.input == InputSource::Missing {
            if since_37 && !io.get("inputSource").is_there() {
                let path = io.path.join("inputSource");
                self.refuse("no-input-source", class, &spec, &path, "inputSource must not be null");
            }
            return;
        }
        let has_parser = self.part(batch, &["dataSchema", "parser"]).is_there();
        if batch.input.needs_format() && !io.get("inputFormat").is_there() && (since_37 || !has_parser) {
            let message = if since_37 {
                "inputFormat must not be null"
            } else {
                "At least one of properties[[parser, inputFormat]] must be present"
            };
            let path = io.path.join("inputFormat");
            self.refuse("no-input-format", class, &spec, &path, message).fix_set(
                "Read JSON lines",
                &path,
                "{\"type\":\"json\"}",
            );
        }
    }

    fn format(&mut self, at: &At<'_>) {
        let Some(kind) = at.get("type").peek_text() else {
            if at.is_there() {
                self.no_type(at, "org.apache.druid.data.input.InputFormat").rule = "input-format-type";
            }
            return;
        };
        match &*kind {
            "csv" => self.flat(at, CSV, ","),
            "tsv" => {
                let delimiter = at.get("delimiter").peek_text();
                self.flat(at, TSV, delimiter.as_deref().filter(|text| !text.is_empty()).unwrap_or("\t"));
            }
            "json" => {
                let is_on = |key: &str| at.get(key).node.is_some_and(|node| node.text() == "true");
                if is_on("useJsonNodeReader") && is_on("assumeNewlineDelimited") {
                    let message =
                        "useJsonNodeReader cannot be set to true when assumeNewlineDelimited is true.";
                    self.refuse("json-readers", JSON, at, &at.path.join("useJsonNodeReader"), message).fix(
                        "Turn useJsonNodeReader off",
                        vec![Edit::Remove(at.path.join("useJsonNodeReader"))],
                    );
                }
            }
            _ => {}
        }
    }

    /// `FlatTextInputFormat`
    fn flat(&mut self, at: &At<'_>, class: &'static str, delimiter: &str) {
        let columns = at.get("columns");
        let (finds, header) = (at.get("findColumnsFromHeader"), at.get("hasHeaderRow"));
        let label = "Take the columns from the header row";
        if columns.items().is_empty() {
            let is_on = |at: &At<'_>| at.node.is_some_and(|node| node.text() == "true");
            if header.is_there() && finds.is_there() {
                let message = "Cannot accept both [findColumnsFromHeader] and [hasHeaderRow]";
                self.refuse("two-header-keys", class, at, &header.path, message)
                    .fix("Drop hasHeaderRow", vec![Edit::Remove(header.path.clone())]);
            } else if !header.is_there() && !finds.is_there() {
                let message = "Either [columns] or [findColumnsFromHeader] must be set";
                self.refuse("no-columns", class, at, &columns.path, message).fix_set(
                    label,
                    &finds.path,
                    "true",
                );
            } else if !is_on(&header) && !is_on(&finds) {
                let message = "If [columns] is not set, the first row of your data must have your header and \
                               [findColumnsFromHeader] must be set to true.";
                self.refuse("no-columns", class, at, &columns.path, message).fix_set(
                    label,
                    &finds.path,
                    "true",
                );
            }
        }
        if at.get("listDelimiter").peek_text().is_some_and(|list| list == delimiter) {
            let message = format!("Cannot have same delimiter and list delimiter of [{delimiter}]");
            self.refuse("same-delimiters", class, at, &at.path.join("listDelimiter"), message);
        }
        for column in columns.items() {
            if let Some(name) = column.peek_text().filter(|name| name.contains(delimiter)) {
                let message = format!("Column[{name}] cannot have the delimiter[{delimiter}] in its name");
                self.refuse("delimiter-in-column", class, at, &column.path, message);
            }
        }
    }
}
