//! A scenario played on a cluster: its past done, the forecast frozen, the run done, everything written down in the form
//! of the recordings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use druid::interval::{Instant, Interval};
use druid::zone::Tzdb;
use serde_json::{Value, json};

use crate::cluster::{Cluster, End};
use crate::ledger::Ledger;
use crate::scenario::{Compact, Deed, Load, Scenario, Source, lines};
use crate::slots::Slots;
use crate::umpire::Umpire;
use crate::verdict::{Difference, Frozen, judged};

/// How long a task may take before it counts as one that does not end.
const PATIENCE: Duration = Duration::from_secs(150);
/// How long a task that is foreseen to hang is watched.
const HANGS_FOR: Duration = Duration::from_secs(20);
/// How long a task of the past may take; where it hangs, that is the past.
const PAST_PATIENCE: Duration = Duration::from_secs(45);

/// Everything a scenario is played with.
pub(crate) struct Stage {
    pub(crate) cluster: Cluster,
    pub(crate) umpire: Umpire,
    pub(crate) zones: Tzdb,
    pub(crate) release: String,
    /// Where input files are written; the Indexer reads them there.
    pub(crate) input: PathBuf,
    pub(crate) slots: Slots,
}

/// A scenario once it has been played.
pub(crate) struct Played {
    /// A line of the recordings.
    pub(crate) record: Value,
    /// Why the forecast was wrong; none when it was right.
    pub(crate) difference: Option<Difference>,
}

impl Stage {
    /// Plays it in a datasource of this name, which nobody has used before. None where its past cannot be: Druid itself
    /// refuses the set of segments that came of it.
    pub(crate) fn play(&self, scenario: &Scenario, name: &str) -> Result<Option<Played>> {
        let datasource = name.replace('-', "_");
        let mut ledger = Ledger::default();
        for (number, deed) in scenario.past.iter().enumerate() {
            self.past(deed, &datasource, number, &mut ledger)?;
        }
        let before = self.cluster.used(&datasource)?;
        let unused = self.cluster.unused(&datasource)?;
        let Some(visible) = self.umpire.judge(&json!(before)).context("what there was before")? else {
            return Ok(None);
        };
        if scenario.run.reads_segments() {
            let ids: BTreeSet<&str> =
                before.iter().filter_map(|segment| segment.get("identifier")?.as_str()).collect();
            self.cluster.await_snapshot(&datasource, &ids)?;
        }
        let folder = self.files(&scenario.run, &datasource, "run")?;
        let id = format!("{datasource}_run");
        let task =
            scenario.run.task(&datasource, &id, &folder.to_string_lossy()).context("a run is a task")?;
        let mut record = json!({
            "name": name, "druid": self.release, "kind": scenario.run.kind(), "before": before, "task": task,
            "rows": self.rows(&scenario.run, &ledger, &visible.visible), "visible_before": visible.visible,
            "rows_of": "reads", "unused_before": unused, "created": now(),
        });
        if let (Source::Files(files), Some(record)) = (source(&scenario.run), record.as_object_mut()) {
            let named =
                files.iter().enumerate().map(|(number, rows)| (format!("f{number}.json"), times(rows)));
            record.insert("files".to_owned(), Value::Object(named.collect()));
        }

        let frozen = Frozen::of(&record, &self.zones);

        let at_most = if frozen.hangs() { HANGS_FOR } else { PATIENCE };
        let ended = {
            let _slot = scenario.run.is_parallel().then(|| self.slots.take());
            let ended = self.cluster.run(&task, at_most)?;
            if ended.end == End::Runs {
                self.cluster.shut_down(&id)?;
            }
            ended
        };
        let after = self.cluster.used(&datasource)?;
        let unused = self.cluster.unused(&datasource)?;
        let judgement = self.umpire.judge(&json!(after)).context("what there was after")?;
        let judgement = judgement.context("Druid itself refuses the segments that came of the run")?;
        let (status, error) = match &ended.end {
            End::Refused(said) => ("REFUSED", Some(said)),
            End::Success(said) => ("SUCCESS", said.as_ref()),
            End::Failed(said) => ("FAILED", said.as_ref()),
            End::Runs => ("RUNNING", None),
        };
        let added: BTreeSet<&str> = after
            .iter()
            .filter(|segment| before.iter().all(|old| old.get("identifier") != segment.get("identifier")))
            .filter_map(|segment| segment.get("version")?.as_str())
            .collect();
        let result = json!({
            "status": status, "error": error, "created": ended.created, "after": after, "unused_after": unused,
            "visible_after": judgement.visible, "overshadowed_after": judgement.overshadowed,
            "new_versions": added, "lock_version": if added.len() == 1 { added.first() } else { None },
        });
        if let (Some(record), Value::Object(result)) = (record.as_object_mut(), result) {
            record.extend(result);
        }
        // Done with: the Coordinator reads every used segment again each second.
        let ids: Vec<String> = after
            .iter()
            .filter_map(|segment| segment.get("identifier")?.as_str().map(str::to_owned))
            .collect();
        self.cluster.mark_unused(&datasource, &ids)?;
        let difference = judged(frozen, &record, &ended.end);
        let _ = fs::remove_dir_all(&folder);
        Ok(Some(Played { record, difference }))
    }

