//! `foreshadow forecast`: what a task would do, from files or from a live cluster.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use backfill::check::{Finding, findings_among, same_version_overlap};
use backfill::forecast::Basis;
use druid::interval::Instant;
use druid::release::Release;
use serde_json::json;

use crate::situation::{self, Said, Situation};
use crate::{files, live, print, worlds};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Used segments of the datasource as the Coordinator gives them (JSON array or lines), or compact lines
    #[arg(long, value_name = "FILE", required_unless_present = "cluster")]
    segments: Option<PathBuf>,

    /// The task, as JSON
    #[arg(long, value_name = "FILE")]
    task: PathBuf,

    /// The input's rows: one ISO timestamp a line in their order, a line -- between the splits of the source
    #[arg(long, value_name = "FILE", conflicts_with = "rows_in")]
    rows: Option<PathBuf>,

    /// Which chunks get rows, where the rows themselves are not known. Inline input is read from the task
    #[arg(long, value_name = "WHICH")]
    rows_in: Option<RowsIn>,

    /// The datasource's unused segments, one a line: an id, or the segment as JSON. Or what the Coordinator answers
    #[arg(long, value_name = "FILE")]
    unused: Option<PathBuf>,

    /// Locks held, as POST /druid/indexer/v1/activeLocks answers
    #[arg(long, value_name = "FILE")]
    locks: Option<PathBuf>,

    /// Tasks that run, as task JSONs in an array
    #[arg(long, value_name = "FILE")]
    running: Option<PathBuf>,

    /// The cluster's default task context (druid.indexer.task.default.context), as a JSON object
    #[arg(long, value_name = "FILE")]
    context: Option<PathBuf>,

    /// The datasource's automatic compaction config, as a JSON object
    #[arg(long, value_name = "FILE")]
    compaction: Option<PathBuf>,

    /// The server's release [default: 33.0.0, or what the cluster says]
    #[arg(long, value_name = "RELEASE")]
    druid: Option<Release>,

    /// The server's clock when the run gets its locks [default: this machine's]
    #[arg(long, value_name = "INSTANT", value_parser = instant)]
    now: Option<Instant>,

    /// Read segments, locks, running tasks and release from this cluster (its Router, or Coordinators and Overlords)
    #[arg(long, value_name = "URL", value_delimiter = ',', conflicts_with = "segments")]
    cluster: Vec<String>,

    /// File with one line, user:password or “Bearer …”, for the cluster. Or set FORESHADOW_CLUSTER_CREDENTIALS
    #[arg(long, value_name = "FILE", requires = "cluster")]
    credentials_file: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What a person can say of chunks as a whole.
#[derive(Clone, Copy, clap::ValueEnum)]
enum RowsIn {
    /// Every chunk gets rows
    All,
    /// No chunk gets rows
    None,
    /// The chunks that hold data now get rows, and no others
    Existing,
    /// Not known: what may happen is told as worlds
    Unknown,
}

fn instant(text: &str) -> Result<Instant, String> {
    Instant::parse(text).map_err(|error| format!("{}; write it like 2026-07-16T00:00:00Z", error.message))
}

/// Exit code 0; 1 when a finding says stop.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let situation = situation(arguments)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let timeline = match &situation.timeline {
        Ok(timeline) => timeline,
        Err(illegal) => {
            let found = [same_version_overlap(illegal)];
            refused(&mut out, &found, arguments.json)
                .and_then(|()| out.flush())
                .context("stdout is closed")?;
            return Ok(ExitCode::from(1));
        }
    };
    let made = situation.forecast(timeline);
    let found = findings_among(&situation.question(timeline), &made, &situation.surroundings);
    if arguments.json {
        worlds::print_json(&mut out, &made, &situation.segments, &found)
    } else {
        worlds::print_text(&mut out, &made, &situation, &found)
    }
    .and_then(|()| out.flush())
    .context("stdout is closed")?;
    Ok(ExitCode::from(u8::from(print::stops(&found))))
}

/// Of a set of segments that Druid refuses nothing can be foreseen.
fn refused(out: &mut impl Write, found: &[Finding], as_json: bool) -> std::io::Result<()> {
    if !as_json {
        return print::findings(out, found);
    }
    let findings: Vec<_> = found.iter().map(print::finding).collect();
    let document = json!({
        "mode": "unknown", "typed": [], "effective": [], "worlds": [],
        "unknown": ["Everything: Druid itself refuses this set of segments."],
        "findings": findings,
    });
    writeln!(out, "{document}")
}

fn situation(arguments: &Arguments) -> Result<Situation> {
    let document = files::document(&arguments.task)?;
    let defaults = match &arguments.context {
        Some(path) => Some(files::object(path, "The default context")?),
        None => None,
    };
    let task = situation::task(&document, defaults.as_ref())?;
    let datasource = situation::datasource(&task, &arguments.task)?;
    let mut situation = match &arguments.segments {
        Some(path) => Situation::new(task, files::segments(path, &datasource)?),
        None if arguments.cluster.is_empty() => bail!("--segments or --cluster says what is there now."),
        None => {
            live::situation(&arguments.cluster, arguments.credentials_file.as_deref(), task, &datasource)?
        }
    };
    if !arguments.cluster.is_empty() && defaults.is_none() {
        let note = "The cluster's default task context, which no call tells: bring it with --context where there is one.";
        situation.notes.push(note.to_owned());
    }
    if let Some(path) = &arguments.unused {
        situation.unused = Some(files::unused(path)?);
    }
    if let Some(path) = &arguments.locks {
        situation.locks = files::locks(path, &datasource)?;
    }
    if let Some(path) = &arguments.running {
        situation.running = files::running(path, &datasource)?;
    }
    if let Some(path) = &arguments.compaction {
        let config = files::object(path, "The compaction config")?;
        situation.surroundings.compaction =
            Some(backfill::check::AutoCompaction::of(&config.into(), &druid::zone::Tzdb::default()));
    }
    if let Some(release) = arguments.druid {
        situation.release = release;
    }
    if let Some(now) = arguments.now {
        situation.now = now;
    }
    let said = match (&arguments.rows, arguments.rows_in) {
        (Some(path), _) => Some(Said::Rows(files::rows(path)?)),
        (None, Some(which)) => Some(Said::Of(match which {
            RowsIn::All => Basis::AllRows,
            RowsIn::None => Basis::NoRows,
            RowsIn::Existing => Basis::AsExisting,
            RowsIn::Unknown => Basis::Unknown,
        })),
        (None, None) => None,
    };
    situation.know(said);
    Ok(situation)
}

/// Addresses of a cluster, as typed.
pub(crate) fn addresses(cluster: &[String]) -> Result<Vec<gateway::Address>> {
    cluster
        .iter()
        .map(|url| gateway::Address::parse(url.trim()).map_err(|why| anyhow!("--cluster: {why}.")))
        .collect()
}
