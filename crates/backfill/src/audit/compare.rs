//! The comparison, stretch by stretch.
//!
//! The range is cut wherever anything expected or seen begins or ends; in each stretch at most one holder is expected
//! and at most one is served. Of several worlds and alternatives the one with the fewest differences counts.

use super::words;
use super::{Audit, Expected, Holder, Kind, Line, Piece, Seen, Verdict, World};
use druid::interval::{Instant, Interval};
use std::collections::{BTreeMap, BTreeSet};

/// Compares what was promised with what is there.
pub fn compare(expected: &Expected, seen: &Seen) -> Audit {
    let there = There::of(expected, seen);
    let mut best: Option<(usize, usize, Vec<Line>)> = None;
    for (index, world) in expected.worlds.iter().enumerate() {
        let lines = there.judge(expected, world);
        let differences = count_differences(&lines);
        if best.as_ref().is_none_or(|(_, fewest, _)| differences < *fewest) {
            best = Some((index, differences, lines));
        }
    }
    let (index, _, lines) = best.unwrap_or_default();
    let when = expected.worlds.get(index).map(|world| world.when.clone()).unwrap_or_default();
    Audit { world: (index, when), lines: merged(lines) }
}

fn count_differences(lines: &[Line]) -> usize {
    lines.iter().filter(|line| matches!(line.verdict, Verdict::Different(_))).count()
}

/// What is there, ready for questions.
struct There<'a> {
    seen: &'a Seen,
    /// Partitions of the holders that were there before, by interval and version.
    before: BTreeMap<(i64, i64, &'a str), u32>,
    /// Holders that came since, by interval.
    new: BTreeMap<(i64, i64), Vec<&'a Holder>>,
}

impl<'a> There<'a> {
    fn of(expected: &'a Expected, seen: &'a Seen) -> There<'a> {
        let name = |holder: &'a Holder| (holder.start_ms, holder.end_ms, holder.version.as_str());
        let before: BTreeMap<_, _> =
            expected.before.iter().map(|holder| (name(holder), holder.partitions)).collect();
        let mut new: BTreeMap<(i64, i64), Vec<&Holder>> = BTreeMap::new();
        for holder in seen.holders.iter().filter(|holder| !before.contains_key(&name(holder))) {
            new.entry((holder.start_ms, holder.end_ms)).or_default().push(holder);
        }
        There { seen, before, new }
    }

    fn is_new(&self, holder: &Holder) -> bool {
        !self.before.contains_key(&(holder.start_ms, holder.end_ms, holder.version.as_str()))
    }

    fn judge(&self, expected: &Expected, world: &World) -> Vec<Line> {
        let mut lines = Vec::new();
        for &(start_ms, end_ms) in &expected.range {
            let mut at = start_ms;
            let within = |from: i64, to: i64| from < end_ms && to > start_ms;
            for either in world.either.iter().filter(|either| within(either.start_ms, either.end_ms)) {
                let (from, to) = (either.start_ms.max(start_ms), either.end_ms.min(end_ms));
                lines.extend(self.stretch(&world.visible, at, from));
                if either.anything_new {
                    let anything =
                        self.stretch(&world.visible, from, to).into_iter().map(words::if_new_as_foreseen);
                    lines.extend(anything);
                } else {
                    let ways = either.alternatives.iter().map(|pieces| self.stretch(pieces, from, to));
                    lines.extend(ways.min_by_key(|lines| count_differences(lines)).unwrap_or_default());
                }
                at = at.max(to);
            }
            lines.extend(self.stretch(&world.visible, at, end_ms));
        }
        lines
    }

    /// From `from_ms` to `to_ms`, cut wherever something begins or ends.
    fn stretch(&self, expected: &[Piece], from_ms: i64, to_ms: i64) -> Vec<Line> {
        if from_ms >= to_ms {
            return vec![];
        }
        // Both lists are in order of time: only what overlaps is looked at.
        let first = expected.partition_point(|piece| piece.end_ms <= from_ms);
        let pieces = expected.iter().skip(first).take_while(|piece| piece.start_ms < to_ms);
        let first = self.seen.visible.partition_point(|(_, end_ms, _)| *end_ms <= from_ms);
        let served = self.seen.visible.iter().skip(first).take_while(|(start_ms, ..)| *start_ms < to_ms);
        let mut cuts: BTreeSet<i64> = BTreeSet::from([from_ms, to_ms]);
        cuts.extend(pieces.clone().flat_map(|piece| [piece.start_ms, piece.end_ms]));
        cuts.extend(served.clone().flat_map(|(start_ms, end_ms, _)| [*start_ms, *end_ms]));
        cuts.retain(|cut| (from_ms..=to_ms).contains(cut));
        let cuts: Vec<i64> = cuts.into_iter().collect();
        let (mut pieces, mut served) = (pieces.peekable(), served.peekable());
        let mut lines = Vec::new();
        for (start_ms, end_ms) in cuts.iter().copied().zip(cuts.iter().copied().skip(1)) {
            while pieces.next_if(|piece| piece.end_ms <= start_ms).is_some() {}
            while served.next_if(|(_, end_ms, _)| *end_ms <= start_ms).is_some() {}
            let piece = pieces.peek().filter(|piece| piece.start_ms <= start_ms).copied();
            let holder = served.peek().filter(|(from_ms, ..)| *from_ms <= start_ms);
            let holder = holder.and_then(|(.., index)| self.seen.holders.get(*index));
            if piece.is_none() && holder.is_none() {
                continue;
            }
            let verdict = self.verdict(piece, holder);
            let Some(interval) = Interval::new(Instant::from_ms(start_ms), Instant::from_ms(end_ms)) else {
                continue;
            };
            lines.push(Line { interval, verdict, words: words::of(verdict, piece, holder) });
        }
        lines
    }

    fn verdict(&self, piece: Option<&Piece>, holder: Option<&Holder>) -> Verdict {
        use Verdict::{AsForeseen, Different, Superseded};
        let Some(piece) = piece else {
            return match holder {
                Some(holder) if self.is_new(holder) => Different(Kind::Extra),
                Some(_) => Different(Kind::Back),
                None => AsForeseen,
            };
        };
        let Some(holder) = holder else {
            return Different(if piece.version.is_some() { Kind::Gone } else { Kind::Missing });
        };
        let same_extent = (holder.start_ms, holder.end_ms) == (piece.true_start_ms, piece.true_end_ms);
        match &piece.version {
            Some(version) if same_extent && *version == holder.version => self.kept(piece, holder),
            Some(_) if self.is_new(holder) => Different(Kind::Extra),
            Some(_) => Different(Kind::Back),
            None if !self.is_new(holder) => Different(Kind::Missing),
            None if same_extent && holder.tombstone == piece.tombstone => AsForeseen,
            None if self.made_before(piece, holder) => Superseded,
            None if same_extent => Different(Kind::OtherKind),
            None => Different(Kind::OtherExtent),
        }
    }

    /// A holder that was there before is served, as foreseen: did it get the partitions it was to get, and no others?
    fn kept(&self, piece: &Piece, holder: &Holder) -> Verdict {
        let name = (holder.start_ms, holder.end_ms, holder.version.as_str());
        let before = self.before.get(&name).copied().unwrap_or(0);
        match (piece.appended, holder.partitions.cmp(&before)) {
            (true, std::cmp::Ordering::Greater) | (false, std::cmp::Ordering::Equal) => Verdict::AsForeseen,
            (true, std::cmp::Ordering::Equal) => Verdict::Different(Kind::NotAdded),
            _ => Verdict::Different(Kind::OtherPartitions),
        }
    }

    /// Whether the holder that was foreseen was made, and the one served is later and over it.
    fn made_before(&self, piece: &Piece, served: &Holder) -> bool {
        self.new
            .get(&(piece.true_start_ms, piece.true_end_ms))
            .into_iter()
            .flatten()
            .any(|made| made.tombstone == piece.tombstone && made.version < served.version)
    }
}

