//! What a timeline shows: bars and the words beside them. Pure; made by the page that shows it.

use chart::{LockMark, Mark, Span, Store};
use std::sync::Arc;

/// A lane's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneName {
    /// What stands first.
    pub name: String,
    /// What stands below it.
    pub sub: String,
}

/// A lock of another task.
#[derive(Clone, Debug, PartialEq)]
pub struct LockName {
    /// Where it is drawn.
    pub mark: LockMark,
    /// Who holds it, which lock, which priority.
    pub name: String,
}

/// Everything a timeline is drawn from.
#[derive(Debug, Default)]
pub struct Scene {
    /// The bars. Their ids are the page's.
    pub store: Store,
    /// Lane names, top first.
    pub lanes: Vec<LaneName>,
    /// What was typed.
    pub typed: Vec<Span>,
    /// What the run works on.
    pub effective: Vec<Span>,
    /// The difference.
    pub widened: Vec<Span>,
    /// Words beside each piece of the widening: "6 h more".
    pub widened_words: Vec<String>,
    /// Locks of other tasks.
    pub locks: Vec<LockName>,
    /// Words in wide bars, by bar id: "new rows", "emptied".
    pub words: Vec<(u32, &'static str)>,
    /// The picture in one sentence, read out.
    pub summary: String,
}

/// A value behind a shared pointer that compares by identity: a signal tells its readers when another one is there.
#[derive(Debug)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Shares a value.
    pub fn new(value: T) -> Self {
        Shared(Arc::new(value))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(Arc::clone(&self.0))
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> std::ops::Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl Scene {
    /// The marks that occur, as class and word, in the order in which they are explained.
    pub fn legend(&self) -> Vec<(&'static str, &'static str)> {
        let occurs = |mark: Mark| self.store.marks().contains(&mark);
        let all: [(&[Mark], &'static str, &'static str); 11] = [
            (&[Mark::Served, Mark::Untouched], "served", "served"),
            (&[Mark::New], "new", "this run"),
            (&[Mark::Tombstone], "tomb", "emptied"),
            (&[Mark::EitherTomb], "either", "new or emptied"),
            (&[Mark::EitherKept], "either2", "new or as now"),
            (&[Mark::Hidden, Mark::HiddenTombstone], "hid", "hidden"),
            (&[Mark::EitherHidden], "either3", "hidden or served"),
            (&[Mark::Doubled, Mark::Appended], "dbl", "added to"),
            (&[Mark::Incomplete], "inc", "incomplete"),
            (&[Mark::BornHidden], "born", "hidden at birth"),
            (&[Mark::Removed], "gone", "deleted"),
        ];
        let mut legend: Vec<_> = all
            .into_iter()
            .filter(|(marks, _, _)| marks.iter().any(|mark| occurs(*mark)))
            .map(|(_, class, word)| (class, word))
            .collect();
        if !self.widened.is_empty() {
            legend.push(("wid", "widened"));
        }
        if !self.locks.is_empty() {
            legend.push(("lock", "locked by another task"));
        }
        legend
    }
}
