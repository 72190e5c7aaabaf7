//! Printing that all commands share.

use std::io::Write;

use backfill::check::{Finding, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

/// A JSON array, element by element as they come.
pub(crate) fn array<T: Serialize>(
    out: &mut impl Write,
    items: impl IntoIterator<Item = T>,
) -> std::io::Result<()> {
    out.write_all(b"[")?;
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *out, &item)?;
    }
    out.write_all(b"]")
}

/// A finding as the documents have it.
pub(crate) fn finding(finding: &Finding) -> Value {
    json!({"check": finding.check, "verdict": finding.verdict.name(), "text": sentence(finding)})
}

fn sentence(finding: &Finding) -> String {
    let title = finding.title.trim_end_matches('.');
    match finding.why.as_str() {
        "" => format!("{title}."),
        why => format!("{title}. {why}"),
    }
}

/// Findings for people: what stops, what warns with its reason, and how much passed.
pub(crate) fn findings(out: &mut impl Write, findings: &[Finding]) -> std::io::Result<()> {
    let of = |verdict: Verdict| findings.iter().filter(move |finding| finding.verdict == verdict);
    writeln!(
        out,
        "Findings: {} stop, {} warn, {} pass",
        of(Verdict::Stop).count(),
        of(Verdict::Warn).count(),
        of(Verdict::Pass).count()
    )?;
    for finding in of(Verdict::Stop).chain(of(Verdict::Warn)) {
        writeln!(out, "  {}  [{}] {}", finding.verdict.name(), finding.check, finding.title)?;
        writeln!(out, "        {}", finding.why)?;
        for fix in &finding.fixes {
            writeln!(out, "        fix: {}", fix.label)?;
        }
    }
    Ok(())
}

/// Whether a finding stops.
pub(crate) fn stops(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.verdict == Verdict::Stop)
}
