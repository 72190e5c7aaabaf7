//! What stands without quotes: numbers, templates that nobody filled in, and words that are no value.

/// Bytes of the unfilled template at the start of `text`, if there is one.
pub(crate) fn placeholder(text: &str) -> Option<usize> {
    let (open, close) = [("%%", "%%"), ("{{", "}}"), ("${", "}"), ("{%", "%}"), ("<%", "%>")]
        .into_iter()
        .find(|(open, _)| text.starts_with(open))?;
    // Templates are short and stand on one line; looking no further keeps long texts linear.
    let window = text.get(open.len()..text.floor_char_boundary(200))?;
    let length = window.find(close).filter(|length| *length > 0)?;
    let name = window.get(..length).filter(|name| !name.contains(['\n', '\r']))?;
    let is_name = name.contains(|c: char| c.is_alphanumeric() || c == '_') && !name.contains(['"', '{']);
    is_name.then_some(open.len() + length + close.len())
}

/// JSON's number grammar.
pub(super) fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = match word.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (word, None),
    };
    let mantissa = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}

/// Why a word is no value, and what is meant perhaps.
pub(super) fn explain(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    match lower.as_str() {
        "true" | "false" | "null" => format!("{word} is written {lower}"),
        "none" | "undefined" | "nil" => format!("{word} is written null"),
        "nan" | "infinity" | "-infinity" => format!("{word} is no JSON number"),
        _ if word.starts_with('\'') => "strings stand in double quotes".to_owned(),
        _ if word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            format!("{word} is no JSON number")
        }
        _ => format!("{word} is no value: text stands in double quotes"),
    }
}
