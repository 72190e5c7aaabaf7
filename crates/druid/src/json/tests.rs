//! What reading and editing say and do, case by case. The laws that hold for all texts are in `tests/json.rs`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failing test should stop at once")]

use super::*;

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

#[track_caller]
fn check_set(before: &str, at: &str, json: &str, after: &str) {
    let document = Document::parse(before);
    let splice = document.set(&path(at), json).unwrap();
    let edited = document.apply(&splice).unwrap();
    assert_eq!(edited.text(), after);
    assert_eq!(edited.apply(&splice.inverse()).unwrap().text(), before, "taking it back");
}

#[track_caller]
fn check_remove(before: &str, at: &str, after: &str) {
    let document = Document::parse(before);
    let splice = document.remove(&path(at)).unwrap();
    assert_eq!(document.apply(&splice).unwrap().text(), after);
}

/// What is said about a text: line, column, words.
fn said(text: &str) -> Vec<(usize, usize, String)> {
    let document = Document::parse(text);
    document.diagnostics().iter().map(|d| (d.line, d.column, d.message.clone())).collect()
}

#[track_caller]
fn check_said(text: &str, line: usize, column: usize, part: &str) {
    let said = said(text);
    let first = said.first().unwrap_or_else(|| panic!("nothing was said about {text}"));
    assert_eq!((first.0, first.1), (line, column), "{said:?}");
    assert!(first.2.contains(part), "{said:?}");
}

#[test]
fn a_path_is_read_as_it_is_written() {
    for text in [
        "",
        "spec.ioConfig.inputSource.prefixes[0]",
        "context[\"a.b\"][\"\"]",
        "[3].주문일시",
        "a[\"x\\\"y\"]",
    ] {
        assert_eq!(path(text).to_string(), text);
    }
    for text in [".a", "a..b", "a[", "a[x]", "a[\"b]", "a]"] {
        assert!(Path::parse(text).is_err(), "{text}");
    }
}

