//! One text for one exact decimal number.
//!
//! RFC 8785 prints numbers as ECMAScript does, through a binary double: 9223372036854775806 and …807 become one text.
//! Here every digit counts. The shape is ECMAScript's (plain from 1e-6 to below 1e21, else `1.5e+30`), so for the
//! numbers that people write both give the same text; only what a double cannot hold differs.

/// The canonical text of a JSON number, or none when `text` is not one.
///
/// `1E3`, `1000` and `1000.0` are one number; `0.10` is `0.1`; `-0` is `0`.
pub(super) fn canonical_number(text: &str) -> Option<String> {
    let Decimal { negative, digits, point } = Decimal::parse(text)?;
    let mut out = String::with_capacity(digits.len() + 8);
    if digits.is_empty() {
        out.push('0');
        return Some(out);
    }
    if negative {
        out.push('-');
    }
    let count = i64::try_from(digits.len()).ok()?;
    match point {
        // All digits before the point, then zeros.
        _ if count <= point && point <= 21 => {
            out.push_str(&digits);
            out.extend(std::iter::repeat_n('0', usize::try_from(point - count).ok()?));
        }
        _ if 0 < point && point <= 21 => {
            let (whole, fraction) = digits.split_at_checked(usize::try_from(point).ok()?)?;
            out.push_str(whole);
            out.push('.');
            out.push_str(fraction);
        }
        _ if -6 < point && point <= 0 => {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', usize::try_from(-point).ok()?));
            out.push_str(&digits);
        }
        _ => {
            let (first, rest) = digits.split_at_checked(1)?;
            out.push_str(first);
            if !rest.is_empty() {
                out.push('.');
                out.push_str(rest);
            }
            let exponent = point - 1;
            out.push('e');
            out.push(if exponent < 0 { '-' } else { '+' });
            out.push_str(&exponent.unsigned_abs().to_string());
        }
    }
    Some(out)
}

/// 0.`digits` × 10^`point`, without zeros at either end of `digits`; zero has no digits.
struct Decimal {
    negative: bool,
    digits: String,
    point: i64,
}

impl Decimal {
    fn parse(text: &str) -> Option<Decimal> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits_only = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !digits_only(whole) || !digits_only(fraction) {
            return None;
        }
        let all: String = [whole, fraction].concat();
        let kept = all.trim_start_matches('0');
        let leading = i64::try_from(all.len() - kept.len()).ok()?;
        let digits = kept.trim_end_matches('0').to_owned();
        let point = i64::try_from(whole.len()).ok()?.checked_sub(leading)?.checked_add(exponent)?;
        Some(Decimal { negative, digits, point })
    }
}

fn exponent_of(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // An exponent beyond i64 belongs to no number anybody means; the caller keeps its text.
    text.strip_prefix('+').unwrap_or(text).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, canonical: &str) {
        assert_eq!(canonical_number(text).as_deref(), Some(canonical), "{text}");
    }

    #[test]
    fn one_number_has_one_text() {
        for spelling in ["1000", "1E3", "1e+3", "1000.0", "10.00e2", "0.001e6"] {
            check(spelling, "1000");
        }
        check("0.10", "0.1");
        check("-0", "0");
        check("-0.0e7", "0");
        check("-1.50", "-1.5");
        check("1.0", "1");
    }

    #[test]
    fn long_integers_do_not_collide() {
        check("9223372036854775806", "9223372036854775806");
        check("9223372036854775807", "9223372036854775807");
        check("12345678901234567890123", "1.2345678901234567890123e+22");
    }

    /// The appendix of RFC 8785 for the numbers a double holds exactly as written.
    #[test]
    fn the_shape_is_ecmascripts() {
        check("1e21", "1e+21");
        check("1e20", "100000000000000000000");
        check("0.000001", "0.000001");
        check("0.0000001", "1e-7");
        check("333333333.33333329", "333333333.33333329");
        check("4.50", "4.5");
        check("2e-3", "0.002");
        check("1e-27", "1e-27");
    }

    #[test]
    fn what_is_no_json_number_has_no_canonical_text() {
        for text in ["", "-", "1e", "e5", ".5", "0x10", "NaN", "1e5.5", "--1"] {
            assert_eq!(canonical_number(text), None, "{text}");
        }
    }
}
