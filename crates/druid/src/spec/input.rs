//! `ioConfig.inputSource`: where the rows come from.

use crate::interval::Interval;
use crate::json::Severity;
use crate::order::Order as _;

use super::values::{At, Reader};

/// An input source, as far as it matters for what a run does.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSource {
    /// The rows stand in the spec.
    Inline {
        /// The text, lines of the input format.
        data: String,
    },
    /// A datasource of the same cluster.
    Druid {
        /// Its name.
        datasource: String,
        /// What is read of it; `None` when single segments are named (or the interval could not be read).
        interval: Option<Interval>,
        /// Single segments are named in place of an interval.
        segments: bool,
    },
    /// S3 objects. Needs the extension `druid-s3-extensions` on the server.
    S3 {
        /// Single objects, `s3://…` texts (`uris`, and `objects` written as such).
        uris: Vec<String>,
        /// Everything below these.
        prefixes: Vec<String>,
    },
    /// Files behind HTTP addresses.
    Http {
        /// The addresses.
        uris: Vec<String>,
    },
    /// Files on the server's own disks.
    Local {
        /// The folder.
        base_dir: Option<String>,
        /// Which files in it, with wildcards.
        filter: Option<String>,
        /// Single files.
        files: Vec<String>,
    },
    /// Several at once.
    Combining(Vec<InputSource>),
    /// Another type.
    Other(String),
    /// None given.
    Missing,
}

/// Types of Druid's core and core extensions that implement `SplittableInputSource`, beside those above.
const SPLITTABLE: &[&str] = &["azure", "azureStorage", "delta", "google", "hdfs", "iceberg", "sql"];

impl InputSource {
    /// Whether sub-tasks can share the work (`InputSource.isSplittable`). Unknown types are taken as not.
    #[must_use]
    pub fn splittable(&self) -> bool {
        match self {
            InputSource::Inline { .. } | InputSource::Missing => false,
            InputSource::Druid { .. }
            | InputSource::S3 { .. }
            | InputSource::Http { .. }
            | InputSource::Local { .. }
            // Its parts must be splittable, or the server refuses it.
            | InputSource::Combining(_) => true,
            InputSource::Other(kind) => SPLITTABLE.contains(&kind.as_str()),
        }
    }

    /// Whether an `inputFormat` is needed beside it (`InputSource.needsFormat`).
    #[must_use]
    pub fn needs_format(&self) -> bool {
        match self {
            InputSource::Druid { .. } => false,
            InputSource::Combining(parts) => parts.iter().any(InputSource::needs_format),
            InputSource::Other(kind) => kind != "sql",
            _ => true,
        }
    }

    /// Whether it reads a datasource, on any level.
    #[must_use]
    pub fn reads(&self, name: &str) -> bool {
        match self {
            InputSource::Druid { datasource, .. } => datasource == name,
            InputSource::Combining(parts) => parts.iter().any(|part| part.reads(name)),
            _ => false,
        }
    }

    /// The extensions that the server must have loaded for it; without them it answers 400 with "Could not resolve type
    /// id". Loaded ones are listed by the server's `/status`.
    #[must_use]
    pub fn extensions(&self) -> Vec<&'static str> {
        match self {
            InputSource::Combining(parts) => {
                let mut all: Vec<_> = parts.iter().flat_map(InputSource::extensions).collect();
                all.order();
                all.dedup();
                all
            }
            _ => extension_of_source(self.kind()).into_iter().collect(),
        }
    }

    /// The `type` of the source, empty when there is none.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            InputSource::Inline { .. } => "inline",
            InputSource::Druid { .. } => "druid",
            InputSource::S3 { .. } => "s3",
            InputSource::Http { .. } => "http",
            InputSource::Local { .. } => "local",
            InputSource::Combining(_) => "combining",
            InputSource::Other(kind) => kind,
            InputSource::Missing => "",
        }
    }
}

fn extension_of_source(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "s3" => "druid-s3-extensions",
        "google" => "druid-google-extensions",
        "azure" | "azureStorage" => "druid-azure-extensions",
        "hdfs" => "druid-hdfs-storage",
        "iceberg" => "druid-iceberg-extensions",
        "delta" => "druid-deltalake-extensions",
        _ => return None,
    })
}

/// The extension that an input format needs.
#[must_use]
pub fn extension_of_format(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "parquet" => "druid-parquet-extensions",
        "orc" => "druid-orc-extensions",
        "avro_ocf" | "avro_stream" => "druid-avro-extensions",
        "protobuf" => "druid-protobuf-extensions",
        _ => return None,
    })
}

impl Reader<'_> {
    pub(super) fn input_source(&mut self, at: &At<'_>) -> InputSource {
        if !at.is_there() {
            return InputSource::Missing;
        }
        match self.text(&at.get("type")).as_deref() {
            Some("inline") => InputSource::Inline { data: self.text(&at.get("data")).unwrap_or_default() },
            Some("druid") => InputSource::Druid {
                datasource: self.text(&at.get("dataSource")).unwrap_or_default(),
                interval: self.interval(&at.get("interval")),
                segments: at.get("segments").is_there(),
            },
            Some("s3") => {
                let mut uris = self.texts(&at.get("uris"));
                for object in at.get("objects").items() {
                    let bucket = self.text(&object.get("bucket")).unwrap_or_default();
                    let path = self.text(&object.get("path")).unwrap_or_default();
                    uris.push(format!("s3://{bucket}/{path}"));
                }
                InputSource::S3 { uris, prefixes: self.texts(&at.get("prefixes")) }
            }
            Some("http") => InputSource::Http { uris: self.texts(&at.get("uris")) },
            Some("local") => InputSource::Local {
                base_dir: self.text(&at.get("baseDir")),
                filter: self.text(&at.get("filter")),
                files: self.texts(&at.get("files")),
            },
            // As deep as the document, which is at most json::MAX_DEPTH.
            Some("combining") => InputSource::Combining(
                at.get("delegates").items().iter().map(|delegate| self.input_source(delegate)).collect(),
            ),
            Some(other) => InputSource::Other(other.to_owned()),
            None => {
                self.say(
                    "missing",
                    at,
                    Severity::Error,
                    "the input source has no type: Druid cannot tell what it is",
                );
                InputSource::Missing
            }
        }
    }
}
