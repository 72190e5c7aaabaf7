//! `dataSchema.parser` to `timestampSpec`, `dimensionsSpec` and `ioConfig.inputFormat` (Druid's page *Source input
//! formats*, `ParseSpec` and the classes that extend it; the same order as Druid's page *Migrate from firehose*).

use crate::json::{Kind, Path, quote};

use super::draft::{Done, Draft};

/// Parse specs that text is read with: format, keys that the input format has too (`CSVParseSpec`, `DelimitedParseSpec`,
/// `RegexParseSpec`, `JSONParseSpec`).
const TEXT: [(&str, &[&str]); 4] = [
    ("json", &["flattenSpec", "featureSpec", "keepNullColumns"]),
    ("csv", &["columns", "listDelimiter", "skipHeaderRows"]),
    ("tsv", &["columns", "delimiter", "listDelimiter", "skipHeaderRows"]),
    ("regex", &["pattern", "columns", "listDelimiter"]),
];

/// Parsers of files and messages that are no text: type, input format, keys of the parser that the format has too.
const BINARY: [(&str, &str, &[&str]); 6] = [
    ("parquet", "parquet", &["binaryAsString"]),
    ("parquet-avro", "parquet", &["binaryAsString"]),
    ("orc", "orc", &["binaryAsString"]),
    ("avro_hadoop", "avro_ocf", &["binaryAsString", "extractUnionsByType"]),
    ("avro_stream", "avro_stream", &["avroBytesDecoder", "binaryAsString", "extractUnionsByType"]),
    ("protobuf", "protobuf", &["protoBytesDecoder"]),
];

/// Druid takes these where nothing is said (`InputRowParser`, `ParseSpec`).
const DEFAULT_PARSER: &str = "string";
const DEFAULT_FORMAT: &str = "tsv";

pub(super) fn bring_over(draft: &mut Draft, base: &Path) -> Done {
    let schema = base.join("dataSchema");
    let parser = schema.join("parser");
    // Some products write what belongs into parseSpec beside it.
    let inside = parser.join("parseSpec");
    let spec = if draft.has(&inside) { inside } else { parser.clone() };
    for key in ["timestampSpec", "dimensionsSpec"] {
        if draft.has(&spec.join(key)) && !draft.has(&schema.join(key)) {
            draft.carry(&spec.join(key), &schema.join(key))?;
            draft.say(
                &schema.join(key),
                format!("{key} moves out of parser: Druid 37 reads it in dataSchema only."),
            );
        }
    }
    input_format(draft, base, &parser, &spec)?;
    let is_empty =
        |draft: &Draft, path: &Path| draft.get(path).is_none_or(|node| node.children().next().is_none());
    if spec != parser && is_empty(draft, &spec) {
        draft.take(&spec)?;
    }
    if is_empty(draft, &parser) {
        draft.take(&parser)?;
        draft.say(&schema, "parser goes: nothing is left in it.");
        return Ok(());
    }
    draft.set_aside(&parser, "what is left in it has no counterpart.")
}

fn input_format(draft: &mut Draft, base: &Path, parser: &Path, spec: &Path) -> Done {
    let format_at = base.join("ioConfig").join("inputFormat");
    if draft.has(&format_at) {
        return Ok(());
    }
    let source = base.join("ioConfig").join("inputSource");
    if draft.has(&source) && !needs_format(draft, &source) {
        draft.leave(&format_at, "inputFormat is not written: the source has a format of its own.");
        return Ok(());
    }
    let given = draft.text(&parser.join("type"));
    let kind = given.as_deref().unwrap_or(DEFAULT_PARSER);
    let binary = BINARY.iter().find(|(parser, ..)| *parser == kind);
    let format = draft.text(&spec.join("format"));
    let format = format.as_deref().unwrap_or(DEFAULT_FORMAT);
    let text = TEXT.iter().find(|(known, _)| *known == format);
    match (binary, kind, text) {
        (Some((_, name, keys)), ..) => {
            let mut members = vec![format!("\"type\":{}", quote(name))];
            let from: Vec<Path> =
                keys.iter().map(|key| parser.join(*key)).chain([spec.join("flattenSpec")]).collect();
            collect(draft, &from, &mut members)?;
            descriptor(draft, parser, &mut members)?;
            write(draft, &format_at, &members, &format!("the parser {kind}"))?;
            if *name == "parquet" && kind != *name {
                draft.leave(&format_at, "parquet-avro read the files by way of Avro: dates and nested values may come out otherwise.");
            }
        }
        (None, "string" | "hadoopyString", Some((name, keys))) => {
            let mut members = vec![format!("\"type\":{}", quote(name))];
            let from: Vec<Path> = keys.iter().map(|key| spec.join(*key)).collect();
            collect(draft, &from, &mut members)?;
            if let Some(json) =
                draft.json(&spec.join("hasHeaderRow")).filter(|_| matches!(*name, "csv" | "tsv"))
            {
                members.push(format!("\"findColumnsFromHeader\":{json}"));
                draft.take(&spec.join("hasHeaderRow"))?;
            }
            let encoding = parser.join("encoding");
            if draft.text(&encoding).is_some_and(|name| name.eq_ignore_ascii_case("UTF-8")) {
                draft.take(&encoding)?;
                draft.say(&format_at, "encoding UTF-8 goes: input formats read nothing else.");
            }
            write(draft, &format_at, &members, &format!("the parseSpec of format {format}"))?;
        }
        _ => {
            let what = match kind {
                "string" | "hadoopyString" => format!("the parseSpec of format {format}"),
                _ => format!("the parser {kind}"),
            };
            draft.leave(
                &format_at,
                format!("inputFormat has to be written by hand: no input format does what {what} did."),
            );
            return Ok(());
        }
    }
    draft.take(&parser.join("type"))?;
    draft.take(&spec.join("format"))
}

/// Whether a source wants an input format beside it (`InputSource.needsFormat`).
fn needs_format(draft: &Draft, source: &Path) -> bool {
    let delegates = source.join("delegates");
    match draft.text(&source.join("type")).as_deref() {
        Some("druid" | "sql") => false,
        Some("combining") => {
            let count = draft.get(&delegates).map_or(0, |list| list.items().count());
            (0..count).any(|index| needs_format(draft, &delegates.join(index)))
        }
        _ => true,
    }
}

/// The members at some places, carried over.
fn collect(draft: &mut Draft, from: &[Path], members: &mut Vec<String>) -> Done {
    for path in from {
        if let (Some(json), Some(key)) = (draft.json(path), path.last_key()) {
            members.push(format!("{}:{json}", quote(key)));
            draft.take(path)?;
        }
    }
    Ok(())
}

/// The protobuf parser named its descriptor directly once (`ProtobufInputRowParser`); a decoder of files does it today.
fn descriptor(draft: &mut Draft, parser: &Path, members: &mut Vec<String>) -> Done {
    let mut inner = Vec::new();
    collect(draft, &[parser.join("descriptor"), parser.join("protoMessageType")], &mut inner)?;
    if !inner.is_empty() {
        members.push(format!("\"protoBytesDecoder\":{{\"type\":\"file\",{}}}", inner.join(",")));
    }
    Ok(())
}

fn write(draft: &mut Draft, at: &Path, members: &[String], from: &str) -> Done {
    if draft.get(&at.parent().unwrap_or_default()).is_some_and(|io| io.kind() != Kind::Object) {
        return Ok(());
    }
    draft.put(at, format!("{{{}}}", members.join(",")))?;
    draft.say(at, format!("inputFormat says what {from} said: Druid 37 reads formats there only."));
    Ok(())
}
