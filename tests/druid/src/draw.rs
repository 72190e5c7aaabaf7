//! Random scenarios: a few days of data, cut and written in many ways, and one run over them.
//!
//! Days are chosen where calendars are odd: month ends, the turn of the year, both changes of New York's clock. Runs
//! over many chunks are not drawn: a year of hours is no other rule than a day of them, and takes minutes.

use druid::interval::Instant;
use serde_json::{Value, json};

use crate::dice::Dice;
use crate::scenario::{Compact, Deed, Load, Mode, Scenario, Source, Truncation};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Mondays and month ends around which everything of a scenario lies.
const SCENES: [(u64, (i64, i64, i64)); 6] = [
    (3, (2026, 3, 2)),
    (2, (2026, 1, 30)),
    (2, (2025, 12, 29)),
    (2, (2026, 3, 6)),
    (1, (2025, 10, 31)),
    (1, (2024, 2, 27)),
];

/// How time is cut: the JSON of it, about how long a chunk is, and where a chunk begins after midnight UTC.
#[derive(Clone)]
struct Cut {
    json: Value,
    length: i64,
    offset: i64,
}

fn named(name: &str, length: i64) -> Cut {
    Cut { json: json!(name), length, offset: 0 }
}

fn period(period: &str, zone: Option<&str>, length: i64, offset: i64) -> Cut {
    let json = match zone {
        Some(zone) => json!({"type": "period", "period": period, "timeZone": zone}),
        None => json!({"type": "period", "period": period}),
    };
    Cut { json, length, offset }
}

fn cuts() -> Vec<(u64, Cut)> {
    vec![
        (10, named("HOUR", HOUR)),
        (14, named("DAY", DAY)),
        (5, named("SIX_HOUR", 6 * HOUR)),
        (3, named("EIGHT_HOUR", 8 * HOUR)),
        (2, named("FIFTEEN_MINUTE", 15 * MINUTE)),
        (2, named("THIRTY_MINUTE", 30 * MINUTE)),
        (5, named("WEEK", 7 * DAY)),
        (4, named("MONTH", 30 * DAY)),
        (1, named("QUARTER", 91 * DAY)),
        (1, named("YEAR", 365 * DAY)),
        (2, period("PT4H", None, 4 * HOUR, 0)),
        (2, period("P2D", None, 2 * DAY, 0)),
        (1, period("PT12H", None, 12 * HOUR, 0)),
        (3, period("P1D", Some("America/New_York"), DAY, 5 * HOUR)),
        (3, period("P1D", Some("Asia/Kolkata"), DAY, 18 * HOUR + 30 * MINUTE)),
        (1, period("PT1H", Some("Asia/Kolkata"), HOUR, 30 * MINUTE)),
        (1, period("P1M", Some("Asia/Kolkata"), 30 * DAY, 18 * HOUR + 30 * MINUTE)),
        (1, period("P1W", Some("America/New_York"), 7 * DAY, 5 * HOUR)),
    ]
}

/// The scenario of that number under a seed.
pub(crate) fn scenario(seed: u64, number: u64) -> Scenario {
    let mut dice = Dice::of(seed, number);
    let (year, month, day) = *dice.weighed(&SCENES);
    let mut scene = Scene { dice, start: Instant::of_date(year, month, day).ms() };
    let deeds = *scene.dice.weighed(&[(1, 0_u32), (4, 1), (6, 2), (4, 3), (2, 4)]);
    let mut past: Vec<Deed> = (0..deeds).map(|_| scene.past()).collect();
    let run = scene.run();
    let kills = matches!(run, Deed::Kill(_));
    if !past.is_empty() && (kills || scene.dice.percent(14)) {
        for _ in 0..scene.dice.between(1, 2) {
            past.push(Deed::MarkUnused { which: scene.dice.below(1_000), whole: scene.dice.percent(40) });
        }
        if scene.dice.percent(25) {
            past.push(scene.past());
        }
    }
    Scenario { past, run }
}

struct Scene {
    dice: Dice,
    /// Midnight UTC of its first day.
    start: i64,
}

