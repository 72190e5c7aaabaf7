//! The text code by which a class stands in journals and exports.

use super::FailureClass;

const CODES: &[(&str, FailureClass)] = &[
    ("no-answer", FailureClass::NoAnswer),
    ("no-leader", FailureClass::NoLeader),
    ("busy", FailureClass::Busy),
    ("server-trouble", FailureClass::ServerTrouble),
    ("gateway", FailureClass::Gateway),
    ("unreadable", FailureClass::Unreadable),
    ("refused", FailureClass::Refused),
    ("not-allowed", FailureClass::NotAllowed),
    ("no-endpoint", FailureClass::NoEndpoint),
    ("not-json", FailureClass::NotJson),
    ("allocation", FailureClass::Allocation),
    ("out-of-memory", FailureClass::OutOfMemory),
    ("input", FailureClass::Input),
    ("parse-limit", FailureClass::ParseLimit),
    ("lock-lost", FailureClass::LockLost),
    ("lock-taken", FailureClass::LockTaken),
    ("context", FailureClass::Context),
    ("nothing-to-compact", FailureClass::NothingToCompact),
    ("not-ready", FailureClass::NotReady),
    ("unsupported", FailureClass::Unsupported),
    ("schema", FailureClass::Schema),
    ("alignment", FailureClass::Alignment),
    ("shard-spec", FailureClass::ShardSpec),
    ("publish", FailureClass::Publish),
    ("worker", FailureClass::Worker),
    ("shutdown", FailureClass::Shutdown),
    ("forgotten", FailureClass::Forgotten),
    ("silent", FailureClass::Silent),
];

impl FailureClass {
    /// The text code that stands in journals and exports.
    pub fn code(&self) -> String {
        match self {
            FailureClass::Phase(phase) => format!("phase:{phase}"),
            FailureClass::Process(code) => format!("process:{code}"),
            FailureClass::Other(family) => format!("other:{family}"),
            plain => {
                CODES.iter().find(|(_, class)| class == plain).map_or("other", |(code, _)| code).to_owned()
            }
        }
    }
}

impl From<FailureClass> for String {
    fn from(class: FailureClass) -> String {
        class.code()
    }
}

impl From<String> for FailureClass {
    fn from(code: String) -> FailureClass {
        if let Some(phase) = code.strip_prefix("phase:") {
            return FailureClass::Phase(phase.to_owned());
        }
        if let Some(exit) = code.strip_prefix("process:") {
            return FailureClass::Process(exit.to_owned());
        }
        if let Some(family) = code.strip_prefix("other:") {
            return FailureClass::Other(family.to_owned());
        }
        match CODES.iter().find(|(text, _)| *text == code) {
            Some((_, class)) => class.clone(),
            None => FailureClass::Other(code),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)] // a test that cannot go on should say where
    use super::*;

    #[test]
    fn every_class_survives_the_journal_and_an_unknown_code_is_kept() {
        let all = CODES.iter().map(|(_, class)| class.clone()).chain([
            FailureClass::Phase("segment merge".into()),
            FailureClass::Process("137".into()),
            FailureClass::Other("Ran […]".into()),
        ]);
        for class in all {
            let json = serde_json::to_string(&class).expect("a text code");
            let back: FailureClass = serde_json::from_str(&json).expect("what was just written");
            assert_eq!(back, class);
            assert!(!class.label().is_empty());
            assert!(class.clears().ends_with('.'));
        }
        assert_eq!(
            FailureClass::from("from-the-future".to_owned()),
            FailureClass::Other("from-the-future".into())
        );
    }
}
