//! Small situations written down as text: segments one a line, a spec by what differs from a plain one.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    dead_code,
    reason = "a fixture that cannot be read must fail the test"
)]

use backfill::check::{Finding, Surroundings, Verdict, findings_among};
use backfill::forecast::{Basis, Forecast, Known, Question, RowsFrom, Running, forecast};
use backfill::task_id::TaskId;
use druid::ingest::Rows;
use druid::interval::{Instant, Interval};
use druid::json::{Document, Edit, Path};
use druid::lock::{Held, LockType};
use druid::release::Release;
use druid::segment::{Segment, SegmentSet, ShardSpec, UnusedSegment};
use druid::spec::Task;
use druid::timeline::Timeline;
use druid::zone::Tzdb;
use serde_json::json;

/// The datasource of every situation.
pub(crate) const DATASOURCE: &str = "events_web";

pub(crate) fn interval(text: &str) -> Interval {
    Interval::parse(text).unwrap()
}

/// Everything a question needs, owned.
pub(crate) struct Ground {
    pub(crate) set: SegmentSet,
    pub(crate) timeline: Timeline,
    pub(crate) task: Task,
    pub(crate) known: Known,
    pub(crate) release: Release,
    pub(crate) now: Instant,
    pub(crate) locks: Vec<Held>,
    pub(crate) running: Vec<Running>,
    pub(crate) unused: Vec<UnusedSegment>,
    pub(crate) around: Surroundings,
    /// The version that the id is made from; none: the document's own id.
    pub(crate) id: Option<TaskId>,
}

impl Ground {
    /// Segments one a line, `INTERVAL VERSION [ROWS] [MARK…]`, where a version is `v1` to `v9` or a text, and a mark is `tombstone`, `parts=N` (core partitions),
    /// `missing` (the last of them is not there), or `appended` (no core partitions). No task yet: an overwrite of HOUR
    /// chunks without intervals.
    pub(crate) fn of(segments: &str) -> Ground {
        let segments: Vec<Segment> =
            segments.lines().map(str::trim).filter(|line| !line.is_empty()).flat_map(holder).collect();
        let set = SegmentSet::of(DATASOURCE, &segments);
        Ground {
            timeline: Timeline::build(&set).unwrap(),
            set,
            task: read(&plain()),
            known: Known::default(),
            release: Release::major(33),
            now: Instant::parse("2026-11-30T12:00:00Z").unwrap(),
            locks: Vec::new(),
            running: Vec::new(),
            unused: Vec::new(),
            around: Surroundings::default(),
            id: None,
        }
    }

    /// The plain spec with these changes: `path = json`, one a line.
    pub(crate) fn spec(mut self, changes: &str) -> Ground {
        let mut document = plain();
        for line in changes.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (path, value) = line.split_once(" = ").unwrap_or_else(|| panic!("no \" = \" in {line}"));
            let path = Path::parse(&full(path)).unwrap();
            let edit =
                if value == "nothing" { Edit::Remove(path) } else { Edit::Set(path, value.to_owned()) };
            document = document.apply(&document.edit(&edit).unwrap()).unwrap();
        }
        self.task = read(&document);
        self
    }

    /// Another task altogether, as JSON.
    pub(crate) fn task(mut self, json: &str) -> Ground {
        self.task = read(&Document::parse(json));
        self
    }

    /// A mark call: its type and the rest of its members.
    pub(crate) fn mark(self, kind: &str, members: &str) -> Ground {
        self.task(&format!(r#"{{"type":"{kind}","dataSource":"{DATASOURCE}",{members}}}"#))
    }

    pub(crate) fn known(mut self, basis: Basis) -> Ground {
        self.known = Known::only(basis);
        self
    }

    /// Known rows, in one split.
    pub(crate) fn rows(mut self, rows: &[&str]) -> Ground {
        let rows = Rows { splits: vec![rows.iter().map(|row| Instant::parse(row).unwrap()).collect()] };
        self.known = Known::only(Basis::Rows { rows, from: RowsFrom::List, exact: true });
        self
    }

    pub(crate) fn release(mut self, major: u32) -> Ground {
        self.release = Release::major(major);
        self
    }

    pub(crate) fn lock(mut self, task: &str, kind: LockType, on: &str, priority: i64) -> Ground {
        self.locks.push(Held {
            task_id: Some(task.to_owned()),
            group_id: task.to_owned(),
            kind,
            interval: interval(on),
            version: "2026-11-30T11:00:00.000Z".to_owned(),
            priority,
            revoked: false,
        });
        self
    }

    /// A task of the datasource that runs; with no intervals nobody knows where.
    pub(crate) fn running(mut self, id: &str, kind: &str, on: &[&str]) -> Ground {
        let intervals = on.iter().map(|text| interval(text)).collect();
        self.running.push(Running {
            id: id.to_owned(),
            kind: kind.to_owned(),
            intervals,
            waits: false,
            priority: None,
        });
        self
    }

    pub(crate) fn unused(mut self, ids: &[&str]) -> Ground {
        self.unused = ids.iter().map(|id| UnusedSegment::named(*id)).collect();
        self
    }

    /// Unused segments, written as the used ones are.
    pub(crate) fn unused_segments(mut self, segments: &str) -> Ground {
        let lines = segments.lines().map(str::trim).filter(|line| !line.is_empty());
        self.unused = lines.flat_map(holder).map(UnusedSegment::from).collect();
        self
    }

    /// What is known of the cluster.
    pub(crate) fn around(mut self, change: impl FnOnce(&mut Surroundings)) -> Ground {
        change(&mut self.around);
        self
    }

    pub(crate) fn question(&self) -> Question<'_> {
        Question {
            segments: &self.set,
            timeline: &self.timeline,
            task: &self.task,
            known: &self.known,
            release: self.release,
            now: self.now,
            locks: &self.locks,
            running: &self.running,
            unused: Some(&self.unused),
            id: self.id.as_ref(),
        }
    }

    pub(crate) fn forecast(&self) -> Forecast {
        forecast(&self.question())
    }

    pub(crate) fn findings(&self) -> Vec<Finding> {
        findings_among(&self.question(), &self.forecast(), &self.around)
    }

    /// The findings of one check.
    pub(crate) fn check(&self, name: &str) -> Vec<Finding> {
        self.findings().into_iter().filter(|finding| finding.check == name).collect()
    }

    /// Verdict and title of the only finding of a check.
    #[track_caller]
    pub(crate) fn says(&self, name: &str) -> (Verdict, String) {
        match self.check(name).as_slice() {
            [only] => (only.verdict, only.title.clone()),
            other => panic!("{name} has {} findings: {other:#?}", other.len()),
        }
    }

    /// The same situation after a fix of a finding.
    pub(crate) fn fixed(mut self, finding: &Finding, label: &str) -> Ground {
        let fix = finding.fixes.iter().find(|fix| fix.label == label).unwrap_or_else(|| {
            panic!(
                "no fix {label} among {:?}",
                finding.fixes.iter().map(|fix| &fix.label).collect::<Vec<_>>()
            )
        });
        let mut document = self.task.document.clone();
        for edit in &fix.edits {
            document = document.apply(&document.edit(edit).unwrap()).unwrap();
        }
        self.task = read(&document);
        self
    }
}

