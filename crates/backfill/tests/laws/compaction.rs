//! Compaction: its rows are those of the visible segments, so they are drawn inside these.

use std::collections::BTreeMap;

use backfill::forecast::{Basis, Known, Outcome, RowsFrom};
use druid::ingest::Rows;
use druid::interval::Instant;
use proptest::prelude::*;

use crate::drawn::{CHUNKS, segments};
use crate::ground::Ground;
use crate::{excused, in_no_world_as_far_as_listed};

/// A compaction, and where in each segment holder its rows lie: shares of a thousand of its length.
#[derive(Clone, Debug)]
struct Compaction {
    segments: String,
    task: String,
    release: u32,
    rows: Vec<Vec<u32>>,
}

fn compaction() -> impl Strategy<Value = Compaction> {
    let granularity = prop_oneof![
        2 => Just(String::new()),
        6 => proptest::sample::select(&["HOUR", "DAY", "EIGHT_HOUR", "MONTH", "FIFTEEN_MINUTE", "WEEK"][..])
            .prop_map(|name| format!(r#","granularitySpec":{{"segmentGranularity":"{name}"}}"#)),
    ];
    let asked = proptest::sample::select(CHUNKS);
    let tuning = prop_oneof![
        3 => Just(""),
        1 => Just(
            r#","tuningConfig":{"type":"index_parallel","forceGuaranteedRollup":true,"maxNumConcurrentSubTasks":2,"partitionsSpec":{"type":"range","partitionDimensions":["page"],"targetRowsPerSegment":9}}"#
        ),
    ];
    let flags = (any::<bool>(), any::<bool>());
    let rows = proptest::collection::vec(proptest::collection::vec(0u32..1_000, 1..4), 5);
    let release = prop_oneof![Just(33), Just(37)];
    (segments(), granularity, asked, tuning, flags, rows, release).prop_map(
        |(segments, granularity, asked, tuning, (drops, unaligned), rows, release)| {
            let task = format!(
                r#"{{"type":"compact","id":"compact_it","dataSource":"events_web","ioConfig":{{"type":"compact","inputSpec":{{"type":"interval","interval":"{asked}"}},"dropExisting":{drops},"allowNonAlignedInterval":{unaligned}}}{granularity}{tuning}}}"#
            );
            Compaction { segments, task, release, rows }
        },
    )
}

impl Compaction {
    fn ground(&self) -> Ground {
        Ground::of(&self.segments).task(&self.task).release(self.release)
    }

    /// Every row that a query would see: those of each data holder that lie where it is visible.
    fn visible_rows(&self, ground: &Ground) -> Vec<Instant> {
        let mut visible = Vec::new();
        let data = ground.timeline.holders().filter(|holder| !holder.tombstone);
        for (holder, shares) in data.zip(self.rows.iter().cycle()) {
            for share in shares {
                let offset = holder.interval.duration_ms() * i64::from(*share) / 1_000;
                let row = Instant::from_ms(holder.interval.start.ms() + offset);
                let served = ground
                    .timeline
                    .visible()
                    .iter()
                    .any(|piece| piece.holder == holder.id && piece.interval.contains_instant(row));
                visible.extend(served.then_some(row));
            }
        }
        visible
    }
}

/// Why what happens lies in no world; none when it does.
fn in_no_world(case: &Compaction, known: bool) -> Option<String> {
    let mut ground = case.ground();
    let visible = case.visible_rows(&ground);
    let rows = Rows { splits: vec![visible.clone()] };
    if known {
        ground.known = Known::only(Basis::Rows { rows: rows.clone(), from: RowsFrom::List, exact: true });
    }
    let reason = excused(&ground.forecast(), in_no_world_as_far_as_listed(&ground, &rows));
    reason.map(|reason| format!("{reason}, rows {visible:?}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_rows_the_segments_hold_a_compaction_lies_in_a_world(case in compaction()) {
        let reason = in_no_world(&case, false);
        prop_assert!(reason.is_none(), "{}", reason.unwrap_or_default());
    }

    #[test]
    fn with_the_visible_rows_known_a_compaction_lies_in_a_world_still(case in compaction()) {
        let reason = in_no_world(&case, true);
        prop_assert!(reason.is_none(), "{}", reason.unwrap_or_default());
    }

    #[test]
    fn what_a_compaction_does_to_a_chunk_is_open_only_where_rows_may_fall_either_way(case in compaction()) {
        let ground = case.ground();
        let forecast = ground.forecast();
        let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
        for world in &forecast.worlds {
            *outcomes.entry(world.outcome.name()).or_default() += 1;
            for fate in world.fates.iter().filter(|fate| !fate.kind.is_certain()) {
                prop_assert!(world.under(fate).iter().any(|piece| piece.holds_data), "{fate:?}");
            }
        }
        prop_assert!(!forecast.worlds.is_empty() && !outcomes.contains_key(Outcome::Refused.name()));
    }
}
