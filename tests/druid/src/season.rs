//! Many scenarios side by side, each in a datasource of its own; what came out otherwise is made smaller, shown with the
//! command that repeats it, and written down.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::draw::scenario;
use crate::play::{Played, Stage};
use crate::scenario::Scenario;
use crate::shrink::smaller;
use crate::verdict::Difference;

/// How many mismatches are made smaller; the rest is told as it came.
const SHRUNK: usize = 3;
/// For how long smaller scenarios are tried for one.
const SHRINKING: Duration = Duration::from_secs(90);
const NEWS_EVERY: Duration = Duration::from_secs(20);

/// What is to be played.
pub(crate) struct Season {
    pub(crate) seed: u64,
    pub(crate) numbers: Range<u64>,
    pub(crate) at_once: usize,
    pub(crate) seconds: Option<u64>,
    pub(crate) mismatches: PathBuf,
    pub(crate) record: Option<PathBuf>,
    /// What only the forecast without rows gets wrong is told but does not count.
    pub(crate) in_passing: bool,
}

/// How one scenario came out.
enum Came {
    Played(Box<Played>),
    /// Its past cannot be: Druid refuses the set.
    CannotBe,
    /// It could not be played: the cluster did not do what it was asked.
    Broken(String),
    /// Otherwise than foreseen, and as foreseen when it was done again: a race inside Druid, or between a task that has
    /// just ended and the next.
    OnlyOnce(Box<Played>),
}

/// Plays them all and says what came of it, on stderr. True when every one came out as foreseen.
pub(crate) fn played(stage: &Stage, season: &Season) -> Result<bool> {
    eprintln!(
        "   seed {}, {} scenarios, {} side by side",
        season.seed,
        season.numbers.end - season.numbers.start,
        season.at_once
    );
    let begun = Instant::now();
    let stamp = Stamp::now();
    let next = AtomicU64::new(season.numbers.start);
    let all = Mutex::new(Vec::new());
    let (say, heard) = mpsc::channel::<()>();
    thread::scope(|scope| {
        for _ in 0..season.at_once.max(1) {
            let say = say.clone();
            let (next, all, stamp) = (&next, &all, &stamp);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let is_late = season.seconds.is_some_and(|most| begun.elapsed().as_secs() >= most);
                    if number >= season.numbers.end || is_late {
                        break;
                    }
                    let drawn = scenario(season.seed, number);
                    let came = twice(stage, &drawn, &stamp.name(season.seed, number, None));
                    all.lock().unwrap_or_else(PoisonError::into_inner).push((number, came));
                    let _ = say.send(());
                }
            });
        }
        drop(say);
        let (mut done, mut next_news) = (0_u64, begun + NEWS_EVERY);
        while heard.recv().is_ok() {
            done += 1;
            if Instant::now() >= next_news {
                eprintln!("   {} s: {done} played", begun.elapsed().as_secs());
                next_news += NEWS_EVERY;
            }
        }
    });
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.sort_by_key(|(number, _)| *number);
    let took = begun.elapsed();
    tell(stage, season, &stamp, Sum::of(all), took)
}

fn play(stage: &Stage, scenario: &Scenario, name: &str) -> Came {
    match stage.play(scenario, name) {
        Ok(Some(played)) => Came::Played(Box::new(played)),
        Ok(None) => Came::CannotBe,
        Err(error) => Came::Broken(format!("{error:#}")),
    }
}

/// Plays what came out otherwise once more: a forecast is wrong where it is wrong again.
fn twice(stage: &Stage, scenario: &Scenario, name: &str) -> Came {
    let first = play(stage, scenario, name);
    match first {
        Came::Played(played) if played.difference.is_some() => {
            match play(stage, scenario, &format!("{name}-again")) {
                Came::Played(again) if again.difference.is_none() => Came::OnlyOnce(played),
                _ => Came::Played(played),
            }
        }
        Came::Broken(_) => play(stage, scenario, &format!("{name}-again")),
        other => other,
    }
}

/// What a season came to.
#[derive(Default)]
struct Sum {
    /// By the first part of a kind: as foreseen, and of how many.
    shares: BTreeMap<String, (u64, u64)>,
    records: Vec<Value>,
    otherwise: Vec<(u64, Difference, Value)>,
    only_once: Vec<(u64, String)>,
    cannot_be: u64,
    broken: Vec<(u64, String)>,
}

impl Sum {
    fn of(all: Vec<(u64, Came)>) -> Sum {
        let mut sum = Sum::default();
        for (number, came) in all {
            match came {
                Came::Played(played) => {
                    sum.count(&played);
                    sum.records.push(played.record.clone());
                    if let Some(difference) = played.difference {
                        sum.otherwise.push((number, difference, played.record));
                    }
                }
                Came::OnlyOnce(played) => {
                    sum.count(&played);
                    let difference = played.difference.map(|it| it.words().to_owned()).unwrap_or_default();
                    sum.only_once.push((number, difference));
                }
                Came::CannotBe => sum.cannot_be += 1,
                Came::Broken(why) => sum.broken.push((number, why)),
            }
        }
        sum
    }

