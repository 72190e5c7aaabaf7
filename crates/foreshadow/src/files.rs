//! What the commands read: files, or stdin where a dash stands in place of a name.
//!
//! What always holds: an error names the file, the place in it, and what should stand there.
//! What it does not do: judge what was read. A spec with mistakes is read; a text that is no JSON is not.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use druid::answer::{LockRow, Response};
use druid::ingest::Rows;
use druid::interval::{Instant, Interval};
use druid::json::{Document, Severity};
use druid::lock::{BATCH_PRIORITY, COMPACTION_PRIORITY, Held, STREAMING_PRIORITY};
use druid::segment::stream::Reader;
use druid::segment::{Segment, SegmentSet, UnusedSegment};
use druid::spec::{Body, Task, is_stream};
use druid::zone::Tzdb;
use serde_json::{Map, Value};

use backfill::forecast::Running;

/// Bytes handed to a reader at once.
const SLICE: usize = 1 << 20;

fn open(path: &Path, what: &str) -> Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| format!("{what} {} cannot be read", path.display()))?;
    Ok(Box::new(file))
}

fn text(path: &Path, what: &str) -> Result<String> {
    let mut text = String::new();
    open(path, what)?
        .read_to_string(&mut text)
        .with_context(|| format!("{what} {} cannot be read", path.display()))?;
    Ok(text)
}

/// Bytes of a file of segments.
pub(crate) fn segment_bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path, "The segments")?
        .read_to_end(&mut bytes)
        .with_context(|| format!("The segments {} cannot be read", path.display()))?;
    Ok(bytes)
}

/// Used segments as the Coordinator gives them, as JSON lines, or as compact lines.
pub(crate) fn decode_segments(bytes: &[u8], datasource: Option<&str>, path: &Path) -> Result<SegmentSet> {
    let mut reader = Reader::new(datasource);
    for slice in bytes.chunks(SLICE) {
        reader.push(slice).map_err(|error| anyhow!("{}: {error}.", path.display()))?;
    }
    reader.finish().map_err(|error| anyhow!("{}: {error}.", path.display()))
}

/// The segments of one datasource.
pub(crate) fn segments(path: &Path, datasource: &str) -> Result<SegmentSet> {
    decode_segments(&segment_bytes(path)?, Some(datasource), path)
}

/// A task, whatever is wrong with it short of not being JSON.
pub(crate) fn document(path: &Path) -> Result<Document> {
    let document = Document::parse(text(path, "The task")?);
    if let Some(wrong) = document.diagnostics().iter().find(|it| it.severity() == Severity::Error) {
        bail!("{}:{}:{}: {}", path.display(), wrong.line, wrong.column, wrong.message);
    }
    Ok(document)
}

/// One timestamp a line, in the order of the input; a line `--` between the splits of a source that sub-tasks share.
pub(crate) fn rows(path: &Path) -> Result<Rows> {
    let mut splits = vec![Vec::new()];
    for (at, line) in text(path, "The rows")?.lines().enumerate() {
        match line.trim() {
            "" => {}
            "--" => splits.push(Vec::new()),
            time => {
                let instant = Instant::parse(time).map_err(|error| {
                    anyhow!(
                        "{}:{}: {time:?} is no time ({}); write one such as 2026-07-16T05:00:00Z on each line.",
                        path.display(),
                        at + 1,
                        error.message
                    )
                })?;
                if let Some(split) = splits.last_mut() {
                    split.push(instant);
                }
            }
        }
    }
    Ok(Rows { splits })
}

