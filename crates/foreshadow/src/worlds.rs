//! A forecast in print: one JSON document, or a page for people.
//!
//! What always holds: entries are written as they are made; a year of MINUTE chunks is never a list in memory first.

use std::io::Write;

use backfill::check::Finding;
use backfill::forecast::{
    Entry, EntryVersion, Forecast, Intent, Outcome, World, open, visible, visible_with,
};
use druid::interval::Interval;
use druid::segment::SegmentSet;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::json;

use crate::print;
use crate::situation::Situation;

/// An entry as the document has it.
struct Printed(Entry);

impl Serialize for Printed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Printed(entry) = self;
        let mut out = serializer.serialize_struct("entry", 5)?;
        out.serialize_field("interval", &entry.interval)?;
        out.serialize_field("true_interval", &entry.true_interval)?;
        out.serialize_field("version", version(entry))?;
        out.serialize_field("tombstone", &entry.tombstone)?;
        out.serialize_field("appended", &entry.appended)?;
        out.end()
    }
}

fn version(entry: &Entry) -> &str {
    match &entry.version {
        EntryVersion::Old(version) => version,
        EntryVersion::New => "new",
    }
}

/// The ways one open place can turn out, each once.
fn alternatives(forecast: &Forecast, world: &World, place: &backfill::forecast::Either) -> Vec<Vec<Printed>> {
    let mut seen: Vec<Vec<Entry>> = Vec::new();
    for alternative in &place.alternatives {
        // One that Druid would refuse cannot happen.
        let Ok(mut entries) = visible_with(forecast, world, place.interval, alternative) else { continue };
        entries.sort();
        if !seen.contains(&entries) {
            seen.push(entries);
        }
    }
    seen.into_iter().map(|entries| entries.into_iter().map(Printed).collect()).collect()
}

/// The document of `forecast --json`.
pub(crate) fn print_json(
    out: &mut impl Write,
    forecast: &Forecast,
    segments: &SegmentSet,
    found: &[Finding],
) -> std::io::Result<()> {
    let key = |out: &mut dyn Write, name: &str| write!(out, ",{}:", json!(name));
    write!(out, "{{\"mode\":{}", json!(forecast.intent.name()))?;
    key(out, "typed")?;
    print::array(out, &forecast.typed)?;
    key(out, "effective")?;
    print::array(out, &forecast.effective)?;
    key(out, "worlds")?;
    out.write_all(b"[")?;
    for (at, world) in forecast.worlds.iter().enumerate() {
        if at > 0 {
            out.write_all(b",")?;
        }
        print_world(out, forecast, world, segments)?;
    }
    out.write_all(b"]")?;
    key(out, "unknown")?;
    print::array(out, &forecast.unknown)?;
    key(out, "findings")?;
    print::array(out, found.iter().map(print::finding))?;
    out.write_all(b"}\n")
}

fn print_world(
    out: &mut impl Write,
    forecast: &Forecast,
    world: &World,
    segments: &SegmentSet,
) -> std::io::Result<()> {
    write!(
        out,
        "{{\"when\":{},\"outcome\":{},\"reason\":{},\"visible\":",
        json!(world.when),
        json!(world.outcome.name()),
        json!(world.reason)
    )?;
    print::array(out, visible(forecast, world).map(Printed))?;
    out.write_all(b",\"either\":")?;
    print::array(
        out,
        open(forecast, world).filter(|_| world.outcome.publishes()).map(|place| {
            json!({"interval": place.interval, "alternatives": alternatives(forecast, world, &place)})
        }),
    )?;
    out.write_all(b",\"overshadowed\":")?;
    print::array(out, world.after.overshadowed().map(|row| segments.id(row)))?;
    out.write_all(b",\"deleted\":")?;
    print::array(out, &world.deleted)?;
    if is_mark(forecast) {
        out.write_all(b",\"marked\":")?;
        print::array(out, &world.marked)?;
    }
    out.write_all(b"}")
}

/// Lines of a list for people; the document has all of them.
const SHOWN: usize = 40;

