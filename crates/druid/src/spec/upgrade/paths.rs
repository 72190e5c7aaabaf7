//! Hadoop's `inputSpec` to an input source, by the scheme of its paths (`StaticPathSpec`, `GranularityPathSpec`,
//! `DatasourcePathSpec`, `MultiplePathSpec`).

use crate::granularity::Granularity;
use crate::interval::Interval;
use crate::json::{Kind, Node, quote};
use crate::zone::UtcOnly;

/// Most folders that are written out of a granularity.
const MOST_FOLDERS: u64 = 1_000;

/// What became of an `inputSpec`.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// The input source; none where it has to be written by hand.
    pub(super) json: Option<String>,
    /// What it reads, in words.
    pub(super) how: String,
    /// What a person has to look at.
    pub(super) notes: Vec<String>,
    /// Whether everything of the `inputSpec` is in the source.
    pub(super) whole: bool,
    /// Whether it reads segments of Druid.
    pub(super) reads_segments: bool,
}

impl Source {
    pub(super) fn by_hand(why: &str) -> Source {
        Source { notes: vec![why.to_owned()], ..Source::default() }
    }
}

/// The source for an `inputSpec`. `intervals`: those of `granularitySpec`, by which folders are chosen.
pub(super) fn source_of(spec: Node<'_>, intervals: Option<Node<'_>>) -> Source {
    let kind = spec.get("type").and_then(Node::as_str).unwrap_or_default();
    match &*kind {
        "static" => fixed(spec),
        "granularity" => by_time(spec, intervals),
        "dataSource" => segments(spec),
        "multi" => several(spec, intervals),
        other => Source::by_hand(&format!(
            "inputSource has to be written by hand: there is none for an inputSpec of type {other}."
        )),
    }
}

/// Whether an object has no other keys than these.
fn has_only(node: Node<'_>, keys: &[&str]) -> bool {
    node.members().all(|(key, value)| keys.contains(&&*key) || value.is_null())
}

fn fixed(spec: Node<'_>) -> Source {
    let whole = has_only(spec, &["type", "paths"]);
    match spec.get("paths") {
        Some(paths) if paths.kind() == Kind::String => {
            let text = paths.as_str().unwrap_or_default();
            let mut source = of_paths(&split(&text), Some(paths.text()));
            source.whole &= whole;
            source
        }
        Some(paths) if paths.kind() == Kind::Array => {
            let list: Vec<String> =
                paths.items().filter_map(|one| one.as_str().map(|one| one.into_owned())).collect();
            let mut source = of_paths(&list, Some(paths.text()));
            source.whole &= whole;
            source
        }
        _ => Source::by_hand("inputSource has to be written by hand: inputSpec names no paths."),
    }
}

/// Paths between commas; those inside braces belong to a pattern (`FileInputFormat.setInputPaths`).
fn split(text: &str) -> Vec<String> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(text.get(start..at).unwrap_or_default().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(text.get(start..).unwrap_or_default().to_owned());
    out.into_iter().map(|path| path.trim().to_owned()).filter(|path| !path.is_empty()).collect()
}

/// Where a path leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Store {
    S3,
    Google,
    Azure,
    Http,
    Local,
    Hdfs,
}

/// The store of a path, and the path as its source writes it.
fn store(path: &str) -> (Store, String) {
    let (scheme, rest) = path.split_once("://").unwrap_or(("", path));
    match scheme {
        "s3" | "s3n" | "s3a" => (Store::S3, format!("s3://{rest}")),
        "gs" => (Store::Google, path.to_owned()),
        "wasb" | "wasbs" | "abfs" | "abfss" => {
            let (container, rest) = rest.split_once('@').unwrap_or((rest, ""));
            let (_, blob) = rest.split_once('/').unwrap_or_default();
            (Store::Azure, format!("azure://{container}/{blob}"))
        }
        "http" | "https" => (Store::Http, path.to_owned()),
        "file" => (Store::Local, rest.to_owned()),
        _ => match path.strip_prefix("file:") {
            Some(rest) => (Store::Local, rest.to_owned()),
            None => (Store::Hdfs, path.to_owned()),
        },
    }
}

/// One source of a store.
fn part(store: Store, key: &str, paths: &[String]) -> String {
    let kind = match store {
        Store::S3 => "s3",
        Store::Google => "google",
        Store::Azure => "azure",
        Store::Http => "http",
        Store::Local => "local",
        Store::Hdfs => "hdfs",
    };
    let list: Vec<String> = paths.iter().map(|path| quote(path)).collect();
    format!("{{\"type\":\"{kind}\",\"{key}\":[{}]}}", list.join(","))
}

