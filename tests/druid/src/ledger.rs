//! Which rows lie in which segments: known because every row was sent by us.

use std::collections::BTreeMap;

use druid::interval::{Instant, Interval};
use serde_json::Value;

use crate::scenario::Load;

/// A holder by its interval and version.
type Name = (String, String);

/// What each holder of a datasource contains.
#[derive(Default)]
pub(crate) struct Ledger {
    holders: BTreeMap<Name, Vec<i64>>,
    /// Holders of which it is no longer known what they contain.
    blurred: Vec<Name>,
}

fn name(segment: &Value) -> Option<Name> {
    let text = |key: &str| segment.get(key).and_then(Value::as_str).map(str::to_owned);
    Some((text("interval")?, text("version")?))
}

fn id(segment: &Value) -> Option<&str> {
    segment.get("identifier").and_then(Value::as_str)
}

impl Ledger {
    /// Takes down where the rows of a load went, from the segments that are new.
    pub(crate) fn enter(&mut self, load: &Load, before: &[Value], after: &[Value]) {
        let mut new: Vec<Name> = after
            .iter()
            .filter(|segment| before.iter().all(|old| id(old) != id(segment)))
            .filter_map(name)
            .collect();
        new.sort();
        new.dedup();
        for at in load.source.rows().into_iter().flatten() {
            let takers: Vec<(&Name, Interval)> = new
                .iter()
                .filter_map(|name| Some((name, Interval::parse(&name.0).ok()?)))
                .filter(|(_, interval)| interval.contains_instant(Instant::from_ms(at)))
                .collect();
            match takers.as_slice() {
                [] => {}
                [(name, interval)] => {
                    let stored = load.query_granularity.stored(at, interval.start.ms());
                    self.holders.entry((*name).clone()).or_default().push(stored);
                }
                several => self.blurred.extend(several.iter().map(|(name, _)| (*name).clone())),
            }
        }
    }

    /// Takes note of segments that were marked unused.
    pub(crate) fn strike(&mut self, marked: &[Value], left: &[Value]) {
        for name in marked.iter().filter_map(name) {
            if left.iter().any(|segment| self::name(segment).as_ref() == Some(&name)) {
                self.blurred.push(name);
            } else {
                self.holders.remove(&name);
                self.blurred.retain(|blurred| *blurred != name);
            }
        }
    }

    /// Rows visible in an interval, in order of time; none where that is not known. `visible` are pieces as Druid's class
    /// gives them.
    pub(crate) fn visible(&self, visible: &Value, within: Interval) -> Option<Vec<i64>> {
        let mut rows = Vec::new();
        for piece in visible.as_array()? {
            let text = |key: &str| piece.get(key).and_then(Value::as_str);
            let Some(seen) = Interval::parse(text("interval")?).ok()?.intersect(within) else { continue };
            let name = (text("true_interval")?.to_owned(), text("version")?.to_owned());
            if self.blurred.contains(&name) {
                return None;
            }
            let held = self.holders.get(&name).into_iter().flatten();
            rows.extend(held.filter(|at| seen.contains_instant(Instant::from_ms(**at))));
        }
        rows.sort_unstable();
        Some(rows)
    }
}
