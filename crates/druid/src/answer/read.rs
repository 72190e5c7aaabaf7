//! A JSON value together with where it stands, so that every complaint names its place.

use std::fmt::Write as _;

use serde_json::Value;

use crate::interval::{Instant, Interval};

use super::AnswerError;

/// A value and its place.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    value: &'a Value,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a Node<'a>, &'a str),
    Index(&'a Node<'a>, usize),
}

impl<'a> Node<'a> {
    pub(super) fn root(value: &'a Value) -> Node<'a> {
        Node { value, step: Step::Root }
    }

    /// What is under a key; `None` where it is missing or null, which Druid means alike.
    pub(super) fn get<'n>(&'n self, key: &'n str) -> Option<Node<'n>> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(Node { value, step: Step::Key(self, key) })
    }

    /// What is under a key and must be there.
    pub(super) fn wanted<'n>(&'n self, key: &'n str, wanted: &'static str) -> Result<Node<'n>, AnswerError> {
        self.get(key).ok_or_else(|| {
            let missing = Node { value: &Value::Null, step: Step::Key(self, key) };
            missing.error(wanted)
        })
    }

    pub(super) fn items<'n>(&'n self) -> Result<impl Iterator<Item = Node<'n>>, AnswerError> {
        let list = self.value.as_array().ok_or_else(|| self.error("a list"))?;
        Ok(list.iter().enumerate().map(move |(at, value)| Node { value, step: Step::Index(self, at) }))
    }

    /// `Err` unless it is an object.
    pub(super) fn object(&self) -> Result<(), AnswerError> {
        self.value.is_object().then_some(()).ok_or_else(|| self.error("an object"))
    }

    pub(super) fn entries<'n>(&'n self) -> Result<impl Iterator<Item = (&'n str, Node<'n>)>, AnswerError> {
        let object = self.value.as_object().ok_or_else(|| self.error("an object"))?;
        Ok(object.iter().map(move |(key, value)| (key.as_str(), Node { value, step: Step::Key(self, key) })))
    }

    pub(super) fn text(&self) -> Result<String, AnswerError> {
        self.value.as_str().map(str::to_owned).ok_or_else(|| self.error("text"))
    }

    pub(super) fn flag(&self) -> Result<bool, AnswerError> {
        self.value.as_bool().ok_or_else(|| self.error("true or false"))
    }

    pub(super) fn whole(&self) -> Result<i64, AnswerError> {
        self.value.as_i64().ok_or_else(|| self.error("a whole number"))
    }

    pub(super) fn count(&self) -> Result<u64, AnswerError> {
        self.value.as_u64().ok_or_else(|| self.error("a count"))
    }

    pub(super) fn number(&self) -> Result<f64, AnswerError> {
        self.value.as_f64().ok_or_else(|| self.error("a number"))
    }

    pub(super) fn instant(&self) -> Result<Instant, AnswerError> {
        let text = self.text()?;
        Instant::parse(&text).map_err(|_| self.error("a date and time"))
    }

    pub(super) fn interval(&self) -> Result<Interval, AnswerError> {
        let text = self.text()?;
        Interval::parse(&text).map_err(|_| self.error("an interval"))
    }

    pub(super) fn value(&self) -> &'a Value {
        self.value
    }

    /// Something else was wanted here.
    pub(super) fn error(&self, wanted: &'static str) -> AnswerError {
        self.unlike(wanted, found(self.value))
    }

    /// Something else was wanted here, and this is what stands there.
    pub(super) fn unlike(&self, wanted: &'static str, found: String) -> AnswerError {
        let mut at = String::new();
        self.place(&mut at);
        AnswerError::Shape { at, wanted, found }
    }

    fn place(&self, into: &mut String) {
        match self.step {
            Step::Root => {}
            Step::Key(parent, key) => {
                parent.place(into);
                if !into.is_empty() {
                    into.push('.');
                }
                into.push_str(key);
            }
            Step::Index(parent, index) => {
                parent.place(into);
                let _ = write!(into, "[{index}]");
            }
        }
    }
}

/// A value in few words.
fn found(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.chars().count() <= 60 => format!("{text:?}"),
        Value::String(text) => format!("{:?}…", text.chars().take(60).collect::<String>()),
        Value::Array(list) => format!("a list of {}", list.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
