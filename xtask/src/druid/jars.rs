//! A release's jars, fetched by Maven once into `.tools/druid/RELEASE/`.
//!
//! What always holds: the folder counts as brought only once its last line, the stamp, is written; what is there is
//! not fetched again. Maven's own settings decide where from.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::release::Release;
use crate::command::{program, watched};
use crate::tree::Tree;

/// What copies jars into a folder. Pinned: Maven's default for it differs from release to release.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";

/// The jars of one release.
#[derive(Clone, Debug)]
pub(crate) struct Jars {
    folder: PathBuf,
}

impl Jars {
    /// The folder they lie in.
    pub(crate) fn lib(&self) -> PathBuf {
        self.folder.join("lib")
    }

    /// What Java finds classes in, behind `first`.
    pub(crate) fn class_path(&self, first: &Path) -> String {
        let parts = [first.to_owned(), self.folder.join("absent"), self.lib().join("*")];
        parts.map(|part| part.to_string_lossy().into_owned()).join(":")
    }
}

/// The release's jars, fetched where they are not there.
pub(crate) fn bring(tree: &Tree, release: &Release) -> Result<Jars> {
    super::demand(tree)?;
    let java = java_version(tree)?;
    if java < release.java() {
        bail!("Druid {release} needs Java {}, and the one on the PATH is Java {java}", release.java());
    }
    let folder = tree.tools().join("druid").join(release.to_string());
    let stamp = folder.join("brought");
    let jars = Jars { folder: folder.clone() };
    if fs::read_to_string(&stamp).is_ok_and(|pom| pom == release.pom()) {
        return Ok(jars);
    }
    let lib = folder.join("lib");
    if lib.exists() {
        fs::remove_dir_all(&lib)?;
    }
    fs::create_dir_all(&lib)?;
    fs::write(folder.join("pom.xml"), release.pom())?;
    eprintln!("   Druid {release}: about 200 MB of jars, once");
    let mut maven = program(tree, "mvn");
    maven.args(["--batch-mode", "--file"]).arg(folder.join("pom.xml")).arg(COPY);
    maven.arg("-DincludeScope=runtime").arg(format!("-DoutputDirectory={}", lib.display()));
    // A connection that stands still is given up after a minute, not after Maven's half hour.
    maven.args(["-Dmaven.wagon.rto=60000", "-Dmaven.wagon.http.retryHandler.count=2"]);
    watched(tree, &format!("druid-{release}-jars"), &mut maven, "[INFO] Downloaded from ")
        .with_context(|| format!("the jars of Druid {release} could not be fetched"))?;
    stand_ins(tree, release, &folder, &lib)?;
    fs::write(&stamp, release.pom())?;
    Ok(jars)
}

/// Empty modules for those that this release's command line names and its jars here lack.
fn stand_ins(tree: &Tree, release: &Release, folder: &Path, lib: &Path) -> Result<()> {
    let absent = folder.join("absent");
    fs::create_dir_all(&absent)?;
    if release.absent_modules().is_empty() {
        return Ok(());
    }
    let sources = folder.join("absent-sources");
    fs::create_dir_all(&sources)?;
    let mut compiler = program(tree, "javac");
    compiler.arg("-cp").arg(lib.join("*")).arg("-d").arg(&absent);
    for module in release.absent_modules() {
        let file = sources.join(format!("{module}.java"));
        let source = format!(
            "package org.apache.druid.msq.guice;\n\
             public class {module} implements org.apache.druid.initialization.DruidModule {{\n  \
             public void configure(com.google.inject.Binder binder) {{}}\n}}\n"
        );
        fs::write(&file, source)?;
        compiler.arg(file);
    }
    watched(tree, &format!("druid-{release}-javac"), &mut compiler, "error")
        .with_context(|| format!("Druid {release} needs a whole JDK (javac), not only a Java runtime"))
}

/// The major version of the Java on the PATH.
fn java_version(tree: &Tree) -> Result<u32> {
    let output = program(tree, "java").arg("-version").output().context("cannot start java")?;
    let said = String::from_utf8_lossy(&output.stderr);
    major(&said).with_context(|| format!("`java -version` says no version:\n{said}"))
}

/// From `openjdk version "17.0.15" 2025-04-15`, and from the old `"1.8.0_392"`.
fn major(said: &str) -> Option<u32> {
    let version = said.split('"').nth(1)?;
    let mut numbers = version.split(['.', '_', '-']).map(|number| number.parse().ok());
    match numbers.next()?? {
        1 => numbers.next()?,
        major => Some(major),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_java_is_read_in_its_old_and_its_new_spelling() {
        assert_eq!(major("openjdk version \"17.0.15\" 2025-04-15\nOpenJDK …"), Some(17));
        assert_eq!(major("java version \"1.8.0_392\""), Some(8));
        assert_eq!(major("openjdk version \"21\" 2023-09-19"), Some(21));
        assert_eq!(major("command not found"), None);
    }
}
