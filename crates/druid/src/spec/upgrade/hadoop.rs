//! `index_hadoop` to `index_parallel` (`HadoopIngestionSpec`, `HadoopIOConfig`, `HadoopTuningConfig`).
//!
//! Both replace the chunks that get rows and leave the others; what differs between their defaults is written out.

use crate::json::{Kind, Path};

use super::draft::{Done, Draft};
use super::paths;

const NEW: &str = "index_parallel";

/// Keys of `tuningConfig` without a counterpart, and why. Keys of the same name and meaning stay where they are.
const TUNING: [(&str, &str); 17] = [
    ("workingPath", "there is no Hadoop job that would need a folder."),
    ("version", "the version of new segments is the time of the lock, and cannot be chosen."),
    ("useExplicitVersion", "the version of new segments is the time of the lock, and cannot be chosen."),
    ("shardSpecs", "the partitions are found while the rows come in."),
    ("leaveIntermediate", "there is no Hadoop job that would leave files."),
    ("cleanupOnFailure", "there is no Hadoop job that would leave files."),
    ("overwriteFiles", "files of segments never have the name of an older one."),
    (
        "jobProperties",
        "there is no Hadoop job; what a source has to know stands in it or in the server's own properties.",
    ),
    ("combineText", "there is no Hadoop job; a splitHintSpec says how much input one sub-task reads."),
    ("useCombiner", "there is no Hadoop job; rows are rolled up where they are read."),
    ("numBackgroundPersistThreads", "numPersistThreads counts other threads."),
    ("forceExtendableShardSpecs", "all shards are extendable today."),
    ("allowedHadoopPrefix", "there is no Hadoop job."),
    ("useYarnRMJobStatusFallback", "there is no Hadoop job."),
    ("determinePartitionsSamplingFactor", "range partitions are found without samples of rows."),
    ("buildV9Directly", "always so today."),
    ("aggregationBufferRatio", "there is no Hadoop job."),
];

/// Names of partitionings on Druid's page about Hadoop, and the ones that native batch has.
const PARTITIONINGS: [(&str, &str); 3] = [
    ("hadoop_hashed_partitions", "hashed"),
    ("hadoop_single_dim_partitions", "single_dim"),
    ("dimension", "single_dim"),
];

pub(super) fn bring_over(draft: &mut Draft, base: &Path) -> Done {
    let kind = Path::keys(&["type"]);
    draft.put_text(&kind, NEW)?;
    draft.say(&kind, "index_hadoop becomes index_parallel: Druid 37 has no Hadoop ingestion.");
    for key in ["hadoopDependencyCoordinates", "hadoopCoordinates", "classpathPrefix"] {
        draft.set_aside(&Path::keys(&[key]), "no classes of Hadoop are loaded.")?;
    }
    if draft.get(base).is_none_or(|spec| spec.kind() != Kind::Object) {
        return Ok(());
    }
    io_config(draft, base)?;
    tuning_config(draft, &base.join("tuningConfig"))
}

fn io_config(draft: &mut Draft, base: &Path) -> Done {
    let io = base.join("ioConfig");
    draft.put_text(&io.join("type"), NEW)?;
    draft.say(&io.join("type"), "ioConfig takes the type of the task, or Druid refuses it.");
    for key in ["segmentOutputPath", "metadataUpdateSpec"] {
        draft.set_aside(&io.join(key), "the server knows where its segments and its metadata are.")?;
    }
    let (old, source) = (io.join("inputSpec"), io.join("inputSource"));
    if draft.has(&source) {
        return draft.set_aside(&old, "there is an inputSource already.");
    }
    let intervals = base.join("dataSchema").join("granularitySpec").join("intervals");
    let made = match draft.get(&old) {
        Some(node) => paths::source_of(node, draft.get(&intervals)),
        None => paths::Source::by_hand("ioConfig names no input: write an inputSource by hand."),
    };
    if let Some(json) = &made.json {
        draft.put(&source, json.clone())?;
        draft.say(&source, format!("inputSource reads what inputSpec named: {}", made.how));
    }
    for note in &made.notes {
        draft.leave(&source, note.clone());
    }
    if made.reads_segments {
        sums(draft, base, &old);
    }
    match made.whole && made.json.is_some() {
        true => draft.take(&old),
        false => draft.set_aside(&old, "not all of it is carried over."),
    }
}