#[test]
fn the_last_of_repeated_keys_counts() {
    let document = Document::parse(r#"{"a":1,"b":2,"a":3}"#);
    assert_eq!(document.get(&path("a")).unwrap().as_i64(), Some(3));
    assert!(document.is_well_formed(), "Druid takes it");
    check_said(r#"{"a":1,"b":2,"a":3}"#, 1, 2, "Druid takes the last one");
}

#[test]
fn escapes_are_decoded() {
    let document = Document::parse(r#"{"\u0061":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83d!"}"#);
    let value = document.get(&path("a")).unwrap();
    assert_eq!(value.as_str().unwrap(), "\"\\/\u{8}\u{c}\n\r\té😀\u{fffd}!");
}

#[test]
fn numbers_keep_their_spelling() {
    let document = Document::parse("[9223372036854775806, 0.10, 1E3, 12345678901234567890123]");
    let texts: Vec<_> = document.root().unwrap().items().map(|n| n.number_text().unwrap()).collect();
    assert_eq!(texts, ["9223372036854775806", "0.10", "1E3", "12345678901234567890123"]);
    assert_eq!(document.get(&path("[0]")).unwrap().as_i64(), Some(9_223_372_036_854_775_806));
}

#[test]
fn what_is_wrong_is_said_in_plain_words_with_its_place() {
    check_said("", 1, 1, "there is nothing here");
    check_said("{\"a\": 1,}", 1, 8, "this comma has nothing after it");
    check_said("{\n  \"a\": 1\n  \"b\": 2\n}", 3, 3, "a comma is missing before this");
    check_said("{\"a\" 1}", 1, 5, "a colon is missing");
    check_said("{\"a\": }", 1, 7, "a value is missing");
    check_said("{\"a\": [1, 2}", 1, 12, "} does not close the [ of line 1: expected ]");
    check_said("{\n\"a\": {\"b\": 1\n", 2, 13, "the { of line 2 is closed");
    check_said("{\"a\": 1}}", 1, 9, "one closing bracket too many");
    check_said("{\"a\": 1} {\"b\": 2}", 1, 10, "does not read what follows");
    check_said("{'a': 1}", 1, 2, "keys stand in double quotes: \"a\"");
    check_said("{a: 1}", 1, 2, "keys stand in double quotes: \"a\"");
    check_said("{\"a\": True}", 1, 7, "True is written true");
    check_said("{\"a\": None}", 1, 7, "None is written null");
    check_said("{\"a\": 01}", 1, 7, "01 is no JSON number");
    check_said("{\"a\": events_web}", 1, 7, "text stands in double quotes");
    check_said("{\"a\": 1 // why\n}", 1, 9, "no comments");
    check_said("{\"a\": \"x}\n", 1, 7, "no closing quote");
    check_said("{\"a\": \"x\ny\"}", 1, 9, "a line break inside a string is written \\n");
    check_said("{\"a\": \"C:\\data\"}", 1, 10, "no such escape");
    check_said("{\r\n\"é\": \"\t\"}", 2, 7, "a control character inside a string is written \\t");
    check_said("\u{feff}{\"a\": x}", 1, 7, "text stands in double quotes");
}

#[test]
fn an_unfilled_template_is_called_one() {
    let text = "{\n  \"sqls\": %%SQL_QUERY%%,\n  \"n\": {{ count }},\n  \"m\": ${COUNT},\n  \"k\": 1\n}";
    let said = said(text);
    assert_eq!(said.len(), 3, "{said:?}");
    assert_eq!((said[0].0, said[0].1), (2, 11));
    assert!(said[0].2.starts_with("%%SQL_QUERY%% is a placeholder"));
    assert!(said[1].2.starts_with("{{ count }} is a placeholder"));
    assert!(said[2].2.starts_with("${COUNT} is a placeholder"));
    let document = Document::parse(text);
    assert_eq!(document.get(&path("k")).unwrap().as_i64(), Some(1), "what comes after is read");
    assert_eq!(document.get(&path("sqls")).unwrap().kind(), Kind::Broken);
}

#[test]
fn a_template_can_be_filled_in_where_it_stands() {
    check_set(
        "{\"sqls\": %%SQL%%, \"k\": 1}",
        "sqls",
        "[\"SELECT 1\"]",
        "{\"sqls\": [\"SELECT 1\"], \"k\": 1}",
    );
}

#[test]
fn a_bomb_of_brackets_is_text_beyond_the_depth_that_is_read() {
    let text = "[".repeat(1_000_000);
    let document = Document::parse(text.as_str());
    assert_eq!(document.text(), text);
    assert!(document.diagnostics().iter().any(|d| d.trouble == Trouble::Limit));
    let closed = format!("{}1{}", "{\"a\":".repeat(5000), "}".repeat(5000));
    assert!(Document::parse(closed).root().unwrap().value().is_object());
}

#[test]
fn a_text_full_of_errors_is_kept_and_told_once_and_for_all() {
    for text in
        ["[{".repeat(100_000), "}".repeat(100_000), "[1 // x\n".repeat(50_000), "{\"a\" ".repeat(50_000)]
    {
        let document = Document::parse(text.as_str());
        assert_eq!(document.text(), text);
        assert!((1..=50).contains(&document.diagnostics().len()));
        assert!(document.set(&path("[0].new"), "1").is_err() || document.root().is_none());
    }
}

#[test]
fn an_error_is_told_however_many_keys_stand_twice() {
    let text = format!("{{{}\"a\":", "\"a\":1,".repeat(500));
    let document = Document::parse(text.as_str());
    assert_eq!(document.diagnostics().len(), 50);
    assert!(!document.is_well_formed());
    assert!(document.diagnostics().is_sorted_by_key(|found| found.span));
}

#[test]
fn the_place_of_a_cursor_is_a_path() {
    let text = "{\"spec\": {\"a\": [10, 20]}}";
    let document = Document::parse(text);
    assert_eq!(document.path_at(text.find("20").unwrap() + 1).unwrap().to_string(), "spec.a[1]");
    assert_eq!(document.path_at(text.find("\"a\"").unwrap() + 1).unwrap().to_string(), "spec.a");
    assert_eq!(document.path_at(500), None);
}

#[test]
fn a_value_is_replaced_where_it_stands() {
    check_set("{ \"a\" : 1 ,\n \"b\":2}\n", "a", "true", "{ \"a\" : true ,\n \"b\":2}\n");
    check_set("{\"a\":1,\"a\":2}", "a", "3", "{\"a\":1,\"a\":3}");
    check_set("[1,2]", "[1]", "1E3", "[1,1E3]");
    check_set("\u{feff}{\"a\": 1}\r\n", "a", "2", "\u{feff}{\"a\": 2}\r\n");
}

#[test]
fn a_new_member_looks_like_its_neighbours() {
    check_set("{\n    \"a\": 1\n}\n", "b", "2", "{\n    \"a\": 1,\n    \"b\": 2\n}\n");
    check_set("{\r\n\t\"a\" : 1\r\n}", "b", "2", "{\r\n\t\"a\" : 1,\r\n\t\"b\" : 2\r\n}");
    check_set("{ \"a\": 1, \"b\": 2 }", "c", "3", "{ \"a\": 1, \"b\": 2, \"c\": 3 }");
    check_set("{\"a\":1}", "b", "{\"c\": [1, 2]}", "{\"a\":1,\"b\":{\"c\":[1,2]}}");
    check_set(
        "{\n  \"a\": {\n    \"x\": 1\n  }\n}",
        "a.y",
        "{\"z\":[1,{\"w\":2}]}",
        "{\n  \"a\": {\n    \"x\": 1,\n    \"y\": {\n      \"z\": [\n        1,\n        {\n          \"w\": 2\n        }\n      ]\n    }\n  }\n}",
    );
}

#[test]
fn missing_parents_are_made() {
    check_set(
        "",
        "spec.ioConfig.appendToExisting",
        "true",
        "{\n  \"spec\": {\n    \"ioConfig\": {\n      \"appendToExisting\": true\n    }\n  }\n}",
    );
    check_set("{}", "a.b[0]", "1", "{\"a\":{\"b\":[1]}}");
    check_set(
        "{\n  \"spec\": {\n    \"ioConfig\": null\n  }\n}\n",
        "spec.ioConfig.dropExisting",
        "true",
        "{\n  \"spec\": {\n    \"ioConfig\": {\n      \"dropExisting\": true\n    }\n  }\n}\n",
    );
    check_set(
        "{\n  \"a\": {},\n  \"b\": 1\n}",
        "a.c",
        "2",
        "{\n  \"a\": {\n    \"c\": 2\n  },\n  \"b\": 1\n}",
    );
}

#[test]
fn a_list_keeps_its_shape() {
    check_set(
        "{\n  \"i\": [\n    \"x\"\n  ]\n}",
        "i",
        "[\"y\",\"z\"]",
        "{\n  \"i\": [\n    \"y\",\n    \"z\"\n  ]\n}",
    );
    check_set("{\n  \"i\": [\"x\"]\n}", "i", "[\"y\",\"z\"]", "{\n  \"i\": [\"y\", \"z\"]\n}");
    check_set(
        "{\n  \"i\": [\n    \"x\"\n  ]\n}",
        "i[1]",
        "\"y\"",
        "{\n  \"i\": [\n    \"x\",\n    \"y\"\n  ]\n}",
    );
    let document = Document::parse("{\"i\": [\"a\", \"c\"]}");
    let splice = document.insert(&path("i[1]"), "\"b\"").unwrap();
    assert_eq!(document.apply(&splice).unwrap().text(), "{\"i\": [\"a\", \"b\", \"c\"]}");
    let splice = document.insert(&path("i[0]"), "0").unwrap();
    assert_eq!(document.apply(&splice).unwrap().text(), "{\"i\": [0, \"a\", \"c\"]}");
}

#[test]
fn removal_takes_the_right_comma_with_it() {
    let text = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}";
    check_remove(text, "a", "{\n  \"b\": 2,\n  \"c\": 3\n}");
    check_remove(text, "b", "{\n  \"a\": 1,\n  \"c\": 3\n}");
    check_remove(text, "c", "{\n  \"a\": 1,\n  \"b\": 2\n}");
    check_remove("{\n  \"a\": 1\n}", "a", "{}");
    check_remove("[1, 2, 3]", "[1]", "[1, 3]");
}

#[test]
fn removal_leaves_no_earlier_twin_to_come_to_life() {
    check_remove("{\"a\":1,\"b\":2,\"a\":3,\"c\":4,\"a\":5}", "a", "{\"b\":2,\"c\":4}");
    check_remove("{\"b\":2,\"a\":3,\"a\":5}", "a", "{\"b\":2}");
}

#[test]
fn a_misspelt_key_is_renamed_in_place() {
    let document = Document::parse("{\"dropExsiting\" : true, \"x\": 1}");
    let splice = document.rename(&path("dropExsiting"), "dropExisting").unwrap();
    assert_eq!(document.apply(&splice).unwrap().text(), "{\"dropExisting\" : true, \"x\": 1}");
    assert!(document.rename(&path("x"), "dropExsiting").is_err(), "the key is taken");
}

#[test]
fn an_edit_that_makes_no_sense_is_refused_with_a_reason() {
    let document = Document::parse("{\"a\": 1, \"b\": [1]}");
    assert!(matches!(document.set(&path("a.c"), "1"), Err(EditError::NotAContainer { .. })));
    assert!(matches!(document.set(&path("b.c"), "1"), Err(EditError::NotAContainer { .. })));
    assert!(matches!(document.set(&path("b[2]"), "1"), Err(EditError::NoSuchPlace { .. })));
    assert!(matches!(document.set(&path("c"), "{"), Err(EditError::NotJson(_))));
    assert!(matches!(document.set(&path("c"), "1, \"d\": 2"), Err(EditError::NotJson(_))));
    assert!(matches!(document.remove(&path("c")), Err(EditError::NotFound { .. })));
    let broken = Document::parse("{\"a\": 1, \"b\" 2}");
    assert!(matches!(broken.set(&path("c"), "1"), Err(EditError::Broken { .. })));
    assert!(broken.set(&path("a"), "2").is_ok(), "what stands whole can be replaced");
    let other = document.set(&path("a"), "2").unwrap();
    assert!(broken.apply(&other).is_ok());
    assert!(Document::parse("{}").apply(&other).is_err());
}

#[test]
fn typing_into_the_text_is_the_smallest_splice() {
    let document = Document::parse("{\"a\": \"größe\"}");
    let splice = document.splice_to("{\"a\": \"grüße\"}");
    assert_eq!((splice.removed.as_str(), splice.inserted.as_str()), ("ö", "ü"));
    assert_eq!(document.apply(&splice).unwrap().text(), "{\"a\": \"grüße\"}");
    assert_eq!(document.splice_to(document.text()).removed, "");
}