    fn count(&mut self, played: &Played) {
        let kind = played.record.get("kind").and_then(Value::as_str).unwrap_or_default();
        let (agree, of) =
            self.shares.entry(kind.split('.').next().unwrap_or_default().to_owned()).or_default();
        *agree += u64::from(played.difference.is_none());
        *of += 1;
    }
}

fn tell(stage: &Stage, season: &Season, stamp: &Stamp, sum: Sum, took: Duration) -> Result<bool> {
    if let Some(file) = &season.record {
        write(file, &sum.records)?;
        eprintln!("   all {} written to {}", sum.records.len(), file.display());
    }
    for (number, difference, _) in &sum.otherwise {
        eprintln!(
            "   {number} came out otherwise: {}",
            difference.words().lines().next().unwrap_or_default()
        );
    }
    let (mut saved, mut wrong) = (Vec::new(), 0_u64);
    for (at, (number, difference, record)) in sum.otherwise.into_iter().enumerate() {
        let counts = matches!(difference, Difference::RowsKnown(_)) || !season.in_passing;
        wrong += u64::from(counts);
        let (difference, record) = match at < SHRUNK {
            true => shrunk(stage, season.seed, stamp, number, difference, record),
            false => (difference, record),
        };
        let held = if counts { "" } else { " (told, not held against it here)" };
        eprintln!("\n── scenario {number} came out otherwise{held}: {}", difference.words());
        eprintln!("   task {}", record.get("task").unwrap_or(&Value::Null));
        let (seed, release) = (season.seed, &stage.release);
        eprintln!(
            "   to see it again: cargo xtask test --druid --version {release} --seed {seed} --number {number}"
        );
        saved.push(record);
    }
    if !saved.is_empty() {
        write(&season.mismatches, &saved)?;
        eprintln!("\n   written to {}", season.mismatches.display());
    }
    for (number, why) in &sum.broken {
        eprintln!("── scenario {number} could not be played: {why}");
    }
    for (number, why) in &sum.only_once {
        eprintln!("   {number} came out otherwise once, and as foreseen when done again: {why}");
    }
    let (agree, of) = sum.shares.values().fold((0, 0), |all, share| (all.0 + share.0, all.1 + share.1));
    for (family, (agree, of)) in &sum.shares {
        eprintln!("   {family}: {agree} of {of}");
    }
    let took = took.as_secs();
    eprintln!(
        "   as foreseen: {agree} of {of} on Druid {}, in {took} s (seed {})",
        stage.release, season.seed
    );
    if sum.cannot_be > 0 {
        eprintln!("   {} left out: Druid's own timeline refuses their past", sum.cannot_be);
    }
    Ok(wrong == 0 && sum.broken.is_empty() && of > 0)
}

/// Plays smaller and smaller scenarios as long as they still come out otherwise.
fn shrunk(
    stage: &Stage,
    seed: u64,
    stamp: &Stamp,
    number: u64,
    difference: Difference,
    record: Value,
) -> (Difference, Value) {
    let mut best = (scenario(seed, number), difference, record);
    let (begun, mut tries) = (Instant::now(), 0);
    'smaller: loop {
        for less in smaller(&best.0) {
            tries += 1;
            if begun.elapsed() > SHRINKING {
                break 'smaller;
            }
            if let Came::Played(played) = play(stage, &less, &stamp.name(seed, number, Some(tries)))
                && let Some(difference) = played.difference
            {
                best = (less, difference, played.record);
                continue 'smaller;
            }
        }
        break;
    }
    (best.1, best.2)
}

/// Tells the datasources of one run from those of another on the same cluster.
struct Stamp(u64);

impl Stamp {
    fn now() -> Stamp {
        Stamp(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % 1_000_000)
    }

    fn name(&self, seed: u64, number: u64, smaller: Option<usize>) -> String {
        let smaller = smaller.map(|at| format!("-{at}")).unwrap_or_default();
        format!("r{}-{seed}-{number}{smaller}", self.0)
    }
}

/// Writes recordings as the vectors are: JSON lines, packed, paths of this machine left out.
fn write(file: &Path, records: &[Value]) -> Result<()> {
    let context = || format!("cannot write {}", file.display());
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(context)?;
    }
    let mut packed = GzEncoder::new(File::create(file).with_context(context)?, Compression::best());
    for record in records {
        let mut record = record.clone();
        without_paths(&mut record);
        writeln!(packed, "{record}").with_context(context)?;
    }
    packed.finish().with_context(context)?;
    Ok(())
}

fn without_paths(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(text) if key == "path" || key == "baseDir" => *text = "…".to_owned(),
                    _ => without_paths(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(without_paths),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_recording_names_no_folder_of_the_machine_it_was_made_on() {
        let mut record = json!({
            "before": [{"loadSpec": {"type": "local", "path": "/home/x"}}],
            "task": {"spec": {"ioConfig": {"inputSource": {"baseDir": "/home/x", "filter": "*.json"}}}},
        });
        without_paths(&mut record);
        assert!(!record.to_string().contains("home"), "{record}");
        assert!(record.to_string().contains("*.json"));
    }
}