/// The source for some paths. `verbatim`: the JSON they came from, which HDFS takes as it is.
fn of_paths(paths: &[String], verbatim: Option<&str>) -> Source {
    if paths.is_empty() {
        return Source::by_hand("inputSource has to be written by hand: inputSpec names no paths.");
    }
    let stores: Vec<(Store, String)> = paths.iter().map(|path| store(path)).collect();
    if stores.iter().all(|(store, _)| *store == Store::Hdfs) {
        let list = || paths.iter().map(|path| quote(path)).collect::<Vec<_>>().join(",");
        let paths = verbatim.map_or_else(|| format!("[{}]", list()), str::to_owned);
        return Source {
            json: Some(format!("{{\"type\":\"hdfs\",\"paths\":{paths}}}")),
            how: "the same paths, by way of the file system that the server is set up with.".to_owned(),
            whole: true,
            ..Source::default()
        };
    }
    let mut groups: Vec<(Store, &str, Vec<String>)> = Vec::new();
    let mut source = Source { whole: true, ..Source::default() };
    for (store, path) in stores {
        let is_cloud = matches!(store, Store::S3 | Store::Google | Store::Azure);
        if !matches!(store, Store::Hdfs) && path.contains(['*', '?', '[', '{']) {
            source.whole = false;
            source.notes.push(format!(
                "{path} is a pattern: write {} by hand.",
                if is_cloud { "prefixes and an objectGlob" } else { "baseDir and filter" }
            ));
            continue;
        }
        let last = path.rsplit('/').next().unwrap_or_default();
        let key = match store {
            Store::Hdfs => "paths",
            Store::Local => "files",
            Store::Http => "uris",
            _ if last.contains('.') => "uris",
            _ => "prefixes",
        };
        if key == "prefixes" && !last.is_empty() {
            source.notes.push(format!(
                "{path} is taken as a prefix, as everything whose name begins so: put / at its end where it is a folder."
            ));
        }
        match groups.iter_mut().find(|group| group.0 == store && group.1 == key) {
            Some(group) => group.2.push(path),
            None => groups.push((store, key, vec![path])),
        }
    }
    let parts: Vec<String> = groups.iter().map(|(store, key, paths)| part(*store, key, paths)).collect();
    if groups.iter().any(|group| group.0 == Store::Azure) {
        source
            .notes
            .push("The storage account of Azure is the one that the server is set up with.".to_owned());
    }
    source.how = "the same objects, by the source of their scheme.".to_owned();
    source.json = combined(parts);
    if source.json.is_none() {
        source.whole = false;
    }
    source
}

/// One source, or several combined.
fn combined(parts: Vec<String>) -> Option<String> {
    match parts.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        more => Some(format!("{{\"type\":\"combining\",\"delegates\":[{}]}}", more.join(","))),
    }
}

/// Folders by time, `y=2026/m=07/d=16/H=05`, of every chunk of the intervals.
fn by_time(spec: Node<'_>, intervals: Option<Node<'_>>) -> Source {
    let hand = |why: &str| Source::by_hand(&format!("inputSource has to be written by hand: {why}"));
    let text = |key: &str| spec.get(key).and_then(Node::as_str).map(|text| text.into_owned());
    let Some(root) = text("inputPath") else { return hand("inputSpec names no inputPath.") };
    if spec.get("pathFormat").is_some_and(|format| !format.is_null()) {
        return hand("its folders have names of their own, by pathFormat.");
    }
    let Some(parts) = text("dataGranularity").and_then(|name| depth(&name)) else {
        return hand("its dataGranularity is none whose folders are known here.");
    };
    let granularity = spec.get("dataGranularity").map(Node::value);
    let granularity = granularity.and_then(|value| Granularity::from_json(&value, &UtcOnly).ok());
    let texts: Vec<String> = intervals
        .into_iter()
        .flat_map(Node::items)
        .filter_map(|one| one.as_str().map(|t| t.into_owned()))
        .collect();
    let read: Vec<Interval> = texts.iter().filter_map(|text| Interval::parse(text).ok()).collect();
    let Some(granularity) = granularity.filter(|_| !read.is_empty() && read.len() == texts.len()) else {
        return hand("its folders follow from the intervals, and these are not known.");
    };
    let count: u64 = read.iter().map(|interval| granularity.count(*interval)).fold(0, u64::saturating_add);
    if count > MOST_FOLDERS {
        return hand(&format!("{count} folders are too many to write out."));
    }
    let mut folders = Vec::new();
    for interval in &read {
        for bucket in granularity.buckets(*interval) {
            let Some(folder) = folder(&bucket.start.short(), parts) else {
                return hand("its folders are of years that have no four digits.");
            };
            let folder = format!("{}/{folder}/", root.trim_end_matches('/'));
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
    }
    let mut source = of_paths(&folders, None);
    source.how = format!("the {} that the intervals come to.", counted(folders.len(), "folder"));
    source.whole &= has_only(spec, &["type", "inputPath", "dataGranularity", "pathFormat"]);
    source.notes.push("Hadoop passed over folders that were not there; a source may fail on one.".to_owned());
    if spec.get("filePattern").is_some_and(|pattern| !pattern.is_null()) {
        source.notes.push("filePattern is not carried over: the folders are read whole.".to_owned());
    }
    source
}

fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("one {thing}") } else { format!("{count} {thing}s") }
}

