//! The audit in words.

use super::{Audit, Holder, Kind, Line, Piece, Verdict};
use crate::submission::AuditNote;
use crate::words::number;
use druid::interval::{Instant, Interval};

impl Audit {
    /// Whether nothing is different (something later may cover it).
    pub fn is_as_foreseen(&self) -> bool {
        self.differences().next().is_none()
    }

    /// The stretches that are different.
    pub fn differences(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| matches!(line.verdict, Verdict::Different(_)))
    }

    /// One line for the record of the run.
    pub fn note(&self) -> AuditNote {
        let of = |verdict: Verdict| self.lines.iter().filter(|line| line.verdict == verdict).count() as u64;
        let (foreseen, superseded) = (of(Verdict::AsForeseen), of(Verdict::Superseded));
        let differences: Vec<&Line> = self.differences().collect();
        let line = match differences.as_slice() {
            [] if self.lines.is_empty() => {
                "As foreseen: nothing was to change, and nothing is there.".to_owned()
            }
            [] => {
                let later = match superseded {
                    0 => String::new(),
                    n => format!(" Something later covers {} of them.", stretches(n)),
                };
                let total = stretches(foreseen + superseded);
                format!("As foreseen in {total} of time.{later}")
            }
            [one] => format!("Not as foreseen in one place: {} {}", one.interval.short(), one.words),
            [first, more @ ..] => format!(
                "Not as foreseen in {} places: {} {} And {} more.",
                more.len() + 1,
                first.interval.short(),
                first.words,
                more.len()
            ),
        };
        AuditNote { as_foreseen: differences.is_empty(), line }
    }
}

fn stretches(n: u64) -> String {
    if n == 1 { "1 stretch".to_owned() } else { format!("{} stretches", number(n)) }
}

/// One sentence for a stretch.
pub(super) fn of(verdict: Verdict, piece: Option<&Piece>, holder: Option<&Holder>) -> String {
    let served = holder.map_or_else(|| "nothing".to_owned(), describe);
    let foreseen = piece.map_or_else(|| "nothing".to_owned(), promise);
    match verdict {
        Verdict::AsForeseen => match piece {
            Some(Piece { version: None, tombstone: false, .. }) => "has new data, as foreseen.".to_owned(),
            Some(Piece { version: None, tombstone: true, .. }) => "was emptied, as foreseen.".to_owned(),
            Some(Piece { appended: true, .. }) => "got more rows, as foreseen.".to_owned(),
            Some(_) => "is as it was, as foreseen.".to_owned(),
            None => "is empty, as foreseen.".to_owned(),
        },
        Verdict::Superseded => {
            format!("came out as foreseen ({foreseen}) and was covered by {served} since.")
        }
        Verdict::Different(kind) => match kind {
            Kind::Missing => format!("should have {foreseen} and has {served}."),
            Kind::Extra => format!("has {served}, which was not foreseen; {foreseen} was."),
            Kind::OtherKind => format!("has {served} where {foreseen} was foreseen."),
            Kind::OtherExtent => {
                format!("has {served} where {foreseen} was foreseen, over another stretch of time.")
            }
            Kind::NotAdded => format!("should have got more rows; {served} has as many segments as before."),
            Kind::OtherPartitions => format!("has {served}, with another number of segments than foreseen."),
            Kind::Gone => format!("should still have {foreseen} and has nothing."),
            Kind::Back => format!("has {served} again, where {foreseen} was foreseen."),
        },
    }
}

/// Where anything new was foreseen, something new is.
pub(super) fn if_new_as_foreseen(line: Line) -> Line {
    match line.verdict {
        Verdict::Different(Kind::Extra | Kind::OtherExtent | Kind::OtherKind) => {
            Line { verdict: Verdict::AsForeseen, words: "has new data, as foreseen.".to_owned(), ..line }
        }
        _ => line,
    }
}

fn describe(holder: &Holder) -> String {
    let what = if holder.tombstone { "a tombstone" } else { "data" };
    format!("{what} of version {} over {}", holder.version, over(holder.start_ms, holder.end_ms))
}

fn promise(piece: &Piece) -> String {
    let over = over(piece.true_start_ms, piece.true_end_ms);
    match (&piece.version, piece.tombstone) {
        (None, false) => format!("new data over {over}"),
        (None, true) => format!("a new tombstone over {over}"),
        (Some(version), false) => format!("data of version {version} over {over}"),
        (Some(version), true) => format!("a tombstone of version {version} over {over}"),
    }
}

fn over(start_ms: i64, end_ms: i64) -> String {
    Interval::new(Instant::from_ms(start_ms), Instant::from_ms(end_ms))
        .map_or_else(String::new, |interval| interval.short())
}