/// The page of `forecast` for people.
pub(crate) fn print_text(
    out: &mut impl Write,
    forecast: &Forecast,
    situation: &Situation,
    found: &[Finding],
) -> std::io::Result<()> {
    let datasource = situation.task.datasource.as_deref().unwrap_or_default();
    writeln!(
        out,
        "{} {datasource}, Druid {}, {} used segments",
        forecast.intent.name().to_uppercase(),
        situation.release,
        situation.segments.len()
    )?;
    writeln!(out, "  input      {}", situation.known.source())?;
    ranges(out, "typed", &forecast.typed)?;
    if forecast.effective != forecast.typed {
        ranges(out, "works on", &forecast.effective)?;
    }
    for (at, world) in forecast.worlds.iter().enumerate() {
        let when = match world.when.as_str() {
            "" => String::new(),
            when => format!(" if {when}"),
        };
        let number = if forecast.worlds.len() > 1 { format!(" {}", at + 1) } else { String::new() };
        writeln!(out, "\nOutcome{number}: {}{when}", world.outcome.name().replace('_', " "))?;
        if let Some(reason) = &world.reason {
            writeln!(out, "  {reason}")?;
        }
        print_changes(out, forecast, world, &situation.segments)?;
    }
    if !forecast.unknown.is_empty() {
        writeln!(out, "\nNot known:")?;
        for sentence in &forecast.unknown {
            writeln!(out, "  {sentence}")?;
        }
    }
    writeln!(out)?;
    print::findings(out, found)
}

fn ranges(out: &mut impl Write, name: &str, ranges: &[Interval]) -> std::io::Result<()> {
    let texts = match ranges {
        [] => "no intervals".to_owned(),
        ranges => {
            let shown: Vec<String> = ranges.iter().take(3).map(|range| range.short()).collect();
            let more = ranges.len().saturating_sub(3);
            if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
        }
    };
    writeln!(out, "  {name:10} {texts}")
}

/// What is new, what may be, and what is hidden or deleted for good.
fn print_changes(
    out: &mut impl Write,
    forecast: &Forecast,
    world: &World,
    segments: &SegmentSet,
) -> std::io::Result<()> {
    if is_mark(forecast) && world.outcome == Outcome::Success {
        let told = world.fates.iter().map(|fate| format!("{}  {}", fate.interval.short(), fate.sentence()));
        return list(out, told);
    }
    // A compaction of which one part fails has published the parts before it.
    if world.outcome.publishes() || !world.added.is_empty() {
        let new = visible(forecast, world)
            .filter(|entry| entry.version == EntryVersion::New || entry.appended)
            .map(|entry| {
                let what = match (&entry.version, entry.tombstone, entry.appended) {
                    (_, _, true) => "more partitions in".to_owned(),
                    (EntryVersion::New, true, _) => "tombstone".to_owned(),
                    _ => "new segments".to_owned(),
                };
                let of = match &entry.version {
                    EntryVersion::Old(version) => format!(" {version}"),
                    EntryVersion::New => String::new(),
                };
                format!("{}  {what}{of}", entry.true_interval.short())
            });
        list(out, new)?;
        let either = open(forecast, world).map(|place| {
            let ways: Vec<String> = alternatives(forecast, world, &place)
                .into_iter()
                .map(|entries| match entries.as_slice() {
                    [] => "nothing".to_owned(),
                    entries => {
                        entries.iter().map(|Printed(entry)| way(entry)).collect::<Vec<_>>().join(" + ")
                    }
                })
                .collect();
            format!("{}  either {}", place.interval.short(), ways.join(", or "))
        });
        list(out, either)?;
        let timeline = world.after.without_overlay();
        let before: std::collections::BTreeSet<u32> = timeline.overshadowed().collect();
        let hidden = world.after.overshadowed().filter(|row| !before.contains(row));
        list(out, hidden.map(|row| format!("{}  overshadowed", segments.id(row))))?;
    } else if world.outcome != Outcome::Refused {
        writeln!(out, "  Nothing is published.")?;
    }
    list(out, world.deleted.iter().map(|id| format!("{id}  deleted for good")))
}

fn is_mark(forecast: &Forecast) -> bool {
    matches!(forecast.intent, Intent::MarkUsed | Intent::MarkUnused)
}

fn way(entry: &Entry) -> String {
    match (&entry.version, entry.tombstone, entry.appended) {
        (EntryVersion::New, true, _) => "a tombstone".to_owned(),
        (EntryVersion::New, ..) => format!("new segments of {}", entry.true_interval.short()),
        (EntryVersion::Old(version), _, true) => format!("more partitions in {version}"),
        (EntryVersion::Old(version), ..) => format!("{version} as it is"),
    }
}

fn list(out: &mut impl Write, lines: impl Iterator<Item = String>) -> std::io::Result<()> {
    let mut lines = lines.peekable();
    for line in lines.by_ref().take(SHOWN) {
        writeln!(out, "  {line}")?;
    }
    match lines.peek() {
        Some(_) => writeln!(out, "  … and more; --json has them all"),
        None => Ok(()),
    }
}