/// Reading segments, Hadoop added stored metrics up by their own rules where `useNewAggs` was off
/// (`DatasourcePathSpec`); native batch takes metricsSpec as it is written.
fn sums(draft: &mut Draft, base: &Path, old: &Path) {
    let has_new = draft.get(&old.join("useNewAggs")).is_some_and(|node| node.text() == "true");
    let metrics = base.join("dataSchema").join("metricsSpec");
    let has_some = draft.get(&metrics).is_some_and(|list| list.items().next().is_some());
    if has_some && !has_new {
        draft.leave(
            &metrics,
            "metricsSpec is taken as written: over rows of segments a count counts stored rows; a longSum over its column adds them up.",
        );
    }
}

fn tuning_config(draft: &mut Draft, tuning: &Path) -> Done {
    draft.put_text(&tuning.join("type"), NEW)?;
    draft.say(&tuning.join("type"), "tuningConfig takes the type of the task, or Druid refuses it.");
    rows_in_memory(draft, tuning)?;
    partitions(draft, tuning)?;
    bad_rows(draft, tuning)?;
    for (key, why) in TUNING {
        draft.set_aside(&tuning.join(key), why)?;
    }
    if !draft.has(&tuning.join("maxNumConcurrentSubTasks")) {
        draft.leave(
            &tuning.join("maxNumConcurrentSubTasks"),
            "maxNumConcurrentSubTasks is 1 where it is not written: Hadoop spread the work over its own cluster, native batch over as many task slots as it says.",
        );
    }
    Ok(())
}

/// The older name of the same limit.
fn rows_in_memory(draft: &mut Draft, tuning: &Path) -> Done {
    let old = tuning.join("rowFlushBoundary");
    if !draft.has(&old) {
        return Ok(());
    }
    if draft.has(&tuning.join("maxRowsInMemory")) {
        return draft.set_aside(&old, "maxRowsInMemory counts where both are written.");
    }
    draft.rename(&old, "maxRowsInMemory")?;
    draft.say(&tuning.join("maxRowsInMemory"), "rowFlushBoundary becomes maxRowsInMemory, its name today.");
    Ok(())
}

fn partitions(draft: &mut Draft, tuning: &Path) -> Done {
    let spec = tuning.join("partitionsSpec");
    let kind = draft.text(&spec.join("type"));
    if !draft.has(&spec) {
        draft.put(&spec, "{\"type\":\"hashed\"}")?;
        draft.say(&spec, "partitionsSpec hashed is written out: Hadoop takes it where nothing is said, native batch cuts by size.");
    } else if let Some((old, new)) = PARTITIONINGS.iter().find(|(old, _)| kind.as_deref() == Some(old)) {
        draft.put_text(&spec.join("type"), new)?;
        draft.say(&spec.join("type"), format!("{old} becomes {new}, its name in native batch."));
    }
    let single = draft.text(&spec.join("type")).as_deref() == Some("single_dim");
    if single && !draft.has(&spec.join("partitionDimension")) {
        let dimension = spec.join("partitionDimension");
        draft.leave(&dimension, "partitionDimension has to be written by hand: Hadoop chose one by itself, native batch wants to be told.");
    }
    let rollup = tuning.join("forceGuaranteedRollup");
    draft.put(&rollup, "true")?;
    draft.say(
        &rollup,
        "forceGuaranteedRollup is on: native batch takes hashed and range partitions only with it.",
    );
    Ok(())
}

/// Hadoop ends at the first row that cannot be read, native batch passes over any number of them.
fn bad_rows(draft: &mut Draft, tuning: &Path) -> Done {
    let (most, ignore) = (tuning.join("maxParseExceptions"), tuning.join("ignoreInvalidRows"));
    let ignores = draft.get(&ignore).is_some_and(|node| node.text().trim_matches('"') == "true");
    if !draft.has(&most) && !ignores {
        draft.put(&most, "0")?;
        draft.say(&most, "maxParseExceptions 0 is written out: Hadoop ends at the first row it cannot read, native batch passes over any number.");
    }
    draft.set_aside(&ignore, "maxParseExceptions says it today, and has no limit where it is not written.")
}
