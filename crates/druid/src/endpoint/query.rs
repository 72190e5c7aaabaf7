//! The query of a request: known keys, each at most once, values unescaped once.

use crate::interval::Interval;

use super::path::{decode, escape};

/// A query being read. What nobody took is an error: an unknown key could change what a call means.
#[derive(Debug)]
pub(super) struct Query(Vec<(String, String)>);

const MOST_KEYS: usize = 16;

impl Query {
    /// `None` when a key is given twice, is empty, or an escape is broken. A key without `=` has an empty value.
    pub(super) fn parse(raw: &str) -> Option<Query> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        if raw.is_empty() {
            return Some(Query(pairs));
        }
        for part in raw.split('&') {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let known = !key.is_empty() && key.bytes().all(|c| c.is_ascii_alphabetic());
            // No call has as many keys; who sends thousands wants to keep us busy.
            if !known || pairs.len() == MOST_KEYS || pairs.iter().any(|(other, _)| other == key) {
                return None;
            }
            let value = decode::strictly(value)?;
            if value.chars().any(char::is_control) {
                return None;
            }
            pairs.push((key.to_owned(), value));
        }
        Some(Query(pairs))
    }

    pub(super) fn is_spent(&self) -> bool {
        self.0.is_empty()
    }

    /// A value, or `None` where the key is not there.
    pub(super) fn take(&mut self, key: &str) -> Option<String> {
        let at = self.0.iter().position(|(other, _)| other == key)?;
        Some(self.0.swap_remove(at).1)
    }

    /// A flag such as `full`: there without a value, or not there.
    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        match self.take(key) {
            None => Some(false),
            Some(value) => value.is_empty().then_some(true),
        }
    }

    /// A value read by `read`. The outer `None` is a value that could not be read.
    pub(super) fn read<T>(&mut self, key: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
        match self.take(key) {
            None => Some(None),
            Some(value) => read(&value).map(Some),
        }
    }

    /// An interval as Druid takes it in a query: `_` in place of `/`.
    pub(super) fn interval(&mut self, key: &str) -> Option<Option<Interval>> {
        self.read(key, |text| match text.split('_').count() {
            2 => Interval::parse(&text.replace('_', "/")).ok(),
            _ => None,
        })
    }
}

/// A query being written.
#[derive(Debug, Default)]
pub(super) struct Writer(String);

impl Writer {
    pub(super) fn flag(&mut self, key: &str) {
        if !self.0.is_empty() {
            self.0.push('&');
        }
        self.0.push_str(key);
    }

    pub(super) fn pair(&mut self, key: &str, value: &str) {
        self.flag(key);
        self.0.push('=');
        escape(value, &mut self.0);
    }

    pub(super) fn optional(&mut self, key: &str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.pair(key, &value.to_string());
        }
    }

    pub(super) fn interval(&mut self, key: &str, value: Option<Interval>) {
        if let Some(interval) = value {
            self.pair(key, &format!("{}_{}", interval.start, interval.end));
        }
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}