fn read(document: &Document) -> Task {
    Task::read(document, &Tzdb::default())
}

/// Short names of places in a spec.
fn full(path: &str) -> String {
    let places = [
        ("granularitySpec", "spec.dataSchema.granularitySpec"),
        ("ioConfig", "spec.ioConfig"),
        ("tuningConfig", "spec.tuningConfig"),
        ("intervals", "spec.dataSchema.granularitySpec.intervals"),
        ("segmentGranularity", "spec.dataSchema.granularitySpec.segmentGranularity"),
        ("inputSource", "spec.ioConfig.inputSource"),
        ("dropExisting", "spec.ioConfig.dropExisting"),
        ("appendToExisting", "spec.ioConfig.appendToExisting"),
        ("partitionsSpec", "spec.tuningConfig.partitionsSpec"),
    ];
    let first = path.split(['.', '[']).next().unwrap();
    match places.iter().find(|(short, _)| *short == first) {
        Some((short, long)) => format!("{long}{}", path.strip_prefix(short).unwrap()),
        None => path.to_owned(),
    }
}

fn plain() -> Document {
    let spec = json!({
        "type": "index_parallel",
        "id": "idx_events_web_0123456789ab",
        "spec": {
            "dataSchema": {
                "dataSource": DATASOURCE,
                "timestampSpec": {"column": "ts", "format": "iso"},
                "dimensionsSpec": {"dimensions": ["page"]},
                "metricsSpec": [],
                "granularitySpec": {
                    "type": "uniform", "segmentGranularity": "HOUR", "queryGranularity": "NONE", "rollup": false
                }
            },
            "ioConfig": {
                "type": "index_parallel",
                "inputSource": {"type": "local", "baseDir": "/in", "filter": "*.json"},
                "inputFormat": {"type": "json"}
            },
            "tuningConfig": {"type": "index_parallel"}
        }
    });
    Document::parse(serde_json::to_string_pretty(&spec).unwrap())
}

fn holder(line: &str) -> Vec<Segment> {
    let mut words = line.split_whitespace();
    let interval = interval(words.next().unwrap());
    // `v2` is a version of February, below the clock of every situation.
    let version = match words.next().unwrap() {
        v if v.starts_with('v') => format!("2026-0{}-01T00:00:00.000Z", &v[1..]),
        version => version.to_owned(),
    };
    let (mut rows, mut core, mut missing, mut tombstone, mut appended) = (None, 1, false, false, false);
    for word in words {
        match word {
            "tombstone" => tombstone = true,
            "missing" => missing = true,
            "appended" => appended = true,
            _ => match word.strip_prefix("parts=") {
                Some(parts) => core = parts.parse().unwrap(),
                None => rows = Some(word.parse().unwrap()),
            },
        }
    }
    let segment = |shard: ShardSpec, rows: Option<u64>| {
        let mut segment = Segment::new(DATASOURCE, interval, &version, shard);
        segment.rows = rows;
        segment
    };
    if tombstone {
        return vec![segment(ShardSpec::Tombstone, Some(0))];
    }
    let there = if missing { core - 1 } else { core };
    let written_core = if appended { 0 } else { core };
    (0..there)
        .map(|partition| {
            let share = rows.filter(|_| partition == 0).or(rows.map(|_| 0));
            segment(ShardSpec::Numbered { partition, core: written_core }, share)
        })
        .collect()
}