impl Scene {
    fn past(&mut self) -> Deed {
        let mode = *self.dice.weighed(&[(14, Mode::Overwrite), (4, Mode::Append), (3, Mode::Replace)]);
        let cut = self.dice.weighed(&cuts()).clone();
        let intervals =
            if mode == Mode::Replace || self.dice.percent(55) { self.spans(&cut, 1) } else { Vec::new() };
        let count = self.dice.between(1, 7);
        let rows = self.rows(&intervals, count);
        let partitions = self.dice.percent(50).then(|| self.dynamic());
        let context = self.dice.percent(8).then(|| json!({"useConcurrentLocks": true}));
        let (is_rolled_up, query_granularity) =
            if self.dice.percent(8) { self.rollup(&cut) } else { (false, Truncation::None) };
        Deed::Load(Load {
            is_simple: false,
            mode,
            segment_granularity: Some(cut.json),
            query_granularity,
            is_rolled_up,
            intervals: texts(&intervals),
            source: Source::Inline(rows),
            partitions,
            context,
        })
    }

    fn run(&mut self) -> Deed {
        let what = *self.dice.weighed(&[
            (30, What::Load(Mode::Replace)),
            (22, What::Load(Mode::Overwrite)),
            (30, What::Load(Mode::Append)),
            (10, What::Reindex),
            (14, What::Compact),
            (4, What::Kill),
            (3, What::Arbitrary),
        ]);
        match what {
            What::Load(mode) => Deed::Load(self.load(mode)),
            What::Reindex => Deed::Load(self.reindex()),
            What::Compact => Deed::Compact(self.compact()),
            What::Kill => {
                let span = self.span(&named("DAY", DAY), true);
                let wide = if self.dice.percent(50) { 15 * DAY } else { 0 };
                Deed::Kill(text((span.0 - wide, span.1 + wide)))
            }
            What::Arbitrary => {
                let mode = *self.dice.weighed(&[(2, Mode::Replace), (2, Mode::Overwrite), (1, Mode::Append)]);
                let mut load = self.load(mode);
                load.is_simple = false;
                load.segment_granularity = None;
                load.partitions = None;
                load.source = Source::Inline(load.source.rows());
                if load.intervals.is_empty() {
                    load.intervals = vec![text(self.span(&named("DAY", DAY), true))];
                }
                Deed::Load(load)
            }
        }
    }

    fn load(&mut self, mode: Mode) -> Load {
        let is_all = self.dice.percent(5);
        let cut = if is_all { named("ALL", 2 * DAY) } else { self.dice.weighed(&cuts()).clone() };
        let most = *self.dice.weighed(&[(70, 1_u32), (20, 2), (10, 3)]);
        let given = mode == Mode::Replace || self.dice.percent(if mode == Mode::Append { 65 } else { 75 });
        let intervals = if given { self.spans(&cut, most) } else { Vec::new() };
        let count = if self.dice.percent(14) { 0 } else { self.dice.between(1, 8) };
        let rows = self.rows(&intervals, count);
        let is_simple = self.dice.percent(9);
        let source = if self.dice.percent(24) {
            let at = usize::try_from(self.dice.below(rows.len() as u64 + 1)).unwrap_or_default();
            let (first, second) = rows.split_at(at.min(rows.len()));
            Source::Files(vec![first.to_vec(), second.to_vec()])
        } else {
            Source::Inline(rows)
        };
        let partitions = self.partitions(mode, matches!(source, Source::Files(_)) && !is_simple);
        let (is_rolled_up, query_granularity) =
            if self.dice.percent(12) { self.rollup(&cut) } else { (false, Truncation::None) };
        Load {
            is_simple,
            mode,
            segment_granularity: Some(cut.json),
            query_granularity,
            is_rolled_up,
            intervals: texts(&intervals),
            source,
            partitions,
            context: self.context(mode),
        }
    }

    fn reindex(&mut self) -> Load {
        let mode = *self.dice.weighed(&[(3, Mode::Replace), (3, Mode::Overwrite), (2, Mode::Append)]);
        let mut load = self.load(mode);
        let cut = named("DAY", DAY);
        let span = if self.dice.percent(50) {
            (self.start - 20 * DAY, self.start + 40 * DAY)
        } else {
            self.span(&cut, false)
        };
        load.is_simple = false;
        load.is_rolled_up = false;
        load.query_granularity = Truncation::None;
        load.source = Source::Itself(text(span));
        // How a parallel reindex splits its segments is not known here; one split is drawn as sequential.
        let hash = load.partitions.take().filter(|spec| matches!(kind(spec), "dynamic" | "hashed"));
        load.partitions = hash;
        load
    }