/// Abutting stretches of which the same is said, as one.
fn merged(lines: Vec<Line>) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    for line in lines {
        match out.last_mut() {
            Some(last)
                if last.interval.end == line.interval.start
                    && last.verdict == line.verdict
                    && last.words == line.words =>
            {
                last.interval.end = line.interval.end;
            }
            _ => out.push(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)] // a test that cannot go on stops here
    use super::super::Either;
    use super::*;

    const HOUR: i64 = 3_600_000;

    fn holder(start: i64, end: i64, version: &str) -> Holder {
        Holder {
            start_ms: start * HOUR,
            end_ms: end * HOUR,
            version: version.into(),
            tombstone: false,
            partitions: 1,
        }
    }

    fn piece(start: i64, end: i64, version: Option<&str>) -> Piece {
        Piece {
            start_ms: start * HOUR,
            end_ms: end * HOUR,
            true_start_ms: start * HOUR,
            true_end_ms: end * HOUR,
            version: version.map(str::to_owned),
            tombstone: false,
            appended: false,
        }
    }

    fn expected(before: &[Holder], visible: Vec<Piece>, either: Vec<Either>) -> Expected {
        let world = World { when: String::new(), visible, either };
        Expected { range: vec![(0, 3 * HOUR)], before: before.to_vec(), worlds: vec![world] }
    }

    /// Everything that is there, each holder served over its own interval unless told otherwise.
    fn seen(holders: &[Holder], visible: &[(i64, i64, usize)]) -> Seen {
        let visible = visible.iter().map(|(start, end, index)| (start * HOUR, end * HOUR, *index)).collect();
        Seen { holders: holders.to_vec(), visible }
    }

    fn verdicts(audit: &Audit) -> Vec<Verdict> {
        audit.lines.iter().map(|line| line.verdict).collect()
    }

    #[test]
    fn each_way_in_which_a_chunk_can_be_different_is_told_apart() {
        let old = holder(0, 3, "v1");
        let promise = expected(std::slice::from_ref(&old), vec![piece(0, 3, None)], vec![]);
        let of = |holder: Holder| {
            let there = seen(&[old.clone(), holder], &[(0, 3, 1)]);
            verdicts(&compare(&promise, &there))
        };
        assert_eq!(of(holder(0, 3, "v2")), [Verdict::AsForeseen]);
        assert_eq!(
            of(Holder { tombstone: true, ..holder(0, 3, "v2") }),
            [Verdict::Different(Kind::OtherKind)]
        );
        assert_eq!(of(holder(0, 24, "v2")), [Verdict::Different(Kind::OtherExtent)]);
        let nothing_happened = compare(&promise, &seen(std::slice::from_ref(&old), &[(0, 3, 0)]));
        assert_eq!(verdicts(&nothing_happened), [Verdict::Different(Kind::Missing)]);
        assert!(
            nothing_happened.note().line.contains("should have new data"),
            "{}",
            nothing_happened.note().line
        );
        assert_eq!(verdicts(&compare(&promise, &seen(&[], &[]))), [Verdict::Different(Kind::Missing)]);
    }

    #[test]
    fn a_chunk_that_was_to_stay_and_did_not_is_told() {
        let old = holder(0, 3, "v1");
        let promise = expected(std::slice::from_ref(&old), vec![piece(0, 3, Some("v1"))], vec![]);
        let there = seen(&[old.clone(), holder(1, 2, "v2")], &[(0, 1, 0), (1, 2, 1), (2, 3, 0)]);
        let audit = compare(&promise, &there);
        use Verdict::{AsForeseen, Different};
        assert_eq!(verdicts(&audit), [AsForeseen, Different(Kind::Extra), AsForeseen]);
        assert_eq!(verdicts(&compare(&promise, &seen(&[], &[]))), [Different(Kind::Gone)]);
        let grown = seen(&[Holder { partitions: 2, ..old.clone() }], &[(0, 3, 0)]);
        assert_eq!(verdicts(&compare(&promise, &grown)), [Different(Kind::OtherPartitions)]);
        let mut appended = promise.clone();
        appended.worlds[0].visible[0].appended = true;
        assert_eq!(verdicts(&compare(&appended, &grown)), [AsForeseen]);
        assert_eq!(verdicts(&compare(&appended, &seen(&[old], &[(0, 3, 0)]))), [Different(Kind::NotAdded)]);
    }

    #[test]
    fn a_later_version_over_what_was_foreseen_is_superseded_and_not_missing() {
        let old = holder(0, 3, "v1");
        let promise = expected(std::slice::from_ref(&old), vec![piece(0, 3, None)], vec![]);
        let compacted = seen(&[old, holder(0, 3, "v2"), holder(0, 24, "v3")], &[(0, 3, 2)]);
        let audit = compare(&promise, &compacted);
        assert_eq!(verdicts(&audit), [Verdict::Superseded]);
        assert!(audit.is_as_foreseen() && audit.note().line.contains("later"), "{}", audit.note().line);
    }

    #[test]
    fn of_several_results_the_one_that_came_about_is_as_foreseen() {
        let old = holder(0, 3, "v1");
        let tombstone = Piece { tombstone: true, ..piece(1, 2, None) };
        let either = Either {
            start_ms: HOUR,
            end_ms: 2 * HOUR,
            alternatives: vec![vec![piece(1, 2, None)], vec![tombstone]],
            anything_new: false,
        };
        let promise = expected(std::slice::from_ref(&old), vec![piece(0, 3, Some("v1"))], vec![either]);
        let with = |new: Holder| seen(&[old.clone(), new], &[(0, 1, 0), (1, 2, 1), (2, 3, 0)]);
        assert!(compare(&promise, &with(holder(1, 2, "v2"))).is_as_foreseen());
        let emptied = compare(&promise, &with(Holder { tombstone: true, ..holder(1, 2, "v2") }));
        assert!(emptied.is_as_foreseen());
        assert!(emptied.lines[1].words.contains("emptied"));
        let kept = seen(std::slice::from_ref(&old), &[(0, 3, 0)]);
        assert!(!compare(&promise, &kept).is_as_foreseen(), "staying as it was is none of the results");
    }

    #[test]
    fn of_several_worlds_the_audit_says_which_one_came_about() {
        let old = holder(0, 3, "v1");
        let world =
            |when: &str, piece: Piece| World { when: when.into(), visible: vec![piece], either: vec![] };
        let promise = Expected {
            range: vec![(0, 3 * HOUR)],
            before: vec![old.clone()],
            worlds: vec![
                world("at least one row in range", piece(0, 3, None)),
                world("no row in range", piece(0, 3, Some("v1"))),
            ],
        };
        let audit = compare(&promise, &seen(&[old], &[(0, 3, 0)]));
        assert_eq!(audit.world, (1, "no row in range".to_owned()));
        assert!(audit.is_as_foreseen());
    }

    #[test]
    fn nothing_outside_the_range_is_judged() {
        let neighbour = holder(3, 4, "v9");
        let promise = expected(&[], vec![piece(0, 3, None)], vec![]);
        let audit = compare(&promise, &seen(&[holder(0, 3, "v2"), neighbour], &[(0, 3, 0), (3, 4, 1)]));
        assert_eq!(verdicts(&audit), [Verdict::AsForeseen]);
    }
}
