//! What reads outside text, one function a reader: bytes in, and what must hold of whatever they are.
//!
//! Two programs call these functions: the test beside this folder, with the cases in `corpus/`, and the fuzzer in
//! `tests/fuzz`, with what it makes up. A function panics where something does not hold. None looks at how a reader works,
//! only at what goes in and comes out.
//!
//! A reader that takes several texts takes them as lines, the last one with all that is left.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a fault is told"
)]

mod answers;
mod calls;
mod inline;
mod json;
mod segments;
mod task;
mod times;

/// One reader: its name, which its corpus folder has too, and what must hold.
pub(crate) type Reader = (&'static str, fn(&[u8]));

/// All of them.
pub(crate) const READERS: [Reader; 19] = [
    ("instant", times::instant),
    ("interval", times::interval),
    ("period", times::period),
    ("granularity", times::granularity),
    ("zone", times::zone),
    ("document", json::document),
    ("edit", json::edit),
    ("path", json::path),
    ("task", task::task),
    ("timestamp", inline::timestamp),
    ("inline_rows", inline::rows),
    ("segment", segments::segment),
    ("segment_list", segments::list),
    ("segment_id", segments::id),
    ("columns", segments::columns),
    ("submit_answer", answers::submit),
    ("answer", answers::any),
    ("request", calls::request),
    ("named_query", calls::named_query),
];

/// The bytes as text. What reads text is never given anything else.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// The first line, and all that follows it.
fn line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}
