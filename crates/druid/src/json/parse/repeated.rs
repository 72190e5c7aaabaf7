//! Keys that stand twice in one object.

use super::super::{Kind, Span, Trouble, unquote};
use super::{Found, Parser};
use crate::order::Order as _;

impl Parser<'_> {
    /// Of repeated keys in one object all but the last are told.
    pub(super) fn repeated_keys(&self) -> Vec<Found> {
        let mut repeated = Vec::new();
        for (at, raw) in self.nodes.iter().enumerate().filter(|(_, raw)| raw.kind == Kind::Object) {
            let mut keys = Vec::new();
            let mut child = at + 1;
            while let Some(member) = self.nodes.get(child).filter(|_| child < raw.next as usize) {
                let quoted = self.text.get(member.key_start as usize..member.key_end as usize);
                keys.push((unquote(quoted.unwrap_or_default()), member.key_start, member.key_end));
                child = member.next as usize;
            }
            keys.order();
            for pair in keys.windows(2) {
                if let [(first, start, end), (second, ..)] = pair
                    && first == second
                    && start < end
                {
                    let span = Span { start: *start as usize, end: *end as usize };
                    let message =
                        format!("\"{first}\" stands here and again further down: Druid takes the last one");
                    repeated.push((Trouble::DuplicateKey, span, message));
                }
            }
        }
        repeated
    }
}
