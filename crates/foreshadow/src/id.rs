//! `foreshadow id`: the deterministic id of a task file, and what it is made from.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use backfill::task_id::{TaskId, Version, task_id};
use druid::json::{Document, Severity};
use druid::spec::{Body, Task};
use druid::zone::Tzdb;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The task, as JSON
    #[arg(long, value_name = "FILE")]
    task: PathBuf,

    /// The version of the spec: new content needs a new one
    #[arg(long)]
    version: String,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let path = arguments.task.display();
    let text = std::fs::read_to_string(&arguments.task)
        .with_context(|| format!("The task {path} cannot be read"))?;
    let document = Document::parse(text);
    if let Some(diagnostic) = document.diagnostics().iter().find(|it| it.severity() == Severity::Error) {
        bail!("{path}:{}:{}: {}", diagnostic.line, diagnostic.column, diagnostic.message);
    }
    let task = Task::read(&document, &Tzdb::default());
    let datasource =
        task.datasource.clone().ok_or_else(|| anyhow!("{path}: the task names no datasource."))?;
    let intervals = match &task.body {
        // One interval less would give an id of other work.
        Body::Batch(batch) if batch.granularity.intervals.len() < batch.granularity.interval_texts.len() => {
            bail!(
                "{path}: one of the intervals {} cannot be read.",
                batch.granularity.interval_texts.join(", ")
            )
        }
        Body::Batch(batch) => batch.granularity.intervals.clone(),
        _ => bail!("{path}: {}; an id can be made for index_parallel and index.", task.what_it_is()),
    };
    let version = Version::typed(&arguments.version).map_err(|error| anyhow!("--version: {error}"))?;
    let id = task_id(&datasource, &intervals, &version).map_err(|error| anyhow!("{path}: {error}"))?;
    print(&id, arguments.json);
    Ok(ExitCode::SUCCESS)
}

fn print(made: &TaskId, json: bool) {
    let parts = &made.parts;
    if json {
        println!(
            "{}",
            serde_json::json!({
                "id": made.id,
                "hashed": made.hashed,
                "sha1": made.digest,
                "datasource": parts.datasource,
                "interval": parts.interval,
                "version": parts.version,
            })
        );
        return;
    }
    println!("{}", made.id);
    println!("  hashed      {}", made.hashed);
    println!("  SHA-1       {}", made.digest);
    println!("  datasource  {}", parts.datasource);
    println!("  interval    {}", parts.interval);
    println!("  version     {}", parts.version);
}