/// Unused segments, one a line: an id, or the segment as JSON, bare or as the Coordinator wraps it. Its whole answer does as
/// well.
pub(crate) fn unused(path: &Path) -> Result<Vec<UnusedSegment>> {
    let text = text(path, "The unused segments")?;
    if text.trim_start().starts_with('[') {
        let answer = Response::bytes(200, "application/json", text);
        let segments = druid::answer::unused_segments(&answer)
            .map_err(|error| anyhow!("{}: {error}", path.display()))?;
        return Ok(segments.into_iter().map(UnusedSegment::from).collect());
    }
    let lines =
        text.lines().enumerate().map(|(at, line)| (at, line.trim())).filter(|(_, line)| !line.is_empty());
    lines
        .map(|(at, line)| unused_line(line).with_context(|| format!("{}:{}", path.display(), at + 1)))
        .collect()
}

fn unused_line(line: &str) -> Result<UnusedSegment> {
    if !line.starts_with('{') {
        return Ok(UnusedSegment::named(line));
    }
    let raw: Value = serde_json::from_str(line).context("this is neither an id nor JSON")?;
    let segment = Segment::from_json(raw.get("dataSegment").unwrap_or(&raw)).context("this is no segment")?;
    Ok(UnusedSegment::from(segment))
}

fn json(path: &Path, what: &str) -> Result<Value> {
    serde_json::from_str(&text(path, what)?)
        .map_err(|error| anyhow!("{}:{}:{}: {error}", path.display(), error.line(), error.column()))
}

/// Locks on a datasource, as `POST /druid/indexer/v1/activeLocks` answers.
pub(crate) fn locks(path: &Path, datasource: &str) -> Result<Vec<Held>> {
    let body = serde_json::to_vec(&json(path, "The locks")?)?;
    let answer = Response::bytes(200, "application/json", body);
    let rows = druid::answer::locks(&answer).map_err(|error| {
        anyhow!(
            "{}: {error} The file should hold what POST /druid/indexer/v1/activeLocks answers.",
            path.display()
        )
    })?;
    Ok(rows.into_iter().filter(|row| row.datasource == datasource).map(LockRow::held).collect())
}

/// Running tasks of a datasource: an array of task JSONs, bare or as `GET /druid/indexer/v1/task/{id}` wraps them.
pub(crate) fn running(path: &Path, datasource: &str) -> Result<Vec<Running>> {
    let Value::Array(tasks) = json(path, "The running tasks")? else {
        bail!("{}: an array of task JSONs should stand here.", path.display());
    };
    let read = tasks.iter().map(|raw| running_task(raw.get("payload").unwrap_or(raw)));
    Ok(read.filter(|(of, _)| of.as_deref() == Some(datasource)).map(|(_, running)| running).collect())
}

/// Whose it is, and what is known of it from its own JSON.
pub(crate) fn running_task(raw: &Value) -> (Option<String>, Running) {
    let task = Task::read(&Document::parse(raw.to_string()), &Tzdb::default());
    let intervals: Vec<Interval> = match &task.body {
        Body::Batch(batch) => batch.granularity.intervals.clone(),
        Body::Compact(compact) => compact.interval.into_iter().collect(),
        Body::Kill(kill) => kill.interval.into_iter().collect(),
        Body::Mark(_) | Body::Supervisor(_) | Body::Other => Vec::new(),
    };
    let id = task.id.clone().unwrap_or_else(|| "a task without an id".to_owned());
    let kind = task.kind.name().to_owned();
    let usual = match &task.body {
        Body::Compact(_) | Body::Kill(_) => COMPACTION_PRIORITY,
        Body::Supervisor(_) => STREAMING_PRIORITY,
        _ if is_stream(&kind) => STREAMING_PRIORITY,
        _ => BATCH_PRIORITY,
    };
    let priority = Some(task.context.priority.unwrap_or(usual));
    (task.datasource, Running { id, kind, intervals, waits: false, priority })
}

/// A JSON object: the cluster's default task context, a compaction config.
pub(crate) fn object(path: &Path, what: &str) -> Result<Map<String, Value>> {
    match json(path, what)? {
        Value::Object(object) => Ok(object),
        _ => bail!("{}: a JSON object should stand here.", path.display()),
    }
}
