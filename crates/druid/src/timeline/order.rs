//! The order of holders: rows sorted by start, end, version and partition, and cut where a holder begins.
//!
//! What is sorted is one word a row: start and length in the largest unit that all are whole in (an hour mostly), version
//! rank, partition, row. A datasource of a million segments needs some sixty bits, the rows' twenty among them, and the
//! others are five or six rounds of a radix sort. Rows that reach beyond the years ±9999 (eternity) would stretch the scale and are
//! sorted apart; where the bits do not suffice, everything is sorted by comparing.

#![allow(clippy::indexing_slicing, reason = "every index is made here from the length of the same column")]

use crate::segment::Row;
use crate::segment::set::Columns;

/// Rows holder by holder.
#[derive(Default)]
pub(super) struct Order {
    /// By start, end, version rank, partition, row.
    pub(super) rows: Vec<Row>,
    /// Where each holder begins in `rows`; one more at the end.
    pub(super) first: Vec<u32>,
    /// Each holder's interval and version rank.
    pub(super) start: Vec<i64>,
    pub(super) end: Vec<i64>,
    pub(super) rank: Vec<u32>,
    /// Whether some holder has a partition number twice.
    pub(super) repeats: bool,
}

/// Instants beyond this many milliseconds from 1970 are sorted apart.
const FAR: u64 = 400_000_000_000_000;

/// Below this many rows comparing is quicker than counting.
const FEW: usize = 64;

/// Bits of a digit: 256 places to write to are as many as a processor keeps at hand.
const DIGIT: u32 = 8;

type Place = (i64, i64, u32, u32, Row);

/// Sorts the rows; `ranks` gives the rank of a version's number.
pub(super) fn order(columns: &Columns, ranks: &[u32]) -> Order {
    let count = columns.start.len();
    let is_far = |at: usize| columns.start[at].unsigned_abs().max(columns.end[at].unsigned_abs()) > FAR;
    let far: Vec<Row> = (0..count as Row).filter(|row| is_far(*row as usize)).collect();
    let scale = Scale::of(columns, ranks.len(), &far);
    if let Some(scale) = &scale
        && far.is_empty()
    {
        return match scale.is_short() {
            true => scale.cut(&scale.sorted::<u64>(columns, ranks, &[])),
            false => scale.cut(&scale.sorted::<u128>(columns, ranks, &[])),
        };
    }
    let place = |row: Row| -> Place {
        let at = row as usize;
        let rank = ranks[columns.version[at] as usize];
        (columns.start[at], columns.end[at], rank, columns.partition[at], row)
    };
    let by_place = |mut rows: Vec<Row>| {
        rows.sort_unstable_by_key(|row| place(*row));
        rows
    };
    let rows = match scale {
        Some(scale) => {
            let near = scale.sorted::<u128>(columns, ranks, &far);
            merge(near.into_iter().map(|key| scale.row(key)).collect(), by_place(far), place)
        }
        None => by_place((0..count as Row).collect()),
    };
    cut(rows, place)
}

fn merge(near: Vec<Row>, far: Vec<Row>, place: impl Fn(Row) -> Place) -> Vec<Row> {
    let mut rows = Vec::with_capacity(near.len() + far.len());
    let mut far = far.into_iter().peekable();
    for row in near {
        while let Some(before) = far.next_if(|far| place(*far) < place(row)) {
            rows.push(before);
        }
        rows.push(row);
    }
    rows.extend(far);
    rows
}

fn cut(rows: Vec<Row>, place: impl Fn(Row) -> Place) -> Order {
    let mut order = Order::default();
    let mut before = None;
    for (at, row) in (0..).zip(&rows) {
        let (start, end, rank, partition, _) = place(*row);
        match before.replace((start, end, rank, partition)) {
            Some(before) if (before.0, before.1, before.2) == (start, end, rank) => {
                order.repeats |= before.3 == partition;
            }
            _ => order.begin(at, start, end, rank),
        }
    }
    order.first.push(rows.len() as u32);
    order.rows = rows;
    order
}

