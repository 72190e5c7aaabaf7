//! Which Druid, and what of it can be had from Maven: the pom that brings its jars.
//!
//! The two third-party repositories that Druid's own poms name are switched off by declaring their ids ourselves; the
//! one artifact that only they have (`sigar`) is not used.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Result, bail};

/// The release that comes whole, and the one meant where none is named.
pub(crate) const WHOLE: &str = "33.0.0";
/// From this major release on the artifacts of the Broker cannot all be had; what publishes segments can.
const WITHOUT_SQL_SINCE: u32 = 37;
/// From this major release on Java 11 is not enough.
const JAVA_17_SINCE: u32 = 37;
/// A version of Jackson's JAX-RS pieces that can be had where the one asked for cannot.
const JAXRS: &str = "2.19.2";

/// `33.0.0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Release {
    text: String,
    major: u32,
}

impl FromStr for Release {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Release> {
        let numbers: Vec<u32> = text
            .split('.')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .with_context(|| format!("“{text}” is not a Druid release such as {WHOLE}"))?;
        match numbers.as_slice() {
            [major, _, _] => Ok(Release { text: text.to_owned(), major: *major }),
            _ => bail!("“{text}” is not a Druid release such as {WHOLE}"),
        }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl Release {
    /// Whether Historical, Broker and Router run too. Without them tasks run and publish; nothing is loaded or queried.
    pub(crate) fn is_whole(&self) -> bool {
        self.major < WITHOUT_SQL_SINCE
    }

    /// The Java it needs at least.
    pub(crate) fn java(&self) -> u32 {
        if self.major < JAVA_17_SINCE { 11 } else { 17 }
    }

    /// Classes that the command line of this release asks for by name and that its jars here do not have. Empty
    /// modules in their place are enough.
    pub(crate) fn absent_modules(&self) -> &'static [&'static str] {
        if self.is_whole() {
            return &[];
        }
        &[
            "MSQIndexingModule",
            "MSQDurableStorageModule",
            "MSQExternalDataSourceModule",
            "IndexerMemoryManagementModule",
        ]
    }

    /// A pom whose runtime dependencies are this release's jars.
    pub(crate) fn pom(&self) -> String {
        let mut excluded = vec![("org.hyperic", "sigar")];
        let mut managed = String::new();
        if !self.is_whole() {
            excluded.extend(
                ["druid-sql", "druid-multi-stage-query", "web-console"]
                    .map(|name| ("org.apache.druid", name)),
            );
            let pieces = ["base", "json-provider", "smile-provider"].map(|piece| {
                format!(
                    "<dependency><groupId>com.fasterxml.jackson.jaxrs</groupId><artifactId>jackson-jaxrs-{piece}</artifactId>\
                     <version>{JAXRS}</version></dependency>"
                )
            });
            managed = format!(
                "<dependencyManagement><dependencies>{}</dependencies></dependencyManagement>\n",
                pieces.concat()
            );
        }
        let exclusions: String = excluded
            .iter()
            .map(|(group, name)| {
                format!("<exclusion><groupId>{group}</groupId><artifactId>{name}</artifactId></exclusion>")
            })
            .collect();
        let off = ["sigar", "cflt-public"].map(|id| {
            format!(
                "<repository><id>{id}</id><url>file:///dev/null</url><releases><enabled>false</enabled></releases>\
                 <snapshots><enabled>false</enabled></snapshots></repository>"
            )
        });
        format!(
            "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\n\
             <groupId>foreshadow</groupId><artifactId>druid</artifactId><version>{self}</version><packaging>pom</packaging>\n\
             <repositories>{}</repositories>\n{managed}\
             <dependencies><dependency><groupId>org.apache.druid</groupId><artifactId>druid-services</artifactId>\
             <version>{self}</version><exclusions>{exclusions}</exclusions></dependency></dependencies>\n</project>\n",
            off.concat()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_three_numbers() {
        assert_eq!("33.0.0".parse::<Release>().unwrap().to_string(), "33.0.0");
        for bad in ["33", "33.0", "latest", "33.0.0-SNAPSHOT", ""] {
            assert!(bad.parse::<Release>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_repositories_that_druids_own_poms_name_are_switched_off() {
        for release in ["33.0.0", "37.0.0"] {
            let pom = release.parse::<Release>().unwrap().pom();
            for id in ["sigar", "cflt-public"] {
                assert!(pom.contains(&format!("<id>{id}</id><url>file:///dev/null</url>")), "{pom}");
            }
        }
    }

    #[test]
    fn from_37_on_the_pieces_of_the_broker_are_left_out_and_empty_modules_stand_in() {
        let (before, after): (Release, Release) = ("36.0.0".parse().unwrap(), "37.0.0".parse().unwrap());
        assert!(
            before.is_whole() && before.absent_modules().is_empty() && !before.pom().contains("druid-sql")
        );
        assert!(!after.is_whole() && !after.absent_modules().is_empty() && after.pom().contains("druid-sql"));
    }
}
