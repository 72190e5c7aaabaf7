//! The gate: what stands between a task and its submission.
//!
//! What always holds: a stop closes it, and nothing confirms a stop away; a warning closes it until exactly that warning
//! (check and fingerprint of what it saw) has been confirmed.
//!
//! What it does not do: keep confirmations. They are part of a plan, so that undo covers them.

use super::{Finding, Verdict};

/// What stands between a task and its submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate<'a> {
    /// These block.
    pub stops: Vec<&'a Finding>,
    /// These want a yes.
    pub unconfirmed: Vec<&'a Finding>,
}

impl<'a> Gate<'a> {
    /// Of these findings; `confirmed` says whether a check was confirmed for what it saw.
    pub fn of(findings: &'a [Finding], confirmed: impl Fn(&str, u64) -> bool) -> Gate<'a> {
        let stops = findings.iter().filter(|finding| finding.verdict == Verdict::Stop).collect();
        let open =
            |finding: &&Finding| finding.verdict == Verdict::Warn && !confirmed(finding.check, finding.saw);
        Gate { stops, unconfirmed: findings.iter().filter(open).collect() }
    }

    /// Whether the task may be sent.
    pub fn is_open(&self) -> bool {
        self.stops.is_empty() && self.unconfirmed.is_empty()
    }

    /// Why it may not, for the button; empty when it may.
    pub fn reason(&self) -> String {
        match (self.stops.as_slice(), self.unconfirmed.as_slice()) {
            ([], []) => String::new(),
            ([stop], _) => stop.title.clone(),
            ([stop, more @ ..], _) => format!("{} and {} more", stop.title, more.len()),
            ([], [warning]) => format!("Confirm: {}", warning.title),
            ([], warnings) => format!("Confirm {} warnings first", warnings.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(title: &str) -> Finding {
        Finding::warn("chunks-emptied", title, "why")
    }

    #[test]
    fn a_confirmation_is_good_for_exactly_what_was_seen() {
        let seen = warning("3 chunks will be emptied");
        let confirmed = |check: &str, saw: u64| check == seen.check && saw == seen.saw;
        assert!(Gate::of(std::slice::from_ref(&seen), confirmed).is_open());
        assert!(!Gate::of(&[warning("4 chunks will be emptied")], confirmed).is_open());
    }

    #[test]
    fn a_stop_cannot_be_confirmed_away() {
        let findings = [Finding::stop("neighbour-hit", "3 neighbours are hit", "why")];
        let gate = Gate::of(&findings, |_, _| true);
        assert!(!gate.is_open());
        assert_eq!(gate.reason(), "3 neighbours are hit");
    }

    #[test]
    fn the_gate_opens_when_every_warning_is_confirmed() {
        let findings = [warning("a"), warning("b"), Finding::pass("x", "y", "z")];
        assert_eq!(Gate::of(&findings, |_, _| false).reason(), "Confirm 2 warnings first");
        assert!(Gate::of(&findings, |_, _| true).is_open());
    }
}
