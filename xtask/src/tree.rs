//! Where things lie in a checkout. Paths only; nothing is read or written here.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The places of one checkout.
pub(crate) struct Tree {
    root: PathBuf,
    target: PathBuf,
}

impl Tree {
    /// The checkout that this xtask belongs to. `cargo run` says where its manifest is; the target folder is the
    /// one this very program was built into, so that `CARGO_TARGET_DIR` and cargo's own settings are respected.
    pub(crate) fn find() -> Result<Tree> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").context("start this with `cargo xtask …`")?;
        let root = Path::new(&manifest).parent().context("xtask lies in the workspace's root")?.to_owned();
        let program = env::current_exe().context("where this program lies")?;
        let target = program.ancestors().nth(2).context("this program lies in the target folder")?.to_owned();
        Ok(Tree { root, target })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// cargo's target folder.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// What set-up brings; ignored by git.
    pub(crate) fn tools(&self) -> PathBuf {
        self.root.join(".tools")
    }

    /// The console as it is served: optimised, with precompressed twins.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// The console as `cargo xtask dev` builds it.
    pub(crate) fn dev_dist(&self) -> PathBuf {
        self.target.join("console-dev")
    }

    pub(crate) fn browser_tests(&self) -> PathBuf {
        self.root.join("tests/browser")
    }

    pub(crate) fn shots(&self) -> PathBuf {
        self.root.join("shots")
    }

    /// A small text of our own under the target folder: what a built thing was built from.
    pub(crate) fn stamp(&self, name: &str) -> PathBuf {
        self.target.join("xtask").join(name)
    }
}
