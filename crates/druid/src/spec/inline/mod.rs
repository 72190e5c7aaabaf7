//! The rows of `inline` input, as far as their times: what can be known of an input without running anything.
//!
//! Reads JSON lines, csv and tsv the way Druid's readers do, line by line, with times in every named format and in Joda
//! patterns, and drops what they drop. Where it cannot know the times for sure it says so ([`NotRead`],
//! [`InlineRows::exact`]) and does not guess. It reads no other column, and applies neither filters nor granularities.

mod lines;
mod pattern;
mod sample;
mod times;

use crate::interval::Instant;
use crate::json::Kind;

pub use sample::sampled_times;

use super::values::At;
use super::{InputSource, Task};
use lines::Cells;

/// The rows of inline data in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlineRows {
    /// One entry a row: its time, or `None` where Druid cannot read the row and drops it
    /// (with `reportParseExceptions` it fails instead).
    pub times: Vec<Option<Instant>>,
    /// What is wrong with the rows that are dropped: the first hundred.
    pub dropped: Vec<Dropped>,
    /// Whether exactly these rows arrive. A `transformSpec` filter lets fewer through; releases differ in how
    /// they take an empty time in tsv when `missingValue` is set; a time that ends with a zone's name is dropped
    /// where there is no such zone.
    pub exact: bool,
}

/// A row that Druid drops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Its line in the data, from 1.
    pub line: usize,
    /// Why it cannot be read.
    pub why: String,
}

/// Why the times of the input are not known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRead {
    /// It is no batch task with inline data.
    NotInline,
    /// Another input format; empty when none is given.
    Format(String),
    /// A pattern of letters that is not read here: two-digit years hang on the server's clock, zone names on its tables.
    TimePattern(String),
    /// Parser features or a `flattenSpec` decide what the time column holds.
    Parsed(&'static str),
    /// A transform writes `__time`.
    TimeMoved,
    /// Neither `columns` nor a header row.
    NoColumns,
}

impl NotRead {
    /// The same in words.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            NotRead::NotInline => "the rows do not stand in the spec".to_owned(),
            NotRead::Format(format) if format.is_empty() => "no input format is given".to_owned(),
            NotRead::Format(format) => format!("rows in the format {format} are not read here"),
            NotRead::TimePattern(pattern) => format!("times in the pattern {pattern} are not read here"),
            NotRead::Parsed(what) => format!("{what} decides what the time of a row is"),
            NotRead::TimeMoved => "a transform writes __time: the times in the rows say nothing".to_owned(),
            NotRead::NoColumns => "neither columns nor a header row name the columns".to_owned(),
        }
    }
}

/// More dropped rows than this need not be listed.
const MAX_DROPPED: usize = 100;

impl InlineRows {
    /// The times of the rows that can be read, in their order.
    #[must_use]
    pub fn instants(&self) -> Vec<Instant> {
        self.times.iter().copied().flatten().collect()
    }

    fn push(&mut self, line: usize, read: Result<Instant, String>) {
        match read {
            Ok(instant) => self.times.push(Some(instant)),
            Err(why) => {
                self.times.push(None);
                if self.dropped.len() < MAX_DROPPED {
                    self.dropped.push(Dropped { line, why });
                }
            }
        }
    }
}

/// The rows of a batch task whose input source is `inline`.
///
/// # Errors
/// The times cannot be known without running the task; see [`NotRead`].
pub fn rows(task: &Task) -> Result<InlineRows, NotRead> {
    let batch = task.batch().ok_or(NotRead::NotInline)?;
    let InputSource::Inline { data } = &batch.input else { return Err(NotRead::NotInline) };
    if batch.moves_time {
        return Err(NotRead::TimeMoved);
    }
    let spec = &batch.timestamp;
    let format = times::Format::of(&spec.format).ok_or_else(|| NotRead::TimePattern(spec.format.clone()))?;
    let root = At::root(&task.document);
    let keys: Vec<&str> = batch
        .base
        .0
        .iter()
        .filter_map(|step| match step {
            crate::json::Step::Key(key) => Some(key.as_str()),
            crate::json::Step::Index(_) => None,
        })
        .collect();
    let at = root.down(&keys).down(&["ioConfig", "inputFormat"]);
    let mut rows = InlineRows { exact: !batch.filters_rows, ..InlineRows::default() };
    let may_be_dropped = std::cell::Cell::new(false);
    // A null or absent time is missing; every other has to be read.
    let timed = |cell: Option<times::Cell<'_>>| match cell {
        Some(cell) => {
            let read = format.read(&cell);
            if read.is_ok() && times::hangs_on_a_zone(&cell) {
                may_be_dropped.set(true);
            }
            read
        }
        None => spec.missing_value.ok_or_else(|| format!("there is no {}", spec.column)),
    };
    match batch.input_format.as_deref() {
        Some("json") => {
            if at.get("featureSpec").node.is_some_and(|features| features.children().next().is_some()) {
                return Err(NotRead::Parsed("featureSpec"));
            }
            if is_flattened(&at.get("flattenSpec"), &spec.column) {
                return Err(NotRead::Parsed("flattenSpec"));
            }
            for (line, text) in lines::of(data) {
                rows.push(line, lines::json_cell(text, &spec.column).and_then(timed));
            }
        }
        Some(kind @ ("csv" | "tsv")) => {
            let cells = if kind == "csv" {
                Cells::Csv
            } else {
                let delimiter = at.get("delimiter").peek_text().filter(|text| !text.is_empty());
                Cells::Split(delimiter.map_or_else(|| "\t".to_owned(), std::borrow::Cow::into_owned))
            };
            let header = lines::Header::of(&at).ok_or(NotRead::NoColumns)?;
            let mut lines = lines::of(data).skip(header.skip);
            let columns = match header.columns {
                Some(columns) => columns,
                None => lines.next().map(|(_, first)| cells.names(first)).unwrap_or_default(),
            };
            let place = columns.iter().rposition(|name| *name == spec.column);
            for (line, text) in lines {
                let cell = place.and_then(|place| cells.cell(text, place));
                let is_empty_text = cell.as_deref() == Some("");
                rows.exact &= !(is_empty_text && kind == "tsv" && spec.missing_value.is_some());
                rows.push(line, timed(cell.map(times::Cell::Text)));
            }
        }
        other => return Err(NotRead::Format(other.unwrap_or_default().to_owned())),
    }
    rows.exact &= !may_be_dropped.get();
    Ok(rows)
}

/// Whether a `flattenSpec` has a say in what the time column holds.
fn is_flattened(at: &At<'_>, column: &str) -> bool {
    let discovers = at.get("useFieldDiscovery").node.is_none_or(|node| node.text() != "false");
    let names_it = at.get("fields").items().iter().any(|field| {
        let name = if field.is(Kind::Object) { field.get("name") } else { field.clone() };
        name.peek_text().is_some_and(|name| name == column)
    });
    at.is_there() && (!discovers || names_it)
}
