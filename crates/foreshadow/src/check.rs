//! `foreshadow check`: what a task file says of itself, without any segments.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use backfill::check::findings_of_task;
use druid::release::Release;
use druid::spec::upgrade::{old_forms, upgrade};
use serde_json::json;

use crate::situation::{self, ASSUMED, Situation};
use crate::{files, print};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The task, as JSON
    #[arg(long, value_name = "FILE")]
    task: PathBuf,

    /// The server's release
    #[arg(long, value_name = "RELEASE", default_value_t = ASSUMED)]
    druid: Release,

    /// Show what a task in an older form would become, as a diff; nothing is written
    #[arg(long)]
    upgrade: bool,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Exit code 0; 1 when a finding says stop.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let task = situation::task(&files::document(&arguments.task)?, None)?;
    let nothing = druid::segment::SegmentSet::new(task.datasource.as_deref().unwrap_or_default());
    let mut situation = Situation::new(task, nothing);
    situation.release = arguments.druid;
    situation.know(None);
    let timeline = situation.timeline.clone().map_err(|illegal| anyhow::anyhow!(illegal.reason))?;
    let found = findings_of_task(&situation.question(&timeline), &situation.forecast(&timeline));
    let mut out = BufWriter::new(std::io::stdout().lock());
    let upgrade = match arguments.upgrade && !old_forms(&situation.task).is_empty() {
        true => Some(upgrade(&situation.task.document).context("the task cannot be upgraded")?),
        false => None,
    };
    if arguments.json {
        let findings: Vec<_> = found.iter().map(print::finding).collect();
        let document = match &upgrade {
            Some(upgrade) => json!({"findings": findings, "upgrade": print::upgrade(upgrade)}),
            None => json!({"findings": findings}),
        };
        writeln!(out, "{document}")
    } else {
        writeln!(out, "{}", situation.task.what_it_is())
            .and_then(|()| print::findings(&mut out, &found))
            .and_then(|()| match &upgrade {
                Some(upgrade) => print::upgrade_for_people(&mut out, &situation.task.document, upgrade),
                None => Ok(()),
            })
    }
    .and_then(|()| out.flush())
    .context("stdout is closed")?;
    Ok(ExitCode::from(u8::from(print::stops(&found))))
}
