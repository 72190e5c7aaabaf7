//! Specs as people have them: public ones read in place where they are, and the project's own of the same shapes.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failing test should stop at once"
)]

use std::path::{Path, PathBuf};

use druid::json::{Document, Severity};
use druid::release::Release;
use druid::spec::upgrade::upgrade;
use druid::spec::{Body, Task, TaskKind, lint, refusals, secrets};
use druid::zone::UtcOnly;

struct Case {
    name: String,
    text: String,
}

/// The public cases: a folder beside the project, or the one that FORESHADOW_SHARED names. They are not part of the
/// project; without them the own specs are all that is tested.
#[allow(clippy::print_stdout, reason = "a skipped test has to say so")]
fn public() -> Vec<Case> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("FORESHADOW_SHARED").map_or_else(beside, PathBuf::from).join("cases");
    if !folder.is_dir() {
        println!("public cases are not present: only the project's own specs are tested");
        return Vec::new();
    }
    read(&folder, |name| name.starts_with("spec-"))
}

fn own() -> Vec<Case> {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specs"), |name| !name.starts_with('.'))
}

fn read(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<Case> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named = files.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path));
    let mut cases: Vec<_> = named
        .filter(|(name, _)| wanted(name))
        .map(|(name, path)| Case { name, text: std::fs::read_to_string(path).unwrap() })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

fn all() -> Vec<Case> {
    own().into_iter().chain(public()).collect()
}

fn task(case: &Case) -> Task {
    Task::read(&Document::parse(case.text.as_str()), &UtcOnly)
}

#[test]
fn every_spec_comes_out_byte_for_byte() {
    for case in all() {
        let document = Document::parse(case.text.as_str());
        assert_eq!(document.text(), case.text, "{}", case.name);
        // Nothing that looks at it changes it.
        let task = Task::read(&document, &UtcOnly);
        let _ = (lint(&document), secrets(&document), refusals(&task, Release::major(37)));
        assert_eq!(task.document.text(), case.text, "{}", case.name);
    }
}

#[test]
fn json_is_read_as_json_and_a_template_is_told_with_its_place() {
    let mut templates = 0;
    for case in all() {
        let document = Document::parse(case.text.as_str());
        if Path::new(&case.name).extension().is_some_and(|ending| ending == "json") {
            assert!(document.is_well_formed(), "{}: {:?}", case.name, document.diagnostics());
            let without_mark = case.text.trim_start_matches('\u{feff}');
            let value: serde_json::Value = serde_json::from_str(without_mark).unwrap();
            assert_eq!(document.root().unwrap().value(), value, "{}", case.name);
            continue;
        }
        templates += 1;
        let told = &document.diagnostics()[0];
        let line = case.text.lines().nth(told.line - 1).unwrap();
        let word: String = line.chars().skip(told.column - 1).take_while(|c| !",} \n".contains(*c)).collect();
        assert!(told.message.starts_with(&word) && word.starts_with("%%"), "{}: {word} {told:?}", case.name);
        assert!(told.message.contains("is a placeholder that nobody filled in"));
    }
    assert!(templates >= 1);
}

#[test]
fn every_spec_is_known_for_what_it_is() {
    for case in all() {
        let name = case.name.trim_start_matches("spec-");
        let task = task(&case);
        let sentence = task.what_it_is();
        assert!(sentence.ends_with('.'), "{sentence}");
        match &task.kind {
            TaskKind::IndexParallel | TaskKind::Index => {
                assert!(matches!(task.body, Body::Batch(_)), "{name}")
            }
            TaskKind::Compact => {
                assert!(name.starts_with("compact"), "{name}");
                assert!(matches!(&task.body, Body::Compact(compact) if compact.interval.is_some()), "{name}");
            }
            TaskKind::Kill => assert!(name.starts_with("kill"), "{name}"),
            TaskKind::Supervisor(kind) => assert!(kind == "kafka" && name.starts_with("kafka"), "{name}"),
            TaskKind::Hadoop => {
                assert!(name.contains("hadoop") || name.contains("batch-template"), "{name}");
                assert!(sentence.contains("no Hadoop ingestion any more since 37"));
            }
            TaskKind::MsqController => assert!(name.starts_with("msq"), "{name}"),
            TaskKind::Other(kind) => assert_eq!(kind, "lucene_upset", "{name}"),
            TaskKind::MarkUsed | TaskKind::MarkUnused => {
                panic!("{name}: a call of ours in a case of Druid's")
            }
            TaskKind::NotATask => assert!(name.starts_with("realtime"), "{name}"),
        }
        if task.kind != TaskKind::NotATask {
            assert!(task.datasource.is_some(), "{name}");
        }
    }
}