/// Parts of the time in the name of a folder (`GranularityType`).
fn depth(granularity: &str) -> Option<usize> {
    Some(match granularity.to_ascii_uppercase().as_str() {
        "YEAR" => 1,
        "MONTH" => 2,
        "DAY" => 3,
        "HOUR" => 4,
        "MINUTE" => 5,
        _ => return None,
    })
}

/// `y=2026/m=07/d=16` of `2026-07-16T00:00:00Z`.
fn folder(instant: &str, parts: usize) -> Option<String> {
    let (date, time) = instant.split_once('T')?;
    let values = date.split('-').chain(time.split(':'));
    let named = ["y", "m", "d", "H", "M"].iter().zip(values).take(parts);
    let all: Vec<String> = named.map(|(name, value)| format!("{name}={value}")).collect();
    (date.len() == 10).then(|| all.join("/"))
}

/// Segments of a datasource.
fn segments(spec: Node<'_>) -> Source {
    let Some(inside) = spec.get("ingestionSpec").filter(|inside| inside.kind() == Kind::Object) else {
        return Source::by_hand("inputSource has to be written by hand: inputSpec has no ingestionSpec.");
    };
    let list = |key: &str| inside.get(key).filter(|node| !node.is_null());
    let intervals: Vec<&str> = match (list("intervals"), list("interval")) {
        (Some(list), _) => list.items().map(Node::text).collect(),
        (None, Some(one)) => vec![one.text()],
        (None, None) => Vec::new(),
    };
    if intervals.is_empty() {
        return Source::by_hand("inputSource has to be written by hand: inputSpec names no intervals.");
    }
    let shared = ["dataSource", "filter", "dimensions", "metrics"];
    let members: String =
        shared.iter().filter_map(|key| Some(format!(",\"{key}\":{}", list(key)?.text()))).collect();
    let parts =
        intervals.iter().map(|interval| format!("{{\"type\":\"druid\",\"interval\":{interval}{members}}}"));
    let known = ["dataSource", "filter", "dimensions", "metrics", "intervals", "interval"];
    let mut source = Source {
        json: combined(parts.collect()),
        how: "the same segments, by the source druid.".to_owned(),
        whole: has_only(spec, &["type", "ingestionSpec", "useNewAggs"]) && has_only(inside, &known),
        reads_segments: true,
        ..Source::default()
    };
    if list("segments").is_some() {
        source.notes.push(
            "Single segments were named in inputSpec: the source reads whatever is there in the intervals when it runs."
                .to_owned(),
        );
    }
    source
}

/// Several, each by itself.
fn several(spec: Node<'_>, intervals: Option<Node<'_>>) -> Source {
    let children: Vec<Node<'_>> = spec.get("children").into_iter().flat_map(Node::items).collect();
    // Hadoop's MultiplePathSpec holds no others of its kind.
    let is_nested = |child: &Node<'_>| child.get("type").is_some_and(|kind| kind.text() == "\"multi\"");
    if children.is_empty() || children.iter().any(is_nested) {
        return Source::by_hand(
            "inputSource has to be written by hand: inputSpec has no children that are known here.",
        );
    }
    let mut all = Source { whole: has_only(spec, &["type", "children"]), ..Source::default() };
    let mut parts = Vec::new();
    for child in children {
        let made = source_of(child, intervals);
        all.whole &= made.whole && made.json.is_some();
        all.reads_segments |= made.reads_segments;
        all.notes.extend(made.notes);
        parts.extend(made.json);
    }
    all.how = "the same, each by its own source.".to_owned();
    all.json = combined(parts);
    all
}
