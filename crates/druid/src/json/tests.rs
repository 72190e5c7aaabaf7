#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failing test should stop at once")]
use super::*;
#[test]
fn smoke() {
    let d = Document::parse("{\"a\": [1, 2]}\n");
    assert!(d.is_well_formed());
    let s = d.set(&Path::parse("a[2]").unwrap(), "{\"b\":1E3}").unwrap();
    assert_eq!(d.apply(&s).unwrap().text(), "{\"a\": [1, 2, {\"b\": 1E3}]}\n");
}
