//! Numbers, lengths of time and lists as people read them, in English and in UTC.
//!
//! What always holds: a count names its noun in the right number; thousands are set apart by commas.
//! What it does not do: round. `12 hours` is twelve hours to the millisecond.

use druid::interval::Interval;

/// `1,203`
pub(crate) fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 chunk`, `24 chunks`; `countless chunks` for what nobody can count.
pub(crate) fn count(n: u64, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        u64::MAX => format!("countless {noun}s"),
        n => format!("{} {noun}s", number(n)),
    }
}

/// The verb or noun that goes with a number: the first for one, the second for any other.
pub(crate) fn agreeing(n: u64, one: &'static str, others: &'static str) -> &'static str {
    if n == 1 { one } else { others }
}

/// A sentence of its own: large first letter, and a full stop where nothing ends it yet.
pub(crate) fn sentence(text: &str) -> String {
    let mut text = upper_first(text);
    if !text.ends_with(['.', '?', '!', '…']) {
        text.push('.');
    }
    text
}

/// `12 hours`, `3 days 4 hours`, `1 minute 30 seconds`: the two largest units that are there.
pub(crate) fn length(ms: u64) -> String {
    const UNITS: [(u64, &str); 5] =
        [(86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second"), (1, "millisecond")];
    let mut rest = ms;
    let mut parts = Vec::new();
    for (unit, noun) in UNITS {
        let n = rest / unit;
        rest %= unit;
        if n > 0 {
            parts.push(count(n, noun));
        }
    }
    parts.truncate(2);
    if parts.is_empty() { "no time".to_owned() } else { parts.join(" ") }
}

/// Intervals, the first `most` of them, then how many more there are.
pub(crate) fn intervals<'a>(list: impl IntoIterator<Item = &'a Interval>, most: usize) -> String {
    listed(list.into_iter().map(|interval| interval.short()), most)
}

/// Items, the first `most` of them, then how many more there are.
pub(crate) fn listed(items: impl IntoIterator<Item = String>, most: usize) -> String {
    let mut items = items.into_iter();
    let mut text = items.by_ref().take(most).collect::<Vec<_>>().join(", ");
    let more = items.count();
    if more > 0 {
        text.push_str(&format!(" and {} more", number(more as u64)));
    }
    text
}

/// The text with its first letter large.
pub fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(31_622_400), "31,622,400");
        assert_eq!(count(1, "chunk"), "1 chunk");
        assert_eq!(count(1_203, "row"), "1,203 rows");
    }

    #[test]
    fn a_sentence_ends_once() {
        assert_eq!(sentence("druid ignores it"), "Druid ignores it.");
        assert_eq!(sentence("Did you mean dropExisting?"), "Did you mean dropExisting?");
        assert_eq!(sentence("It is gone since 37."), "It is gone since 37.");
    }

    #[test]
    fn lengths_read_well_and_do_not_round() {
        assert_eq!(length(12 * 3_600_000), "12 hours");
        assert_eq!(length(86_400_000 + 3_600_000), "1 day 1 hour");
        assert_eq!(length(30), "30 milliseconds");
        assert_eq!(length(0), "no time");
    }

    #[test]
    fn long_lists_say_how_much_is_left_out() {
        let items = ["a", "b", "c", "d"].map(str::to_owned);
        assert_eq!(listed(items.clone(), 2), "a, b and 2 more");
        assert_eq!(listed(items, 4), "a, b, c, d");
    }
}