    fn compact(&mut self) -> Compact {
        let cut = self.dice.weighed(&cuts()).clone();
        let segment_granularity = self.dice.percent(70).then(|| cut.json.clone());
        let drops = self.dice.percent(25);
        let may_be_unaligned = self.dice.percent(12);
        let is_odd = self.dice.percent(25);
        let interval = match self.dice.below(4) {
            0 => (self.start - 40 * DAY, self.start + 60 * DAY),
            _ => self.span(&cut, is_odd),
        };
        let tuning = self.dice.percent(35).then(|| {
            let partitions = *self.dice.weighed(&[
                (4, r#"{"type":"dynamic","maxRowsPerSegment":2}"#),
                (1, r#"{"type":"hashed","numShards":2}"#),
                (1, r#"{"type":"range","partitionDimensions":["page"],"targetRowsPerSegment":2}"#),
            ]);
            let partitions: Value = serde_json::from_str(partitions).unwrap_or_default();
            let mut tuning = json!({"type": "index_parallel", "partitionsSpec": partitions});
            if let Some(tuning) = tuning.as_object_mut().filter(|_| kind(&partitions) != "dynamic") {
                tuning.insert("forceGuaranteedRollup".to_owned(), json!(true));
                if kind(&partitions) == "range" {
                    tuning.insert("maxNumConcurrentSubTasks".to_owned(), json!(2));
                }
            }
            tuning
        });
        let context = self.dice.percent(15).then(|| json!({"useConcurrentLocks": true}));
        Compact { interval: text(interval), segment_granularity, drops, may_be_unaligned, tuning, context }
    }

    fn dynamic(&mut self) -> Value {
        json!({"type": "dynamic", "maxRowsPerSegment": self.dice.between(1, 3)})
    }

    fn partitions(&mut self, mode: Mode, is_split: bool) -> Option<Value> {
        // Append takes dynamic alone; now and then it is asked for what it refuses.
        let (hash, range) = match (mode, is_split) {
            (Mode::Append, _) => (2, 1),
            (_, true) => (18, 18),
            (_, false) => (12, 2),
        };
        match *self.dice.weighed(&[
            (50, "none"),
            (30, "dynamic"),
            (hash, "hashed"),
            (range, "range"),
            (range / 2, "single_dim"),
        ]) {
            "dynamic" => Some(self.dynamic()),
            "hashed" if self.dice.percent(50) => {
                Some(json!({"type": "hashed", "numShards": self.dice.between(1, 3)}))
            }
            "hashed" => Some(json!({"type": "hashed", "targetRowsPerSegment": 2})),
            "range" => {
                Some(json!({"type": "range", "partitionDimensions": ["page"], "targetRowsPerSegment": 2}))
            }
            "single_dim" => {
                Some(json!({"type": "single_dim", "partitionDimension": "page", "targetRowsPerSegment": 2}))
            }
            _ => None,
        }
    }

    fn context(&mut self, mode: Mode) -> Option<Value> {
        let locks: &[(u64, &str)] = match mode {
            Mode::Append => &[(3, "APPEND"), (1, "SHARED"), (1, "EXCLUSIVE"), (1, "REPLACE")],
            _ => &[(3, "REPLACE"), (1, "EXCLUSIVE"), (1, "APPEND")],
        };
        match *self.dice.weighed(&[(66, 0), (16, 1), (10, 2), (3, 3), (3, 4), (2, 5)]) {
            1 => Some(json!({"useConcurrentLocks": true})),
            2 => Some(json!({"taskLockType": self.dice.weighed(locks)})),
            3 => Some(json!({"useSharedLock": true})),
            4 => Some(json!({"useConcurrentLocks": "true"})),
            5 => Some(json!({"forceTimeChunkLock": true, "priority": 60})),
            _ => None,
        }
    }

    /// Rolled up, with times cut no coarser than the chunks.
    fn rollup(&mut self, cut: &Cut) -> (bool, Truncation) {
        let coarsest = if cut.length >= 4 * HOUR { 3 } else { 2 };
        let truncation = match self.dice.below(coarsest) {
            0 => Truncation::None,
            1 => Truncation::Minute,
            _ => Truncation::Hour,
        };
        (true, truncation)
    }

    /// One to `most` stretches; they may overlap, touch, or lie apart.
    fn spans(&mut self, cut: &Cut, most: u32) -> Vec<(i64, i64)> {
        let is_odd = self.dice.percent(30);
        (0..most).map(|_| self.span(cut, is_odd)).collect()
    }

    /// A stretch of a few chunks near the scene; an odd one begins and ends anywhere.
    fn span(&mut self, cut: &Cut, is_odd: bool) -> (i64, i64) {
        let unit = cut.length.min(7 * DAY);
        let day = self.start + self.dice.between(0, 6) * DAY + cut.offset;
        let start =
            if cut.length < DAY { day + self.dice.between(0, (DAY / unit - 1).max(0)) * unit } else { day };
        let longest = if cut.length < HOUR {
            8
        } else if cut.length < DAY {
            10
        } else {
            4
        };
        let end = start + self.dice.between(1, longest) * unit.min(2 * DAY);
        if !is_odd {
            return (start, end);
        }
        let (shift, more) =
            (self.dice.between(-20 * 60, 20 * 60) * MINUTE, self.dice.between(1, 36 * 60) * MINUTE);
        match self.dice.below(3) {
            0 => (start + shift, end + shift),
            1 => (start, start + more),
            _ => (start + shift, start + shift + more),
        }
    }

    fn rows(&mut self, intervals: &[(i64, i64)], count: i64) -> Vec<Option<i64>> {
        let whole = (self.start - DAY, self.start + 9 * DAY);
        let within = |dice: &mut Dice, (start, end): (i64, i64)| {
            let at = dice.between(start, end - 1);
            if dice.percent(40) { at.div_euclid(MINUTE) * MINUTE } else { at }
        };
        (0..count)
            .map(|_| {
                if self.dice.percent(3) {
                    return None;
                }
                let near = intervals
                    .get(usize::try_from(self.dice.below(intervals.len() as u64)).unwrap_or_default());
                let span = match near {
                    Some(span) if self.dice.percent(80) => *span,
                    _ => whole,
                };
                Some(within(&mut self.dice, span))
            })
            .collect()
    }
}

#[derive(Clone, Copy)]
enum What {
    Load(Mode),
    Reindex,
    Compact,
    Kill,
    Arbitrary,
}

fn kind(partitions: &Value) -> &str {
    partitions.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn texts(spans: &[(i64, i64)]) -> Vec<String> {
    spans.iter().map(|span| text(*span)).collect()
}

/// An interval in one of the spellings that Druid reads.
fn text((start, end): (i64, i64)) -> String {
    let length = end - start;
    let from = Instant::from_ms(start);
    match (start / MINUTE) % 3 {
        0 if length % DAY == 0 => format!("{from}/P{}D", length / DAY),
        1 if length % HOUR == 0 => format!("{from}/PT{}H", length / HOUR),
        _ => format!("{from}/{}", Instant::from_ms(end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_seed_and_a_number_always_name_the_same_scenario() {
        let shown = |seed, number| format!("{:?}", scenario(seed, number));
        assert_eq!(shown(5, 17), shown(5, 17));
        assert_ne!(shown(5, 17), shown(5, 18));
    }

    #[test]
    fn a_few_hundred_scenarios_hold_every_native_kind_of_run() {
        let kinds: BTreeSet<String> = (0..800).map(|number| scenario(1, number).run.kind()).collect();
        for kind in [
            "replace.plain",
            "replace.parallel",
            "replace.hashed",
            "replace.range",
            "replace.timezone",
            "replace.empty",
            "overwrite.plain",
            "overwrite.none",
            "overwrite.multi",
            "overwrite.rollup",
            "append.plain",
            "append.parallel",
            "append.locks",
            "append.none",
            "append.index",
            "reindex.replace",
            "reindex.overwrite",
            "reindex.append",
            "compact.plain",
            "compact.drop",
            "compact.granularity",
            "compact.unaligned",
            "compact.locks",
            "kill.unused",
            "arbitrary.replace",
            "arbitrary.append",
        ] {
            assert!(kinds.contains(kind), "{kind} is not among {kinds:?}");
        }
    }

    #[test]
    fn no_stretch_is_empty_or_turned_round() {
        for number in 0..800 {
            let Deed::Load(load) = scenario(2, number).run else { continue };
            for interval in load.intervals {
                assert!(
                    druid::interval::Interval::parse(&interval).is_ok_and(|it| it.duration_ms() > 0),
                    "{interval}"
                );
            }
        }
    }
}
