//! What changed between two documents, line by line, for people to read before they take it.
//!
//! Always holds: the lines that stay and go are the old text, those that stay and come the new one, in order. A document
//! that stands on one line is spread over lines first, both sides alike, and the diff says so.

use super::style::Style;
use super::{Document, Node};

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It stays.
    Stays,
    /// It goes.
    Goes,
    /// It comes.
    Comes,
}

impl Fate {
    /// The sign before a line, as diffs have it.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Fate::Stays => ' ',
            Fate::Goes => '-',
            Fate::Comes => '+',
        }
    }
}

/// A line of a diff.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// What became of it.
    pub fate: Fate,
    /// Its text, without the line end.
    pub text: String,
}

/// A diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// Every line of both texts.
    pub lines: Vec<Line>,
    /// The documents stand on one line and are spread here to be readable; in the text they stay as they are.
    pub spread: bool,
}

/// A piece of a diff with the unchanged rest left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'d> {
    /// So many lines that stay.
    Skipped(usize),
    /// A line.
    Line(&'d Line),
}

/// Pairs of lines that are compared; beyond it everything between the first and the last change counts as changed.
const MOST_PAIRS: usize = 1 << 20;

impl Document {
    /// What turns this document into another.
    #[must_use]
    pub fn diff(&self, to: &Document) -> Diff {
        let spread = !self.text().trim().contains('\n');
        let (old, new) = match spread {
            true => (spread_out(self), spread_out(to)),
            false => (self.text().to_owned(), to.text().to_owned()),
        };
        Diff { lines: lines(&old, &new), spread }
    }
}

impl Diff {
    /// The changes with `around` unchanged lines before and after each.
    #[must_use]
    pub fn pieces(&self, around: usize) -> Vec<Piece<'_>> {
        let near = |at: usize| {
            let end = at.saturating_add(around + 1).min(self.lines.len());
            let near = self.lines.get(at.saturating_sub(around)..end).unwrap_or_default();
            near.iter().any(|line| line.fate != Fate::Stays)
        };
        let mut pieces = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            match (near(at), pieces.last_mut()) {
                (true, _) => pieces.push(Piece::Line(line)),
                (false, Some(Piece::Skipped(more))) => *more += 1,
                (false, _) => pieces.push(Piece::Skipped(1)),
            }
        }
        pieces
    }
}

fn spread_out(document: &Document) -> String {
    let style = Style::spread();
    document.root().map(|root: Node<'_>| style.lay_out(root, "", None)).unwrap_or_default()
}

fn lines(old: &str, new: &str) -> Vec<Line> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (left, right) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let end = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, after) = left.split_at(left.len() - end);
    let (right, _) = right.split_at(right.len() - end);
    let line = |fate: Fate| move |text: &&str| Line { fate, text: (*text).to_owned() };
    let mut out: Vec<Line> = old.iter().take(start).map(line(Fate::Stays)).collect();
    out.extend(between(left, right));
    out.extend(after.iter().map(line(Fate::Stays)));
    out
}

/// The longest common subsequence, by its table of lengths from the end.
fn between(left: &[&str], right: &[&str]) -> Vec<Line> {
    let width = right.len() + 1;
    let mut out = Vec::with_capacity(left.len() + right.len());
    let mut push = |fate: Fate, text: &str| out.push(Line { fate, text: text.to_owned() });
    let (mut i, mut j) = (0, 0);
    if left.len().saturating_mul(right.len()) <= MOST_PAIRS {
        let mut lengths = vec![0u32; (left.len() + 1) * width];
        let length = |lengths: &[u32], i: usize, j: usize| lengths.get(i * width + j).copied().unwrap_or(0);
        for (i, l) in left.iter().enumerate().rev() {
            for (j, r) in right.iter().enumerate().rev() {
                let best = match l == r {
                    true => length(&lengths, i + 1, j + 1) + 1,
                    false => length(&lengths, i + 1, j).max(length(&lengths, i, j + 1)),
                };
                if let Some(cell) = lengths.get_mut(i * width + j) {
                    *cell = best;
                }
            }
        }
        while let (Some(l), Some(r)) = (left.get(i), right.get(j)) {
            if l == r {
                push(Fate::Stays, l);
                (i, j) = (i + 1, j + 1);
            } else if length(&lengths, i + 1, j) >= length(&lengths, i, j + 1) {
                push(Fate::Goes, l);
                i += 1;
            } else {
                push(Fate::Comes, r);
                j += 1;
            }
        }
    }
    left.iter().skip(i).for_each(|l| push(Fate::Goes, l));
    right.iter().skip(j).for_each(|r| push(Fate::Comes, r));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str, around: usize) -> String {
        let diff = Document::parse(old).diff(&Document::parse(new));
        let mut out = String::new();
        for piece in diff.pieces(around) {
            match piece {
                Piece::Skipped(lines) => out.push_str(&format!("@{lines}\n")),
                Piece::Line(line) => {
                    out.push(line.fate.sign());
                    out.push_str(&format!("{}\n", line.text));
                }
            }
        }
        out
    }

    #[test]
    fn a_diff_names_what_goes_and_comes_and_leaves_the_rest_out() {
        let old = "{\n \"a\": 1,\n \"b\": 2,\n \"c\": 3,\n \"d\": 4\n}";
        let new = "{\n \"a\": 1,\n \"b\": 2,\n \"d\": 4,\n \"e\": 5\n}";
        assert_eq!(shown(old, new, 0), "@3\n- \"c\": 3,\n- \"d\": 4\n+ \"d\": 4,\n+ \"e\": 5\n@1\n");
        assert_eq!(
            shown(old, new, 1),
            "@2\n  \"b\": 2,\n- \"c\": 3,\n- \"d\": 4\n+ \"d\": 4,\n+ \"e\": 5\n }\n"
        );
        assert_eq!(shown(old, old, 3), "@6\n");
    }

    #[test]
    fn a_document_on_one_line_is_spread_to_be_readable() {
        let (old, new) = ("{\"a\":1E3,\"b\":[1,2]}", "{\"a\":1E3,\"b\":[1,2],\"c\":{}}");
        assert!(Document::parse(old).diff(&Document::parse(new)).spread);
        assert_eq!(
            shown(old, new, 1),
            "@1\n   \"a\": 1E3,\n-  \"b\": [1, 2]\n+  \"b\": [1, 2],\n+  \"c\": {}\n }\n"
        );
    }

    #[test]
    fn both_texts_can_be_read_off_a_diff() {
        let texts = ["", "a", "a\nb\nc", "c\nb\na", "a\na\na", "b\na\nb\na\nc", "x\ny\nz\nx"];
        for old in texts {
            for new in texts {
                let all = lines(old, new);
                let side = |other: Fate| {
                    let kept = all.iter().filter(|line| line.fate != other);
                    kept.map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
                };
                assert_eq!((side(Fate::Comes).as_str(), side(Fate::Goes).as_str()), (old, new));
            }
        }
    }
}
