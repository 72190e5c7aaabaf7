//! The laws of the lossless document, for all texts.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failing test should stop at once")]

use druid::json::{Document, Edit, Kind, Node, Path, Step, quote};
use proptest::prelude::*;
use serde_json::Value;

/// JSON values as people write them: short keys, some repeated, all kinds of text.
fn value() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?",
    ];
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|b| b.to_string()),
        number,
        ".{0,8}".prop_map(|s| quote(&s)),
        "[a-z ,{}\\[\\]\"\\\\]{0,8}".prop_map(|s| quote(&s)),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let blank = "[ \t]{0,2}|\n {0,6}|\r\n\t{0,3}";
        let list = prop::collection::vec((blank, inner.clone(), blank), 0..5);
        let members = prop::collection::vec((blank, "[ab\"é]{1,2}", blank, inner, blank), 0..5);
        prop_oneof![
            list.prop_map(|items| {
                let items: Vec<_> = items.into_iter().map(|(a, v, b)| format!("{a}{v}{b}")).collect();
                format!("[{}]", items.join(","))
            }),
            members.prop_map(|members| {
                let members: Vec<_> = members
                    .into_iter()
                    .map(|(a, k, b, v, c)| format!("{a}{}{b}:{c}{v}{a}", quote(&k)))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

fn document() -> impl Strategy<Value = String> {
    ("\u{feff}?", "[ \n]{0,2}", value(), "(\n|\r\n)?").prop_map(|(bom, a, v, b)| format!("{bom}{a}{v}{b}"))
}

/// All places of a document.
fn paths(node: Node<'_>, here: &Path, out: &mut Vec<Path>) {
    out.push(here.clone());
    for (index, child) in node.children().enumerate() {
        let step = child.key().map_or(Step::Index(index), |key| Step::Key(key.into_owned()));
        paths(child, &here.join(step), out);
    }
}

fn places(document: &Document) -> Vec<Path> {
    let mut out = Vec::new();
    if let Some(root) = document.root() {
        paths(root, &Path::root(), &mut out);
    }
    out
}

/// One of the edits that a document allows, chosen by two numbers.
fn some_edit(document: &Document, choice: usize, action: u8, json: &str) -> Edit {
    let places = places(document);
    let place = places.get(choice % places.len().max(1)).cloned().unwrap_or_default();
    match (action % 4, document.get(&place).map(Node::kind)) {
        (0, Some(Kind::Object)) => Edit::Set(place.join("new").join("er"), json.to_owned()),
        (0, Some(Kind::Array)) => {
            let end = document.get(&place).unwrap().items().count();
            Edit::Set(place.join(end), json.to_owned())
        }
        (1, _) => Edit::Remove(place),
        (2, _) => Edit::Rename(place, "renamed".to_owned()),
        _ => Edit::Set(place, json.to_owned()),
    }
}

/// Values are the same when Druid would see no difference; numbers must even be spelt the same.
fn same(left: Node<'_>, right: Node<'_>) -> bool {
    left.kind() == right.kind()
        && match left.kind() {
            Kind::Object => {
                let keys: Vec<_> = left.members().map(|(key, _)| key).collect();
                let others: Vec<_> = right.members().map(|(key, _)| key).collect();
                keys == others && left.children().zip(right.children()).all(|(l, r)| same(l, r))
            }
            Kind::Array => {
                left.children().count() == right.children().count()
                    && left.children().zip(right.children()).all(|(l, r)| same(l, r))
            }
            Kind::String => left.as_str() == right.as_str(),
            _ => left.text() == right.text(),
        }
}

proptest! {
    #[test]
    fn any_text_comes_back_byte_for_byte(text in "\\PC*|[\\[\\]{}\":,0-9a-c\\\\/ \n%$]{0,60}") {
        let document = Document::parse(text.as_str());
        prop_assert_eq!(document.text(), text);
        for found in document.diagnostics() {
            prop_assert!(document.text().get(found.span.start..found.span.end).is_some());
        }
        for place in places(&document) {
            prop_assert_eq!(&Path::parse(&place.to_string()).unwrap(), &place);
        }
    }

    #[test]
    fn a_text_is_well_formed_exactly_when_serde_reads_it(text in prop_oneof![
        document(),
        "[\\[\\]{}\":,0-9a-c\\\\/ \n]{0,12}",
        "[\\[\\]{}\",: ]{0,12}|-?[0-9.eE+-]{0,6}",
    ]) {
        let without_mark = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let serde = serde_json::from_str::<Value>(without_mark);
        let document = Document::parse(text.as_str());
        // serde refuses numbers beyond f64, which Jackson takes.
        let out_of_range = serde.as_ref().is_err_and(|e| e.to_string().contains("number out of range"));
        prop_assume!(!out_of_range);
        prop_assert_eq!(document.is_well_formed(), serde.is_ok(), "{:?} {:?}", document.diagnostics(), serde);
        if let Ok(value) = serde {
            prop_assert_eq!(document.root().unwrap().value(), value);
        }
    }

    #[test]
    fn edits_taken_back_leave_the_same_bytes(
        text in document(),
        edits in prop::collection::vec((any::<usize>(), any::<u8>(), value()), 1..6),
    ) {
        let mut document = Document::parse(text.as_str());
        let mut back = Vec::new();
        for (choice, action, json) in &edits {
            if let Ok(splice) = document.edit(&some_edit(&document, *choice, *action, json)) {
                document = document.apply(&splice).unwrap();
                back.push(splice.inverse());
                prop_assert!(document.is_well_formed(), "{} {:?}", document.text(), document.diagnostics());
            }
        }
        for splice in back.iter().rev() {
            document = document.apply(splice).unwrap();
        }
        prop_assert_eq!(document.text(), text);
    }

    #[test]
    fn what_was_set_is_there(text in document(), choice in any::<usize>(), action in any::<u8>(), json in value()) {
        let document = Document::parse(text.as_str());
        let edit = some_edit(&document, choice, action, &json);
        if let (Edit::Set(place, json), Ok(splice)) = (&edit, document.edit(&edit)) {
            let edited = document.apply(&splice).unwrap();
            let wanted = Document::parse(json.as_str());
            let found = edited.get(place);
            prop_assert!(found.is_some_and(|found| same(found, wanted.root().unwrap())), "{}", edited.text());
        }
    }

    #[test]
    fn what_was_removed_is_gone_and_nothing_else(text in document(), choice in any::<usize>()) {
        let document = Document::parse(text.as_str());
        let places = places(&document);
        let place = &places[choice % places.len()];
        if let Ok(splice) = document.remove(place) {
            let edited = document.apply(&splice).unwrap();
            let parent = place.parent().unwrap();
            let before = document.get(&parent).unwrap();
            let after = edited.get(&parent).unwrap();
            match place.0.last().unwrap() {
                Step::Key(key) => {
                    let kept: Vec<_> = before.members().filter(|(name, _)| name != key).collect();
                    prop_assert_eq!(kept.len(), after.members().count());
                    prop_assert!(kept.iter().zip(after.members()).all(|(l, r)| l.0 == r.0 && same(l.1, r.1)));
                }
                Step::Index(index) => {
                    let kept: Vec<_> = before.items().enumerate().filter(|(at, _)| at != index).collect();
                    prop_assert_eq!(kept.len(), after.items().count());
                    prop_assert!(kept.iter().zip(after.items()).all(|(l, r)| same(l.1, r)));
                }
            }
        }
    }

    #[test]
    fn any_text_can_be_typed_into_any_other(from in "[a-cé{}\n]{0,12}", to in "[a-cé{}\n]{0,12}") {
        let document = Document::parse(from.as_str());
        let splice = document.splice_to(&to);
        let typed = document.apply(&splice).unwrap();
        prop_assert_eq!(typed.text(), &to);
        let untyped = typed.apply(&splice.inverse()).unwrap();
        prop_assert_eq!(untyped.text(), from);
    }
}
