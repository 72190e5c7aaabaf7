//! What reads outside text here, one function a reader, as in `druid`: plans from files and links, specs that are made into
//! a version, the words of failed runs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a fault is told")]

use backfill::canonical::canonical;
use backfill::mask::MASK;
use backfill::plan::Plan;
use backfill::retry::FailureClass;
use druid::json::{Document, quote};
use druid::spec::secrets;
use serde_json::Value;

/// One reader: its name, which its corpus folder has too, and what must hold.
pub(crate) type Reader = (&'static str, fn(&[u8]));

/// All of them.
pub(crate) const READERS: [Reader; 3] = [("plan", plan), ("canonical", canonical_text), ("failure", failure)];

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// A plan that could be read is written and read again without a change.
fn plan(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match Plan::from_file(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(plan) => {
            let written = plan.to_file();
            let again = Plan::from_file(&written).unwrap();
            assert_eq!(again.document().text(), plan.document().text());
            assert_eq!((again.version(), &again.input().painted), (plan.version(), &plan.input().painted));
            // In keys that are not known there may be numbers that a double does not hold.
            if serde_json::from_str(text).is_ok_and(|file| !has_fraction(&file)) {
                assert_eq!(again.input(), plan.input());
                assert_eq!(again.to_file(), written);
            }
            let draft = Plan::from_file(&plan.to_draft()).unwrap();
            let mask = quote(MASK);
            // A text that is no JSON reads otherwise once something in it is masked.
            let is_json = plan.document().is_well_formed();
            assert!(!is_json || secrets(draft.document()).iter().all(|(_, secret)| secret.text() == mask));
            let draft_again = Plan::from_file(&draft.to_draft()).unwrap();
            assert!(!is_json || draft_again.document().text() == draft.document().text());
        }
    }
}

/// Whether a number in it is not a whole one of 64 bits.
fn has_fraction(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_fraction),
        Value::Object(members) => members.values().any(has_fraction),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// The canonical text is JSON, says the same, and is its own canonical text.
fn canonical_text(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let document = Document::parse(text);
    match canonical(&document, &[]) {
        Err(error) => assert!(!document.is_well_formed() && !error.to_string().is_empty()),
        Ok(made) => {
            assert!(document.is_well_formed());
            let again = Document::parse(made.text());
            assert_eq!(canonical(&again, &[]).unwrap().text(), made.text());
            if made.left_out().is_empty() {
                let (before, after) = (document.root().unwrap(), again.root().unwrap());
                assert_eq!(before.kind(), after.kind());
                assert!(before.children().count() >= after.children().count());
            }
        }
    }
}

/// A class survives the journal, and is short whatever the message.
fn failure(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let class = FailureClass::of_run(Some(text));
    assert_eq!(FailureClass::from(class.code()), class);
    assert!(!class.label().is_empty() && class.clears().ends_with('.'));
}