#[test]
fn what_druid_knows_is_not_called_unknown() {
    // Keys that are no Druid's, in the specs that have them.
    let strangers: &[(&str, &[&str])] = &[
        ("spec-long-ints-and-odd-numbers.json", &["x_ratio", "x_exp", "x_bigint", "x-owner-note"]),
        ("batch-one-line-odd-numbers.json", &["x-ratio", "x-exp", "x-big", "x-note", "x-note"]),
        (
            "spec-korean-columns-firehose-wide-interval.json",
            &["enforceType", "append", "maxOccupationInMemory", "interval"],
        ),
        ("spec-misplaced-listdelimiter-yearly-backfill.json", &["listDelimiter"]),
        ("batch-crlf-bom-misplaced-key.json", &["listDelimiter"]),
        ("spec-compact-toplevel-interval.json", &["forceExtendableShardSpecs"]),
        ("compact-toplevel-interval.json", &["forceExtendableShardSpecs"]),
    ];
    for case in all() {
        let told: Vec<_> = lint(&Document::parse(case.text.as_str()))
            .iter()
            .map(|problem| problem.path.last_key().unwrap_or_default().to_owned())
            .collect();
        let wanted = strangers.iter().find(|(name, _)| *name == case.name).map_or(&[][..], |(_, keys)| keys);
        assert_eq!(told, wanted, "{}", case.name);
    }
}

#[test]
fn a_flat_spec_keeps_its_id_and_context() {
    let flat: Vec<_> = all()
        .into_iter()
        .filter(|case| case.name.contains("-flat"))
        .filter(|case| !case.name.contains("kafka"))
        .collect();
    assert!(!flat.is_empty());
    for case in flat {
        let document = Document::parse(case.text.as_str());
        let nested = upgrade(&document).unwrap().document;
        let task = Task::read(&nested, &UtcOnly);
        assert_eq!(task.id.as_deref(), Some("keep-me"), "{}", case.name);
        assert!(task.context.use_concurrent_locks);
        assert_eq!(refusals(&task, Release::major(33)), [], "{}", nested.text());
    }
}

#[test]
fn templates_inside_texts_are_errors_of_their_own() {
    for case in all().into_iter().filter(|case| case.name.contains("template")) {
        let placeholders: Vec<_> =
            task(&case).problems.into_iter().filter(|problem| problem.code == "placeholder").collect();
        assert!(!placeholders.is_empty(), "{}", case.name);
        assert!(placeholders.iter().all(|problem| problem.severity == Severity::Error));
    }
}

#[test]
fn sources_that_read_the_target_are_known() {
    for case in all()
        .into_iter()
        .filter(|case| case.name.contains("combining-hashed") || case.name.contains("reads-itself"))
    {
        let task = task(&case);
        let datasource = task.datasource.clone().unwrap();
        assert!(task.batch().unwrap().input.reads(&datasource), "{}", case.name);
    }
}

#[test]
fn a_password_is_never_missed() {
    for case in all()
        .into_iter()
        .filter(|case| case.text.contains("assword") || case.text.contains("secretAccessKey"))
    {
        let document = Document::parse(case.text.as_str());
        assert!(!secrets(&document).is_empty(), "{}", case.name);
    }
}