impl Order {
    fn begin(&mut self, at: u32, start: i64, end: i64, rank: u32) {
        self.first.push(at);
        self.start.push(start);
        self.end.push(end);
        self.rank.push(rank);
    }
}

/// A word that holds everything a row is sorted by, and the row in its lowest bits.
trait Key: Copy + Ord + Default {
    fn new(word: u128) -> Self;
    fn wide(self) -> u128;
    fn digit(self, shift: u32) -> usize;
}

impl Key for u64 {
    fn new(word: u128) -> u64 {
        word as u64
    }

    fn wide(self) -> u128 {
        self.into()
    }

    fn digit(self, shift: u32) -> usize {
        (self >> shift) as usize & ((1 << DIGIT) - 1)
    }
}

impl Key for u128 {
    fn new(word: u128) -> u128 {
        word
    }

    fn wide(self) -> u128 {
        self
    }

    fn digit(self, shift: u32) -> usize {
        (self >> shift) as usize & ((1 << DIGIT) - 1)
    }
}

/// How start, length, version rank, partition and row share the bits of a key, the row lowest.
struct Scale {
    earliest: i64,
    unit: Unit,
    length: u32,
    rank: u32,
    partition: u32,
    row: u32,
    /// All of them and the start together.
    bits: u32,
}

impl Scale {
    /// `None` when the bits do not suffice, or nothing is near.
    fn of(columns: &Columns, versions: usize, far: &[Row]) -> Option<Scale> {
        let count = columns.start.len();
        let origin = columns.start[Skipping::new(count, far).next()?];
        let (mut earliest, mut latest, mut longest, mut partition) = (origin, origin, 0, 0);
        let mut unit = Unit::NONE;
        for at in Skipping::new(count, far) {
            let start = columns.start[at];
            let length = columns.end[at].wrapping_sub(start).cast_unsigned();
            unit.fit(start.wrapping_sub(origin).unsigned_abs());
            unit.fit(length);
            earliest = earliest.min(start);
            latest = latest.max(start);
            longest = longest.max(length);
            partition = partition.max(columns.partition[at]);
        }
        let bits = |number: u64| u64::BITS - number.leading_zeros();
        let start = bits(unit.count(latest.wrapping_sub(earliest).cast_unsigned()));
        let (length, rank) = (bits(unit.count(longest)), bits(versions as u64));
        let (partition, row) = (bits(u64::from(partition)), bits(count as u64));
        let bits = start + length + rank + partition + row;
        let fits = start + length <= u64::BITS && bits <= u128::BITS;
        fits.then_some(Scale { earliest, unit, length, rank, partition, row, bits })
    }

    /// Whether a key fits half a word.
    fn is_short(&self) -> bool {
        self.bits <= u64::BITS
    }

    fn row<K: Key>(&self, key: K) -> Row {
        key.wide() as Row & ((1_u64 << self.row) - 1) as Row
    }

    /// The keys of all rows but the far ones, sorted.
    fn sorted<K: Key>(&self, columns: &Columns, ranks: &[u32], far: &[Row]) -> Vec<K> {
        let mut keys: Vec<K> = Vec::with_capacity(columns.start.len() - far.len());
        let (mut is_sorted, mut before) = (true, K::default());
        for at in Skipping::new(columns.start.len(), far) {
            let start = columns.start[at];
            let since = self.unit.count(start.wrapping_sub(self.earliest).cast_unsigned());
            let length = self.unit.count(columns.end[at].wrapping_sub(start).cast_unsigned());
            let rank = u64::from(ranks[columns.version[at] as usize]);
            let place = rank << self.partition | u64::from(columns.partition[at]);
            let time = u128::from(since << self.length | length) << (self.rank + self.partition);
            let key = K::new((time | u128::from(place)) << self.row | at as u128);
            is_sorted &= before <= key;
            before = key;
            keys.push(key);
        }
        if !is_sorted && keys.len() < FEW {
            keys.sort_unstable();
        } else if !is_sorted {
            radix(&mut keys, self.row, self.bits);
        }
        keys
    }

