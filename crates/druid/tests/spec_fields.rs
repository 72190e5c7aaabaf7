//! The field table against lists of what Druid's own classes read, made from their Jackson annotations by
//! `tests/java` (FieldList): each key of theirs is in the table, and each of the table is in theirs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot read its vectors must fail")]

use std::collections::{BTreeMap, BTreeSet};

use druid::release::Release;
use druid::spec::fields::{Field, Shape, shapes};

/// (shape, type, key) of Druid's classes.
type Keys = BTreeSet<(&'static str, &'static str, &'static str)>;

/// What Druid's classes are called here; a class of one type of a shape, with that type.
const SHAPES: [(&str, &str, &str); 50] = [
    ("ParallelIndexSupervisorTask", "task", ""),
    ("IndexTask", "task", ""),
    ("CompactionTask", "compact", ""),
    ("TaskResource", "resource", ""),
    ("ParallelIndexIngestionSpec", "spec", ""),
    ("IndexIngestionSpec", "spec", ""),
    ("Context", "context", ""),
    ("DataSchema", "schema", ""),
    ("TimestampSpec", "timestamp", ""),
    ("DimensionsSpec", "dimensions", ""),
    ("DimensionSchema", "dimension", ""),
    ("SpatialDimensionSchema", "spatial", ""),
    ("NestedCommonFormatColumnFormatSpec", "nestedFormat", ""),
    ("StringColumnFormatSpec", "stringFormat", ""),
    ("BitmapIndexType", "indexType", ""),
    ("StringBitmapIndexType", "indexType", ""),
    ("AggregatorFactory", "metric", ""),
    ("GranularitySpec", "chunks", ""),
    ("ClientCompactionTaskGranularitySpec", "compactGranularity", ""),
    ("TransformSpec", "transforms", ""),
    ("CompactionTransformSpec", "compactTransforms", ""),
    ("Transform", "transform", ""),
    ("DimFilter", "filter", ""),
    ("FilterTuning", "filterTuning", ""),
    ("SearchQuerySpec", "search", ""),
    ("Bound", "bound", ""),
    ("ExtractionFn", "extraction", ""),
    ("VirtualColumn", "virtual", ""),
    ("NestedPathPart", "pathPart", ""),
    ("AggregateProjectionSpec", "projection", ""),
    ("ParallelIndexIOConfig", "io", "index_parallel"),
    ("IndexIOConfig", "io", "index"),
    ("CompactionIOConfig", "compactIo", ""),
    ("CompactionInputSpec", "inputSpec", ""),
    ("SegmentDescriptor", "descriptor", ""),
    ("CompactionRunner", "engine", ""),
    ("InputSource", "source", ""),
    ("WindowedSegmentId", "windowed", ""),
    ("InputFormat", "format", ""),
    ("JSONPathSpec", "flatten", ""),
    ("JSONPathFieldSpec", "flatField", ""),
    ("ParallelIndexTuningConfig", "tuning", "index_parallel"),
    ("IndexTuningConfig", "tuning", "index"),
    ("TuningConfig", "tuning", ""),
    ("PartitionsSpec", "partitions", ""),
    ("SplitHintSpec", "split", ""),
    ("IndexSpec", "storage", ""),
    ("BitmapSerdeFactory", "bitmap", ""),
    ("StringEncodingStrategy", "dictionary", ""),
    ("AppendableIndexSpec", "onheap", ""),
];

/// The same for two that are told by their types alone.
const ONLY_TYPES: [(&str, &str); 2] =
    [("SegmentWriteOutMediumFactory", "medium"), ("SegmentizerFactory", "loader")];

/// What is written as a text, or is one value of a kind of its own: `any` or a kind in the table.
const PLAIN: [&str; 7] = [
    "ColumnType",
    "DimensionSpec",
    "Granularity",
    "LookupExtractor",
    "PasswordProvider",
    "StringComparator",
    "TypedExpression",
];

/// Keys of Druid's that the table has on purpose not: (shape, type, key), and why.
const LEFT_OUT: [(&str, &str, &str, &str); 4] = [
    ("schema", "", "parser", "37 reads it only to refuse it"),
    ("metric", "stringFirstFold", "", "its class reads nothing: nobody writes it"),
    ("metric", "stringLastFold", "", "its class reads nothing: nobody writes it"),
    ("context", "", "useMaxMemoryEstimates", "a constant that 37 does not have any more and 33 does not use"),
];

/// Keys of the table that no class reads: (shape, key), and why they are there.
const BESIDES: [(&str, &str, &str); 6] = [
    ("task", "dataSource", "written by servers"),
    ("compact", "groupId", "written by servers"),
    ("dimension", "createBitmapIndex", "written by servers for every type"),
    ("dimension", "multiValueHandling", "written by servers for every type"),
    ("chunks", "wrappedSpec", "of Hadoop tasks"),
    ("context", "", "keys are read by name, in many classes: see the pages"),
];

fn keys(text: &'static str) -> Keys {
    text.lines()
        .map(|line| {
            let mut parts = line.split('\t');
            (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap())
        })
        .collect()
}

fn lists() -> [(Release, Keys); 2] {
    [
        (Release::major(33), keys(include_str!("vectors/fields-33.tsv"))),
        (Release::major(37), keys(include_str!("vectors/fields-37.tsv"))),
    ]
}

fn table() -> BTreeMap<&'static str, &'static Shape> {
    shapes().collect()
}

fn is_read_by(field: &Field, release: Release) -> bool {
    field.since.is_none_or(|since| since <= release) && field.until.is_none_or(|until| release < until)
}

#[test]
fn every_key_that_druids_classes_read_is_in_the_table() {
    let table = table();
    let mut missing = Vec::new();
    for (release, keys) in lists() {
        for (class, class_type, key) in keys {
            let at = format!("{} {class} {class_type} {key}", release.0);
            if PLAIN.contains(&class) || ONLY_TYPES.iter().any(|(only, _)| *only == class && !key.is_empty())
            {
                continue;
            }
            let named = SHAPES.iter().find(|(name, ..)| *name == class).map(|(_, shape, of)| (*shape, *of));
            let only = ONLY_TYPES.iter().find(|(name, _)| *name == class).map(|(_, shape)| (*shape, ""));
            let Some((name, of)) = named.or(only) else {
                missing.push(at);
                continue;
            };
            let of_type = if of.is_empty() { class_type } else { of };
            if LEFT_OUT.iter().any(|(shape, left, gone, _)| (*shape, *left, *gone) == (name, of_type, key)) {
                continue;
            }
            let shape = table[name];
            let is_there = if key.is_empty() {
                shape.types.contains(&of_type)
            } else {
                shape.fields.iter().any(|field| {
                    field.key == key
                        && is_read_by(field, release)
                        && (of_type.is_empty() || field.applies_to(of_type))
                })
            };
            if !is_there {
                missing.push(at);
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn every_key_of_the_table_is_one_that_druids_classes_read() {
    let (mut strange, mut unread) = (Vec::new(), BTreeSet::new());
    for (release, keys) in lists() {
        for (name, shape) in table() {
            let classes: Vec<_> = SHAPES.iter().filter(|(_, shape, _)| *shape == name).collect();
            // Types of extensions are in no list: what is said of them comes from Druid's pages.
            let types: BTreeSet<&str> = classes
                .iter()
                .flat_map(|(class, _, of)| {
                    let listed = keys.iter().filter(move |key| key.0 == *class).map(|key| key.1);
                    listed.filter(|listed| !listed.is_empty()).chain((!of.is_empty()).then_some(*of))
                })
                .collect();
            let types: BTreeSet<&str> = match shape.types.is_empty() {
                true => BTreeSet::from([""]),
                false => types.into_iter().filter(|of_type| shape.types.contains(of_type)).collect(),
            };
            // A class that came with a later release.
            let is_known = |class: &str| keys.iter().any(|key| key.0 == class);
            let classes: Vec<_> = classes.into_iter().filter(|(class, ..)| is_known(class)).collect();
            for field in shape.fields.iter().filter(|field| is_read_by(field, release)) {
                let besides =
                    |key: &str| BESIDES.iter().any(|(shape, known, _)| (*shape, *known) == (name, key));
                if classes.is_empty() || field.key == "type" || besides("") {
                    continue;
                }
                for of_type in types.iter().filter(|of_type| field.applies_to(of_type)) {
                    let is_read = classes.iter().any(|(class, _, of)| {
                        let class_type = if of.is_empty() { *of_type } else { "" };
                        (of.is_empty() || of == of_type) && keys.contains(&(class, class_type, field.key))
                    });
                    if !is_read && besides(field.key) {
                        unread.insert((name, field.key));
                    } else if !is_read {
                        strange.push(format!("{} {name} {of_type} {}", release.0, field.key));
                    }
                }
            }
        }
    }
    assert_eq!(strange, Vec::<String>::new());
    let known = BESIDES.iter().map(|(shape, key, _)| (*shape, *key)).filter(|(_, key)| !key.is_empty());
    assert_eq!(unread, known.collect(), "every exception is one");
}
