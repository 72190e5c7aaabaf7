//! `foreshadow timeline`: what of a file of segments is visible, what is overshadowed, what is incomplete.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use druid::interval::Interval;
use druid::segment::{SegmentId, SegmentSet};
use druid::timeline::{Illegal, Timeline};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{files, timings};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Segments as the Coordinator gives them (a JSON array or JSON lines), or lines
    /// [start_ms,end_ms,"version",partition,core]; - reads stdin
    #[arg(long, value_name = "FILE")]
    segments: PathBuf,

    /// Print one JSON document
    #[arg(long)]
    json: bool,

    /// Time it seven times over, and print the medians as one JSON line on stderr
    #[arg(long)]
    timings: bool,
}

/// Exit code 0; 1 when Druid refuses the set.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let bytes = files::segment_bytes(&arguments.segments)?;
    let read = || files::decode_segments(&bytes, None, &arguments.segments);
    let set = read()?;
    let built = Timeline::build(&set);
    let mut out = BufWriter::new(std::io::stdout().lock());
    match (&built, arguments.json) {
        (Ok(timeline), true) => print_json(&mut out, &set, timeline),
        (Ok(timeline), false) => print_text(&mut out, &set, timeline),
        (Err(illegal), as_json) => print_illegal(&mut out, illegal, as_json),
    }
    .and_then(|()| out.flush())
    .context("stdout is closed")?;
    if arguments.timings && built.is_ok() {
        eprintln!("{}", timings::measure(read)?);
    }
    Ok(ExitCode::from(u8::from(built.is_err())))
}

/// A visible piece.
#[derive(Serialize)]
struct Visible<'a> {
    interval: Interval,
    true_interval: Interval,
    version: &'a str,
    partitions: Vec<u32>,
    tombstone: bool,
}

fn visible(timeline: &Timeline) -> impl Iterator<Item = Visible<'_>> {
    timeline.visible().iter().filter_map(|piece| {
        let holder = timeline.holder(piece.holder)?;
        let mut partitions: Vec<u32> = holder.partitions().collect();
        partitions.sort_unstable();
        Some(Visible {
            interval: piece.interval,
            true_interval: holder.interval,
            version: holder.version,
            partitions,
            tombstone: holder.tombstone,
        })
    })
}

/// What a segment is called: Druid's id, or of a compact line its own first four values.
fn name(id: &SegmentId) -> Value {
    if id.datasource.is_empty() {
        json!([id.interval.start.ms(), id.interval.end.ms(), *id.version, id.partition])
    } else {
        json!(id.to_string())
    }
}

/// Written piece by piece: a million segments need not be a million JSON values first.
fn print_json(out: &mut impl Write, set: &SegmentSet, timeline: &Timeline) -> std::io::Result<()> {
    out.write_all(b"{\"visible\":")?;
    crate::print::array(out, visible(timeline))?;
    out.write_all(b",\"overshadowed\":")?;
    crate::print::array(
        out,
        timeline.overshadowed().filter_map(|row| set.get(row)).map(|segment| name(&segment.id())),
    )?;
    out.write_all(b",\"incomplete\":")?;
    let incomplete = timeline.holders().filter(|holder| !holder.complete);
    crate::print::array(
        out,
        incomplete.map(|holder| json!({"interval": holder.interval, "version": holder.version})),
    )?;
    out.write_all(b",\"illegal\":null}\n")
}

fn print_text(out: &mut impl Write, set: &SegmentSet, timeline: &Timeline) -> std::io::Result<()> {
    let incomplete: Vec<_> = timeline.holders().filter(|holder| !holder.complete).collect();
    let of = match set.datasource() {
        "" => String::new(),
        datasource => format!(" of {datasource}"),
    };
    writeln!(
        out,
        "{} segments{of}: {} pieces visible, {} overshadowed, {} sets incomplete",
        set.len(),
        timeline.visible().len(),
        timeline.overshadowed().count(),
        incomplete.len()
    )?;
    for piece in visible(timeline) {
        let what = if piece.tombstone {
            "tombstone".to_owned()
        } else {
            format!("{} partitions", piece.partitions.len())
        };
        let around = if piece.interval == piece.true_interval {
            String::new()
        } else {
            format!("  of {}", piece.true_interval.short())
        };
        writeln!(out, "  {}  {}  {what}{around}", piece.interval.short(), piece.version)?;
    }
    for holder in incomplete {
        writeln!(out, "  {}  {}  incomplete: not served", holder.interval.short(), holder.version)?;
    }
    Ok(())
}

fn print_illegal(out: &mut impl Write, illegal: &Illegal, as_json: bool) -> std::io::Result<()> {
    if as_json {
        let segments: Vec<Value> = illegal.segments.iter().map(name).collect();
        let document = json!({
            "visible": [], "overshadowed": [], "incomplete": [],
            "illegal": {"reason": illegal.reason, "segments": segments},
        });
        return writeln!(out, "{document}");
    }
    writeln!(out, "Druid refuses this set of segments: {}", illegal.reason)?;
    for id in &illegal.segments {
        writeln!(out, "  {}", name(id).to_string().trim_matches('"'))?;
    }
    Ok(())
}
