//! Fields that change with every submission inside the content that the id is made from: a retry gets another id and
//! runs a second time.

use druid::json::{Kind, Node, Path};

use super::{Finding, Seen};
use crate::words::{agreeing, count, listed};

pub(super) const NAME: &str = "volatile-fields";

/// Parts of key names, in lower case, whose values are of one submission.
const NAMES: &[&str] = &[
    "submittedat",
    "createdat",
    "created_at",
    "submitted_at",
    "generatedat",
    "runid",
    "run_id",
    "requestid",
    "request_id",
    "traceid",
    "trace_id",
    "nonce",
    "attempt",
    "jobid",
    "job_id",
    "executiondate",
    "execution_date",
    "buildnumber",
    "build_number",
    "uuid",
];

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(left_out) = &seen.around.left_out_of_id else { return Vec::new() };
    let mut found: Vec<Path> = Vec::new();
    let mut rest: Vec<(Node<'_>, Path)> =
        seen.document().root().map(|root| (root, Path::root())).into_iter().collect();
    while let Some((node, path)) = rest.pop() {
        if left_out.contains(&path) || path.last_key() == Some("data") {
            continue;
        }
        if is_volatile(node, &path) {
            found.push(path.clone());
            continue;
        }
        let members = node.members().map(|(key, child)| (child, path.join(&*key)));
        let items = node.items().enumerate().map(|(at, child)| (child, path.join(at)));
        rest.extend(members.chain(items).collect::<Vec<_>>().into_iter().rev());
    }
    if found.is_empty() {
        return vec![Finding::pass(
            NAME,
            "Nothing in the content changes by itself",
            "The id is made from the content, and no field looks like a time of day, a counter or a random text.",
        )];
    }
    let number = found.len() as u64;
    let title = format!("{} would change the id of a retry", count(number, "field"));
    let why = format!(
        "The id is made from the content, and {} {} like something that is new with every submission: the same work \
         would get another id and run twice. List {} as volatile, or type a version.",
        listed(found.iter().map(Path::to_string), 3),
        agreeing(number, "looks", "look"),
        agreeing(number, "it", "them")
    );
    vec![Finding::warn(NAME, title, why).number(number)]
}

fn is_volatile(node: Node<'_>, path: &Path) -> bool {
    let scalar = matches!(node.kind(), Kind::String | Kind::Number);
    let named = path.last_key().is_some_and(|key| {
        let key = key.to_ascii_lowercase();
        NAMES.iter().any(|name| key.contains(name))
    });
    scalar && (named || node.as_str().is_some_and(|text| is_uuid(&text)))
}

/// `8-4-4-4-12` hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}