    fn cut<K: Key>(&self, keys: &[K]) -> Order {
        let mut order = Order { rows: Vec::with_capacity(keys.len()), ..Order::default() };
        let mut before = u128::MAX;
        for (at, key) in (0..).zip(keys) {
            order.rows.push(self.row(*key));
            let place = key.wide() >> self.row;
            order.repeats |= place == before;
            if (place ^ before) >> self.partition != 0 {
                let holder = place >> self.partition;
                let rank = holder as u64 & ((1 << self.rank) - 1);
                let time = (holder >> self.rank) as u64;
                let start = (time >> self.length).wrapping_mul(self.unit.ms).cast_signed();
                let length = time & ((1 << self.length) - 1);
                let start = self.earliest.wrapping_add(start);
                let end = start.wrapping_add(length.wrapping_mul(self.unit.ms).cast_signed());
                order.begin(at, start, end, rank as u32);
            }
            before = place;
        }
        order.first.push(keys.len() as u32);
        order
    }
}

/// Sorts by the bits from `low` to `high`, digit by digit from the lowest; each round keeps the order of the one before.
fn radix<K: Key>(keys: &mut Vec<K>, low: u32, high: u32) {
    let rounds: Vec<u32> = (low..high).step_by(DIGIT as usize).collect();
    let mut counts = vec![[0_u32; 1 << DIGIT]; rounds.len()];
    for key in keys.iter() {
        for (shift, counts) in rounds.iter().zip(&mut counts) {
            counts[key.digit(*shift)] += 1;
        }
    }
    let mut other = vec![K::default(); keys.len()];
    for (shift, mut places) in rounds.into_iter().zip(counts) {
        if places.iter().any(|count| *count as usize == keys.len()) {
            continue;
        }
        let mut below = 0;
        for place in &mut places {
            below += std::mem::replace(place, below);
        }
        for key in keys.iter() {
            let place = &mut places[key.digit(shift)];
            other[*place as usize] = *key;
            *place += 1;
        }
        std::mem::swap(keys, &mut other);
    }
}

/// A length of time that others are multiples of, and what dividing by it exactly needs: a product and a rotation.
struct Unit {
    ms: u64,
    shift: u32,
    /// Of the odd part, modulo 2⁶⁴.
    inverse: u64,
    most: u64,
}

impl Unit {
    /// The unit of nothing but nothing.
    const NONE: Unit = Unit { ms: 0, shift: 0, inverse: 1, most: 0 };

    /// `ms` is above 0.
    fn of(ms: u64) -> Unit {
        let shift = ms.trailing_zeros();
        let odd = ms >> shift;
        // Each step doubles the bits that are right; an odd number is its own inverse in the lowest three.
        let inverse = (0..5)
            .fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))));
        Unit { ms, shift, inverse, most: u64::MAX / ms }
    }

    /// How often it goes into one of its multiples.
    fn count(&self, multiple: u64) -> u64 {
        multiple.wrapping_mul(self.inverse).rotate_right(self.shift)
    }

    /// Becomes a unit of this length too.
    fn fit(&mut self, ms: u64) {
        if self.count(ms) > self.most {
            let (mut a, mut b) = (self.ms, ms);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            *self = Unit::of(a);
        }
    }
}

/// Rows from 0 on without some, which are ascending.
struct Skipping<'a> {
    at: usize,
    until: usize,
    without: &'a [Row],
}

