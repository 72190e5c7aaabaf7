//! The spec a first visitor sees: the backfill of one day that the article on idempotent ingestion gives, value
//! for value, without its fixed id (ids are made from the content here).

/// The text of the example.
#[must_use]
pub fn example() -> &'static str {
    include_str!("example.json")
}