    fn past(&self, deed: &Deed, datasource: &str, number: usize, ledger: &mut Ledger) -> Result<()> {
        let before = self.cluster.used(datasource)?;
        match deed {
            Deed::MarkUnused { which, whole } => {
                let at = usize::try_from(which * before.len() as u64 / 1_000).unwrap_or_default();
                let Some(chosen) = before.get(at) else { return Ok(()) };
                let same = |segment: &&Value| {
                    let same = |key: &str| segment.get(key) == chosen.get(key);
                    same("identifier") || (*whole && same("interval") && same("version"))
                };
                let (marked, left): (Vec<Value>, Vec<Value>) =
                    before.iter().cloned().partition(|segment| same(&segment));
                let ids: Vec<String> = marked
                    .iter()
                    .filter_map(|segment| segment.get("identifier")?.as_str().map(str::to_owned))
                    .collect();
                self.cluster.mark_unused(datasource, &ids)?;
                ledger.strike(&marked, &left);
            }
            Deed::Load(load) => {
                let folder = self.files(deed, datasource, &number.to_string())?;
                let id = format!("{datasource}_{number}");
                let task =
                    deed.task(datasource, &id, &folder.to_string_lossy()).context("a load is a task")?;
                if self.cluster.run(&task, PAST_PATIENCE)?.end == End::Runs {
                    self.cluster.shut_down(&id)?;
                }
                ledger.enter(load, &before, &self.cluster.used(datasource)?);
            }
            Deed::Compact(_) | Deed::Kill(_) => bail!("the past is made of loads and marks"),
        }
        Ok(())
    }

    /// Writes the files of a file source; gives their folder.
    fn files(&self, deed: &Deed, datasource: &str, step: &str) -> Result<PathBuf> {
        let folder = self.input.join(format!("{datasource}_{step}"));
        if let Source::Files(files) = source(deed) {
            fs::create_dir_all(&folder)?;
            for (number, rows) in files.iter().enumerate() {
                write(&folder.join(format!("f{number}.json")), &lines(rows))?;
            }
        }
        Ok(folder)
    }

    /// Times of the rows that the run reads, null where that is not known.
    fn rows(&self, run: &Deed, ledger: &Ledger, visible: &Value) -> Value {
        let interval = match run {
            Deed::Load(Load { source: Source::Itself(interval), .. })
            | Deed::Compact(Compact { interval, .. }) => interval,
            Deed::Kill(_) => return json!([]),
            _ => return times(&source(run).rows()),
        };
        // Without a granularity of its own a compaction reads every segment that it touches whole.
        let reads_whole = matches!(run, Deed::Compact(Compact { segment_granularity: None, .. }));
        let read = Interval::parse(interval).ok().map(|asked| match reads_whole {
            true => extent(visible, asked),
            false => asked,
        });
        let rows = read.and_then(|interval| ledger.visible(visible, interval));
        rows.map_or(Value::Null, |rows| times(&rows.into_iter().map(Some).collect::<Vec<_>>()))
    }
}

/// An interval widened to the whole of every holder that is visible in it.
fn extent(visible: &Value, asked: Interval) -> Interval {
    let interval = |piece: &Value, key: &str| Interval::parse(piece.get(key)?.as_str()?).ok();
    let touched = visible
        .as_array()
        .into_iter()
        .flatten()
        .filter(|piece| interval(piece, "interval").is_some_and(|piece| piece.overlaps(asked)));
    touched.filter_map(|piece| interval(piece, "true_interval")).fold(asked, |all, holder| Interval {
        start: all.start.min(holder.start),
        end: all.end.max(holder.end),
    })
}

/// The source of a load; an empty one for anything else.
fn source(deed: &Deed) -> &Source {
    static NOTHING: Source = Source::Inline(Vec::new());
    match deed {
        Deed::Load(load) => &load.source,
        _ => &NOTHING,
    }
}

/// Times as the recordings write them; a row without a readable one is left out.
fn times(rows: &[Option<i64>]) -> Value {
    rows.iter().flatten().map(|at| Value::String(Instant::from_ms(*at).to_string())).collect()
}

fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Instant::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)).to_string()
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
