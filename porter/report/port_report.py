"""Writer of `report.json` and `report.md`, the reports in the folder of a port."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from porter.base.json_text import indented
from porter.model.manifest import Manifest
from porter.model.moved_header import MovedHeader
from porter.model.rewrite_result import OF_PROJECTS, Reason
from porter.model.rules import RuleSet
from porter.model.summary import Summary
from porter.report import evidence, moved_headers, overlays
from porter.report.summary import as_json, summarise
from porter.report.tables import grid, headed

if TYPE_CHECKING:
    from porter.mapping.sdk import Sdk

MEANING = {
    Reason.UNMAPPED: "no rule matches the word",
    Reason.UNSUPPORTED: "the target lacks the name; the rule states the reason",
    Reason.AMBIGUOUS: "a rule exists, but cannot be applied to this text",
    Reason.IN_STRING: "the word is in a string literal, and no rule replaces it there",
    Reason.INTENDED: "the word is correct unchanged; the rule states the reason",
    Reason.OWN: "the project itself declares the word",
    Reason.FOREIGN: "neither the project nor the headers of CUDA and PyTorch declare the word",
}
"""Explanation of each reason for residue, for users."""


def reasons(summary: Summary) -> list[Reason]:
    """Reasons of residue that a report lists: all reasons, without unused ones that only projects have."""
    return [reason for reason in Reason if reason not in OF_PROJECTS or summary.places(reason)]


def write(
    folder: Path,
    manifest: Manifest,
    rules: RuleSet,
    *,
    sdk: Sdk | None = None,
    moved: tuple[MovedHeader, ...] = (),
) -> Summary:
    """Write both reports of a port into the port's folder, and return the content of the reports."""
    summary = summarise(manifest, rules, sdk)._replace(moved=moved)
    data = {"schema": 1, **as_json(summary)}
    (folder / "report.json").write_text(indented(data) + "\n", encoding="utf-8")
    # A file name in the report may be invalid UTF-8.
    text = markdown(summary)
    (folder / "report.md").write_text(text, encoding="utf-8", errors="surrogateescape")
    return summary


def markdown(summary: Summary) -> str:
    """Text of `report.md`."""
    lines = [
        f"# Port of PyTorch {summary.release} to {summary.target}",
        "",
        f"{summary.selected} files, {summary.edits} edits.",
        "",
        *findings(summary),
    ]
    if summary.overlays:
        lines += headed(overlays.table(summary.overlays))
    if summary.moved:
        lines += headed(moved_headers.table(summary.moved))
    lines += ["", "## Rules without hits", ""]
    lines += [f"- {cell(use.key)} ({use.origin})" for use in summary.dead] or ["None."]
    if summary.broken:
        lines += ["", "## Rules below their expected hits", ""]
        lines += [f"- {cell(u.key)} ({u.origin}): {u.hits} of {u.wanted}" for u in summary.broken]
    lines += ["", "## Tables", "", "| table | names | without hits |", "|---|---:|---:|"]
    lines += [f"| {f} | {n} | {never} |" for f, (n, never) in sorted(summary.unused_names.items())]
    return "\n".join(lines) + "\n"


def findings(summary: Summary) -> list[str]:
    """Markdown lines of the report about residue, hazards and evidence."""
    lines = [
        "| vendor text left | places | words | meaning |",
        "|---|---:|---:|---|",
    ]
    for reason in reasons(summary):
        words = summary.residue[reason]
        lines.append(f"| {reason} | {summary.places(reason)} | {len(words)} | {MEANING[reason]} |")
    lines += [
        "",
        "## May be wrong",
        "",
        "| hazard | places | files | first | why |",
        "|---|---:|---:|---|---|",
    ]
    lines += [
        f"| {d.name} | {d.count} | {d.files} | {d.first} | {cell(d.note)} |"
        for d in summary.hazards
    ]
    lines += evidence_lines(summary)
    for reason in Reason:
        words = summary.residue[reason]
        if not words:
            continue
        lines += ["", f"## Left: {reason}", "", "| word | places | files | first | rule | why |"]
        lines.append("|---|---:|---:|---|---|---|")
        lines += [
            f"| `{cell(w.name)}` | {w.count} | {w.files} | {w.first} | {cell(w.rule)} | {cell(w.note)} |"
            for w in words
        ]
    return lines


def evidence_lines(summary: Summary) -> list[str]:
    """Markdown lines of the report about the evidence for replaced names."""
    lines = ["", "## Evidence", "", *grid(evidence.graded(summary.names))]
    if summary.sdk:
        lines += ["", f"Headers of the SDK: {', '.join(summary.sdk)}"]
    for table in (evidence.guessed(summary.names), evidence.collided(summary.collisions())):
        if table.rows:
            lines += headed(table, level=3)
    return lines


def cell(text: str) -> str:
    """Text for a cell of a Markdown table: `|` is escaped, and line ends become blanks."""
    return text.replace("|", "\\|").replace("\n", " ")