impl<'a> Skipping<'a> {
    fn new(until: usize, without: &'a [Row]) -> Skipping<'a> {
        Skipping { at: 0, until, without }
    }
}

impl Iterator for Skipping<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while let Some((first, rest)) = self.without.split_first()
            && *first as usize == self.at
        {
            self.without = rest;
            self.at += 1;
        }
        let at = self.at;
        self.at += 1;
        (at < self.until).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_divides_its_multiples_and_knows_them() {
        for ms in [1, 2, 3, 1_000, 3_600_000, 86_400_000, 1 << 62, (1 << 62) + 1] {
            let unit = Unit::of(ms);
            for times in [0, 1, 2, 7, 1_000].into_iter().filter(|times| ms.checked_mul(*times).is_some()) {
                assert_eq!(unit.count(ms * times), times);
            }
            let near = ms.wrapping_mul(3).wrapping_add(1);
            assert_eq!(unit.count(near) <= unit.most, near.is_multiple_of(ms), "{near} in {ms}");
        }
        let mut unit = Unit::NONE;
        for ms in [0, 86_400_000, 3_600_000 * 7, 3_600_000] {
            unit.fit(ms);
        }
        assert_eq!(unit.ms, 3_600_000);
    }

    /// Every way through this module against the plain rule: compare start, end, version, partition, row.
    #[test]
    fn rows_come_in_the_order_of_the_rule_whatever_way_they_are_sorted() {
        // Steps of a fixed generator: any spread of values will do.
        let mut state = 7_u64;
        let mut any = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        // (rows, unit in ms, starts, far rows in 1000); of one version: keys of every length.
        let lengths = (0..10).map(|bits| (300, 3_600_000, 50 << bits, 0));
        let ways = [
            (0, 1, 1, 0),
            (1, 1, 1, 0),
            (300, 3_600_000, 50, 0),
            (300, 3_600_000, 50, 40),
            (300, 1, 1 << 47, 500),
            (300, 1, 3, 1_000),
            (5_000, 60_000, 900, 0),
            (5_000, 60_000, 900, 3),
            (40_000, 3_600_000, 9_000, 1),
        ];
        let of_versions = lengths.map(|way| (way, 1)).chain(ways.map(|way| (way, 5)));
        for ((count, unit, starts, far), versions) in of_versions {
            let mut columns = Columns::default();
            for _ in 0..count {
                let (mut start, mut length) = (any(starts) * unit, (1 + any(4)) * unit);
                if any(1_000) < far {
                    (start, length) = (any(3) << 61, any(1 << 60));
                }
                let start = start.cast_signed() - (starts * unit / 2).cast_signed();
                columns.start.push(start);
                columns.end.push(start + length.cast_signed());
                columns.version.push(any(versions) as u32);
                columns.partition.push(if any(50) == 0 { u32::MAX - any(2) as u32 } else { any(3) as u32 });
            }
            let ranks: &[u32] = if versions == 1 { &[0] } else { &[3, 0, 4, 1, 2] };
            let place = |row: &Row| {
                let at = *row as usize;
                let version = ranks[columns.version[at] as usize];
                ((columns.start[at], columns.end[at], version), columns.partition[at], *row)
            };
            let mut expected: Vec<Row> = (0..count as Row).collect();
            expected.sort_by_key(place);
            let found = order(&columns, ranks);
            assert_eq!(found.rows, expected);
            let holders: Vec<&[Row]> = expected.chunk_by(|a, b| place(a).0 == place(b).0).collect();
            let cuts: Vec<usize> = found.first.iter().map(|at| *at as usize).collect();
            assert_eq!(cuts.windows(2).map(|w| &expected[w[0]..w[1]]).collect::<Vec<_>>(), holders);
            for (at, holder) in holders.iter().enumerate() {
                let of_holder = (found.start[at], found.end[at], found.rank[at]);
                assert_eq!(of_holder, place(&holder[0]).0);
            }
            let twice = expected.windows(2).any(|w| {
                let (a, b) = (place(&w[0]), place(&w[1]));
                (a.0, a.1) == (b.0, b.1)
            });
            assert_eq!(found.repeats, twice);
        }
    }
}
