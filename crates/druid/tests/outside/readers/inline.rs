//! The times of inline rows: one time in one format, and whole inputs.

use druid::interval::{Instant, Interval};
use druid::json::{Document, quote};
use druid::spec::Task;
use druid::spec::inline::{InlineRows, NotRead, rows as read_rows};
use druid::zone::UtcOnly;

use super::{line, text};

/// A task with these rows.
fn task(format: &str, input_format: &str, rows: &str) -> Task {
    let text = format!(
        r#"{{"type":"index_parallel","spec":{{"dataSchema":{{"dataSource":"d","timestampSpec":{{"column":"t","format":{}}}}},"ioConfig":{{"type":"index_parallel","inputSource":{{"type":"inline","data":{}}},"inputFormat":{input_format}}}}}}}"#,
        quote(format),
        quote(rows),
    );
    Task::read(&Document::parse(text), &UtcOnly)
}

/// Lines as Java counts them.
fn line_count(text: &str) -> usize {
    let ends = text.replace("\r\n", "\n").matches(['\n', '\r']).count();
    ends + usize::from(!text.is_empty() && !text.ends_with(['\n', '\r']))
}

/// What holds of any rows that could be read.
fn sound(read: &InlineRows, data: &str) {
    assert!(read.times.len() <= line_count(data));
    assert_eq!(read.instants().len(), read.times.iter().flatten().count());
    assert!(read.dropped.len() <= 100);
    let dropped = read.times.iter().filter(|time| time.is_none()).count();
    assert_eq!(read.dropped.len(), dropped.min(100));
    for row in &read.dropped {
        assert!((1..=line_count(data)).contains(&row.line) && !row.why.is_empty());
    }
    for time in read.instants() {
        assert!(Interval::ETERNITY.contains_instant(time));
    }
}

/// One time as csv has it; `None` where the format is not read, or the time is not.
fn one(format: &str, cell: &str) -> Option<Instant> {
    let cell = format!("\"{}\"", cell.replace('"', "\"\""));
    let read = read_rows(&task(format, r#"{"type":"csv","columns":["t"]}"#, &cell)).ok()?;
    sound(&read, &cell);
    assert_eq!(read.times.len(), 1);
    read.times[0]
}

/// A format, and a time written in it.
pub(super) fn timestamp(bytes: &[u8]) {
    let Some((format, time)) = text(bytes).map(line) else { return };
    if time.contains(['\n', '\r']) {
        return; // a line is a row
    }
    let Some(at) = one(format, time) else { return };
    // Written plainly it is the same time to whoever takes that.
    if at.civil().year >= 0 {
        assert_eq!(one("iso", &at.to_string()), Some(at));
        assert_eq!(one("auto", &at.to_string()), Some(at));
        assert_eq!(one("yyyy-MM-dd'T'HH:mm:ss.SSSZ", &at.to_string()), Some(at));
    }
    assert_eq!(one("millis", &at.ms().to_string()), Some(at));
}

/// A format, an input format as JSON, and the rows.
pub(super) fn rows(bytes: &[u8]) {
    let Some((format, rest)) = text(bytes).map(line) else { return };
    let (input_format, data) = line(rest);
    if !Document::parse(input_format).is_well_formed() {
        return;
    }
    let whole = match read_rows(&task(format, input_format, data)) {
        Err(why) => return assert!(!why.sentence().is_empty()),
        Ok(rows) => rows,
    };
    sound(&whole, data);
    // JSON is read line by line: what stands in one says nothing of the next.
    if Document::parse(input_format)
        .root()
        .and_then(|root| root.get("type"))
        .is_some_and(|t| t.text() == "\"json\"")
    {
        assert_eq!(whole.times.len(), line_count(data));
        let middle = data.char_indices().filter(|(_, c)| *c == '\n').map(|(at, _)| at + 1).nth(1);
        let (head, tail) = data.split_at(middle.unwrap_or(0));
        let times = |data: &str| -> Result<Vec<Option<Instant>>, NotRead> {
            Ok(read_rows(&task(format, input_format, data))?.times)
        };
        assert_eq!(Ok(whole.times), times(head).and_then(|head| Ok([head, times(tail)?].concat())));
    }
}
