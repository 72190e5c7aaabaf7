//! Printing that all commands share.

use std::io::Write;

use backfill::check::{Finding, Verdict};
use druid::json::{Document, Piece};
use druid::spec::upgrade::{Said, Upgrade};
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

/// An upgrade as the document has it: the task as it would be, what changes, and what is left to people.
pub(crate) fn upgrade(upgrade: &Upgrade) -> Value {
    let list = |said: &[Said]| {
        said.iter().map(|one| json!({"path": one.path.to_string(), "text": one.text})).collect::<Vec<_>>()
    };
    json!({"task": upgrade.document.text(), "changes": list(&upgrade.changes), "left": list(&upgrade.left)})
}

/// The same for people: each change with its reason, what is left to them, and the diff.
pub(crate) fn upgrade_for_people(
    out: &mut impl Write,
    old: &Document,
    upgrade: &Upgrade,
) -> std::io::Result<()> {
    writeln!(out, "\nUpgrade (shown, not made)")?;
    for said in &upgrade.changes {
        writeln!(out, "  {}", said.text)?;
    }
    for said in &upgrade.left {
        writeln!(out, "  left to you, {}: {}", said.path, said.text)?;
    }
    let diff = old.diff(&upgrade.document);
    if diff.spread {
        writeln!(out, "\nThe text stands on one line; it is spread here to be readable.")?;
    }
    writeln!(out)?;
    for piece in diff.pieces(3) {
        match piece {
            Piece::Skipped(lines) => writeln!(out, "@@ {lines} lines unchanged @@")?,
            Piece::Line(line) => writeln!(out, "{}{}", line.fate.sign(), line.text)?,
        }
    }
    Ok(())
}

/// Whether a finding stops.
pub(crate) fn stops(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.verdict == Verdict::Stop)
}
