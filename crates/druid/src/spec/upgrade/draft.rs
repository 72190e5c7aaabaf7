//! A document that is being upgraded: edits as they are made, and what is said of each.

use crate::json::{Document, Edit, EditError, Node, Path, quote};

use super::{Said, Upgrade};

/// Whether a step could be made.
pub(super) type Done = Result<(), EditError>;

/// The document as far as it is upgraded.
pub(super) struct Draft {
    made: Upgrade,
}

impl Draft {
    pub(super) fn new(document: &Document) -> Draft {
        let document = document.clone();
        Draft { made: Upgrade { document, edits: Vec::new(), changes: Vec::new(), left: Vec::new() } }
    }

    pub(super) fn finish(self) -> Upgrade {
        self.made
    }

    /// What stands at a path; `null` is as good as nothing.
    pub(super) fn get(&self, path: &Path) -> Option<Node<'_>> {
        self.made.document.get(path).filter(|node| !node.is_null())
    }

    pub(super) fn has(&self, path: &Path) -> bool {
        self.get(path).is_some()
    }

    /// The text at a path, where a text stands there.
    pub(super) fn text(&self, path: &Path) -> Option<String> {
        self.get(path)?.as_str().map(|text| text.into_owned())
    }

    /// The JSON at a path.
    pub(super) fn json(&self, path: &Path) -> Option<String> {
        Some(self.get(path)?.text().to_owned())
    }

    fn edit(&mut self, edit: Edit) -> Done {
        let splice = self.made.document.edit(&edit)?;
        // A splice made for this very document always fits it.
        let edited = self.made.document.apply(&splice);
        self.made.document = edited.map_err(|error| EditError::NotJson(error.to_string()))?;
        self.made.edits.push(edit);
        Ok(())
    }

    pub(super) fn put(&mut self, path: &Path, json: impl Into<String>) -> Done {
        self.edit(Edit::Set(path.clone(), json.into()))
    }

    pub(super) fn put_text(&mut self, path: &Path, text: &str) -> Done {
        self.put(path, quote(text))
    }

    /// Takes something away that was carried over; fine where nothing stands there.
    pub(super) fn take(&mut self, path: &Path) -> Done {
        match self.made.document.get(path) {
            Some(_) => self.edit(Edit::Remove(path.clone())),
            None => Ok(()),
        }
    }

    /// Moves a value; the place it goes to has to be free.
    pub(super) fn carry(&mut self, from: &Path, to: &Path) -> Done {
        let Some(json) = self.json(from) else { return Ok(()) };
        self.put(to, json)?;
        self.take(from)
    }

    /// Gives a member another key. A twin of it would come to life: then the value moves, and they go.
    pub(super) fn rename(&mut self, path: &Path, key: &str) -> Done {
        let Some(parent) = path.parent() else { return Ok(()) };
        let here = self.made.document.get(&parent);
        let is_taken = here.is_some_and(|object| object.get(key).is_some());
        let is_same = |node: Node<'_>| node.key().is_some_and(|name| Some(&*name) == path.last_key());
        let twins = here.into_iter().flat_map(Node::children).filter(|node| is_same(*node)).count();
        if is_taken || twins > 1 {
            return self.carry(path, &parent.join(key));
        }
        self.edit(Edit::Rename(path.clone(), key.to_owned()))
    }

    /// Keeps something that has no counterpart in sight: under its key with `_` before it Druid passes over it.
    pub(super) fn set_aside(&mut self, path: &Path, why: &str) -> Done {
        let (Some(key), Some(parent)) = (path.last_key().map(str::to_owned), path.parent()) else {
            return Ok(());
        };
        if !self.has(path) {
            return Ok(());
        }
        let mut aside = format!("_{key}");
        while self.made.document.get(&parent.join(&*aside)).is_some() {
            aside.insert(0, '_');
        }
        self.rename(path, &aside)?;
        self.leave(&parent.join(&*aside), format!("{key} is kept as {aside}: {why}"));
        Ok(())
    }

    /// Says of a change what it is and why.
    pub(super) fn say(&mut self, path: &Path, text: impl Into<String>) {
        self.made.changes.push(Said { path: path.clone(), text: text.into() });
    }

    /// Says of something that it was not carried over, or that it has to be written by hand.
    pub(super) fn leave(&mut self, path: &Path, text: impl Into<String>) {
        self.made.left.push(Said { path: path.clone(), text: text.into() });
    }
}
