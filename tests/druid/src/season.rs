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
}

/// How one scenario came out.
enum Came {
    Played(Box<Played>),
    /// Its past cannot be: Druid refuses the set.
    CannotBe,
    /// It could not be played: the cluster did not do what it was asked.
    Broken(String),
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
                    let came =
                        play(stage, &scenario(season.seed, number), &stamp.name(season.seed, number, None));
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
    tell(stage, season, &stamp, all, took)
}

fn play(stage: &Stage, scenario: &Scenario, name: &str) -> Came {
    match stage.play(scenario, name) {
        Ok(Some(played)) => Came::Played(Box::new(played)),
        Ok(None) => Came::CannotBe,
        Err(error) => Came::Broken(format!("{error:#}")),
    }
}

fn tell(
    stage: &Stage,
    season: &Season,
    stamp: &Stamp,
    all: Vec<(u64, Came)>,
    took: Duration,
) -> Result<bool> {
    let mut shares: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let (mut records, mut otherwise, mut cannot_be, mut broken) = (Vec::new(), Vec::new(), 0_u64, Vec::new());
    for (number, came) in all {
        match came {
            Came::Played(played) => {
                let kind = played.record.get("kind").and_then(Value::as_str).unwrap_or_default();
                let share = shares.entry(kind.split('.').next().unwrap_or_default().to_owned()).or_default();
                share.1 += 1;
                share.0 += u64::from(played.difference.is_none());
                records.push(played.record.clone());
                if let Some(difference) = played.difference {
                    otherwise.push((number, difference, played.record));
                }
            }
            Came::CannotBe => cannot_be += 1,
            Came::Broken(why) => broken.push((number, why)),
        }
    }
    if let Some(file) = &season.record {
        write(file, &records)?;
        eprintln!("   all {} written to {}", records.len(), file.display());
    }
    for (number, difference, _) in &otherwise {
        eprintln!("   {number} came out otherwise: {}", difference.lines().next().unwrap_or_default());
    }
    let mut saved = Vec::new();
    for (at, (number, difference, record)) in otherwise.into_iter().enumerate() {
        let (difference, record) = match at < SHRUNK {
            true => shrunk(stage, season.seed, stamp, number, difference, record),
            false => (difference, record),
        };
        eprintln!("\n── scenario {number} came out otherwise: {difference}");
        eprintln!("   task {}", record.get("task").unwrap_or(&Value::Null));
        eprintln!("   to see it again: cargo xtask test --druid --seed {} --number {number}", season.seed);
        saved.push(record);
    }
    if !saved.is_empty() {
        write(&season.mismatches, &saved)?;
        eprintln!("\n   written to {}", season.mismatches.display());
    }
    for (number, why) in &broken {
        eprintln!("── scenario {number} could not be played: {why}");
    }
    let (agree, of) = shares.values().fold((0, 0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
    for (family, (agree, of)) in &shares {
        eprintln!("   {family}: {agree} of {of}");
    }
    eprintln!(
        "   as foreseen: {agree} of {of} on Druid {}, in {} s (seed {})",
        stage.release,
        took.as_secs(),
        season.seed
    );
    if cannot_be > 0 {
        eprintln!("   {cannot_be} left out: Druid's own timeline refuses their past");
    }
    Ok(agree == of && broken.is_empty() && of > 0)
}

/// Plays smaller and smaller scenarios as long as they still come out otherwise.
fn shrunk(
    stage: &Stage,
    seed: u64,
    stamp: &Stamp,
    number: u64,
    difference: String,
    record: Value,
) -> (String, Value) {
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
