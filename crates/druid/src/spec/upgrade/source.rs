//! `ioConfig.firehose` to `ioConfig.inputSource` (Druid's pages *Migrate from firehose to input source ingestion* and
//! *Native batch ingestion with firehose*).
//!
//! A firehose becomes a source where it stands: its keys are renamed, and most are the same.

use crate::json::{Kind, Node, Path, quote};

use super::draft::{Done, Draft};

/// Firehoses and the sources that took their places.
const SOURCES: [(&str, &str); 9] = [
    ("local", "local"),
    ("inline", "inline"),
    ("http", "http"),
    ("hdfs", "hdfs"),
    ("sql", "sql"),
    ("static-s3", "s3"),
    ("static-google-blobstore", "google"),
    ("static-azure-blobstore", "azure"),
    ("ingestSegment", "druid"),
];

/// Fetching and caching, which sources do by themselves (`PrefetchableTextFilesFirehoseFactory`).
const FETCHING: [&str; 5] = [
    "maxCacheCapacityBytes",
    "maxFetchCapacityBytes",
    "prefetchTriggerBytes",
    "fetchTimeout",
    "maxFetchRetry",
];

/// Most firehoses in one that combines them.
const MOST_DELEGATES: usize = 256;

pub(super) fn bring_over(draft: &mut Draft, base: &Path) -> Done {
    let io = base.join("ioConfig");
    let (firehose, source) = (io.join("firehose"), io.join("inputSource"));
    if draft.has(&source) {
        return draft
            .set_aside(&firehose, "there is an inputSource already, and both together were refused.");
    }
    if !is_known(draft, &firehose) {
        let kind = draft.text(&firehose.join("type")).unwrap_or_else(|| "without a type".to_owned());
        return draft.set_aside(
            &firehose,
            &format!("no input source does what the firehose {kind} did; write an inputSource by hand."),
        );
    }
    draft.rename(&firehose, "inputSource")?;
    draft.say(&source, "firehose becomes inputSource: Druid 26 has no firehoses any more.");
    convert(draft, &source)?;
    split_by_size(draft, base, &source)
}

/// Whether a firehose and everything it combines has a source that took its place.
fn is_known(draft: &Draft, at: &Path) -> bool {
    match draft.text(&at.join("type")).as_deref() {
        Some("combining") => {
            let delegates = at.join("delegates");
            let count = draft.get(&delegates).map_or(0, |list| list.items().count());
            (1..=MOST_DELEGATES).contains(&count)
                && (0..count).all(|index| is_known(draft, &delegates.join(index)))
        }
        Some(kind) => SOURCES.iter().any(|(firehose, _)| *firehose == kind),
        None => false,
    }
}

/// A firehose where it stands. As deep as the document, which is at most `json::MAX_DEPTH`.
fn convert(draft: &mut Draft, at: &Path) -> Done {
    let kind = draft.text(&at.join("type")).unwrap_or_default();
    if kind == "combining" {
        let delegates = at.join("delegates");
        let count = draft.get(&delegates).map_or(0, |list| list.items().count());
        for index in 0..count {
            convert(draft, &delegates.join(index))?;
        }
        return Ok(());
    }
    let source = SOURCES.iter().find(|(firehose, _)| *firehose == kind).map_or("", |(_, source)| *source);
    if source != kind {
        draft.put_text(&at.join("type"), source)?;
        draft.say(&at.join("type"), format!("{kind} becomes {source}, the source of the same kind."));
    }
    if draft.has(&at.join("blobs")) && !draft.has(&at.join("objects")) {
        blobs(draft, at, source == "azure")?;
    }
    for key in FETCHING {
        draft.set_aside(&at.join(key), "sources fetch and cache by themselves.")?;
    }
    Ok(())
}

/// Google's and Azure's blobs are objects today; a container of Azure's is called bucket there too.
fn blobs(draft: &mut Draft, at: &Path, has_containers: bool) -> Done {
    draft.rename(&at.join("blobs"), "objects")?;
    let objects = at.join("objects");
    if !has_containers {
        draft.say(&objects, "blobs becomes objects, their name in a source.");
        return Ok(());
    }
    // In one edit, however many there are.
    let bucket = |object: Node<'_>| {
        let members = object.members().map(|(key, value)| {
            let key = if key == "container" { "bucket" } else { &*key };
            format!("{}:{}", quote(key), value.text())
        });
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    };
    let list = draft.get(&objects).into_iter().flat_map(Node::items).map(|item| match item.kind() {
        Kind::Object if item.get("bucket").is_none() => bucket(item),
        _ => item.text().to_owned(),
    });
    let list: Vec<String> = list.collect();
    draft.put(&objects, format!("[{}]", list.join(",")))?;
    draft.say(&objects, "blobs becomes objects and container becomes bucket, their names in a source.");
    Ok(())
}

/// What one sub-task reads of segments was said in the firehose, and is in the split hint today.
fn split_by_size(draft: &mut Draft, base: &Path, source: &Path) -> Done {
    let bytes = source.join("maxInputSegmentBytesPerTask");
    let hint = base.join("tuningConfig").join("splitHintSpec");
    if !draft.has(&bytes) {
        return Ok(());
    }
    if draft.has(&hint)
        || draft.text(&base.join("tuningConfig").join("type")).as_deref() != Some("index_parallel")
    {
        return draft.set_aside(&bytes, "a splitHintSpec in tuningConfig says it today.");
    }
    draft.put(&hint, "{\"type\":\"segments\"}")?;
    draft.carry(&bytes, &hint.join("maxInputSegmentBytesPerTask"))?;
    draft.say(
        &hint,
        "maxInputSegmentBytesPerTask moves to a splitHintSpec of type segments, which is what Druid reads.",
    );
    Ok(())
}

/// Rows of Druid's own segments have their time in `__time`. Firehoses and Hadoop knew; the source `druid` reads what
/// timestampSpec says (Druid's page *Input sources*).
pub(super) fn time_of_rows(draft: &mut Draft, base: &Path) -> Done {
    let source = base.join("ioConfig").join("inputSource");
    let time = base.join("dataSchema").join("timestampSpec");
    let kind = draft.text(&source.join("type"));
    let delegates = draft.get(&source.join("delegates"));
    let among = |kind: &str| {
        let kinds = delegates.into_iter().flat_map(|list| list.items());
        kinds.filter(|one| one.get("type").and_then(|t| t.as_str()).is_some_and(|t| t == kind)).count()
    };
    let (all, druids) = (delegates.map_or(0, |list| list.items().count()), among("druid"));
    if kind.as_deref() == Some("combining") && druids > 0 && druids < all {
        draft.leave(
            &time,
            "timestampSpec holds for all sources: rows of segments have their time in __time, and so the others have to.",
        );
        return Ok(());
    }
    if kind.as_deref() != Some("druid") && druids == 0 {
        return Ok(());
    }
    if draft.text(&time.join("column")).as_deref() == Some("__time") {
        return Ok(());
    }
    if draft.get(&base.join("dataSchema")).is_none_or(|schema| schema.kind() != Kind::Object) {
        return Ok(());
    }
    draft.set_aside(&time, "it was not read: rows of segments have their time in __time.")?;
    draft.put(&time, "{\"column\":\"__time\",\"format\":\"millis\"}")?;
    draft.say(
        &time,
        "timestampSpec reads __time in milliseconds: that is where rows of segments have their time.",
    );
    Ok(())
}
