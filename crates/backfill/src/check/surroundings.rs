//! What is known of the cluster beside the datasource's segments, locks and tasks: for the rules that need it.
//!
//! What always holds: what nobody looked at is none, and a rule that needs it says nothing.

use druid::answer::Worker;
use druid::granularity::Granularity;
use druid::interval::{Instant, Interval, Period};
use druid::json::Path;
use druid::zone::Zones;
use serde_json::Value;

/// The cluster around a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Surroundings {
    /// The datasource's automatic compaction, where there is one.
    pub compaction: Option<AutoCompaction>,
    /// Worker slots.
    pub slots: Option<Slots>,
    /// How many runs like this one are to be under way at once.
    pub runs_at_once: u64,
    /// The id that the run would get was made from other content before: when that was sent, in words.
    pub id_taken: Option<String>,
    /// The version in the id is derived from the content: the places that are left out of it.
    pub left_out_of_id: Option<Vec<Path>>,
    /// The datasource's retention rules, the first that fits counts; the cluster's defaults are at the end.
    pub retention: Vec<Retention>,
}

impl Default for Surroundings {
    fn default() -> Surroundings {
        Surroundings {
            compaction: None,
            slots: None,
            runs_at_once: 1,
            id_taken: None,
            left_out_of_id: None,
            retention: Vec::new(),
        }
    }
}

/// An automatic compaction config (`DataSourceCompactionConfig`), as far as it matters for a run.
#[derive(Clone, Debug, PartialEq)]
pub struct AutoCompaction {
    /// `granularitySpec.segmentGranularity`
    pub segment_granularity: Option<Granularity>,
    /// `ioConfig.dropExisting`
    pub drop_existing: bool,
    /// `taskContext.useConcurrentLocks`
    pub concurrent: bool,
}

impl AutoCompaction {
    /// Reads a config as the Coordinator or the Overlord gives it, or an `autocompact` supervisor around it.
    pub fn of(config: &Value, zones: &dyn Zones) -> AutoCompaction {
        let config = config.get("spec").unwrap_or(config);
        let at = |pointer: &str| config.pointer(pointer).filter(|value| !value.is_null());
        let is_true = |value: Option<&Value>| value.is_some_and(|value| *value == true || *value == "true");
        AutoCompaction {
            segment_granularity: at("/granularitySpec/segmentGranularity")
                .and_then(|value| Granularity::from_json(value, zones).ok()),
            drop_existing: is_true(at("/ioConfig/dropExisting")),
            concurrent: is_true(at("/taskContext/useConcurrentLocks")),
        }
    }
}

/// Slots of all workers together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    /// All.
    pub capacity: u64,
    /// Those in use now.
    pub used: u64,
}

impl Slots {
    /// Those of these workers.
    pub fn of(workers: &[Worker]) -> Slots {
        workers.iter().fold(Slots::default(), |sum, worker| Slots {
            capacity: sum.capacity.saturating_add(worker.capacity),
            used: sum.used.saturating_add(worker.used),
        })
    }
}

/// A retention rule (`Rule`), as far as it says what is dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Retention {
    /// Whether what it covers is dropped; otherwise it is kept.
    pub drops: bool,
    /// What it covers.
    pub covers: Covers,
    /// Its `type`.
    pub name: String,
}

/// Which segments a retention rule is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Covers {
    /// All of them.
    Everything,
    /// Those that lie in an interval.
    Within(Interval),
    /// Those of the last while, the future included where the rule says so.
    Last(Period, bool),
    /// Those from before the last while.
    Before(Period),
}

impl Retention {
    /// The rule that drops a segment of this interval: the first that is about it, where that drops.
    pub fn dropping(rules: &[Retention], segment: Interval, now: Instant) -> Option<&Retention> {
        rules.iter().find(|rule| rule.applies(segment, now)).filter(|rule| rule.drops)
    }

    /// The instants at which what it is about begins or ends: segments between two of them are treated alike.
    pub fn edges(&self, now: Instant) -> Vec<Instant> {
        match &self.covers {
            Covers::Everything => Vec::new(),
            Covers::Within(within) => vec![within.start, within.end],
            Covers::Last(period, _) => vec![period.add_utc(now, -1), now],
            Covers::Before(period) => vec![period.add_utc(now, -1)],
        }
    }

    /// Reads the rules as `GET /druid/coordinator/v1/rules/{datasource}?full=true` gives them; those of unknown kinds
    /// are left out.
    pub fn list(rules: &Value) -> Vec<Retention> {
        rules.as_array().into_iter().flatten().filter_map(Retention::of).collect()
    }

    fn of(rule: &Value) -> Option<Retention> {
        let name = rule.get("type")?.as_str()?;
        let (drops, kind) = match (name.strip_prefix("drop"), name.strip_prefix("load")) {
            (Some(kind), _) => (true, kind),
            (_, Some(kind)) => (false, kind),
            // broadcastForever, broadcastByPeriod: kept as well.
            _ => (false, name.strip_prefix("broadcast")?),
        };
        let period = || Period::parse(rule.get("period")?.as_str()?).ok();
        let future = rule.get("includeFuture").and_then(Value::as_bool).unwrap_or(true);
        let covers = match kind {
            "Forever" => Covers::Everything,
            "ByInterval" => Covers::Within(Interval::parse(rule.get("interval")?.as_str()?).ok()?),
            "ByPeriod" => Covers::Last(period()?, future),
            "BeforeByPeriod" => Covers::Before(period()?),
            _ => return None,
        };
        Some(Retention { drops, covers, name: name.to_owned() })
    }

    /// Whether it is about a segment of this interval at this moment (`PeriodLoadRule`, `PeriodDropRule`,
    /// `IntervalLoadRule`, `PeriodDropBeforeRule`; `Rules.eligibleForLoad`).
    pub fn applies(&self, interval: Interval, now: Instant) -> bool {
        match &self.covers {
            Covers::Everything => true,
            Covers::Within(within) if self.drops => within.contains(interval),
            Covers::Within(within) => within.overlaps(interval),
            Covers::Last(period, future) => {
                let start = period.add_utc(now, -1);
                let last = Interval { start, end: if *future { Instant::MAX } else { now } };
                if self.drops { last.contains(interval) } else { last.overlaps(interval) }
            }
            Covers::Before(period) => interval.end <= period.add_utc(now, -1),
        }
    }
}
