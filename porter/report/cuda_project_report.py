"""Report of a ported project: files, residue, hazards, and work that the port leaves to the user."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porter.model.cuda_project import ByHand
from porter.model.manifest import Manifest, PortedFile
from porter.model.rewrite_result import Reason
from porter.model.rules import RuleSet
from porter.model.summary import Summary
from porter.report import evidence
from porter.report.port_report import MEANING, cell, findings
from porter.report.summary import as_json, summarise
from porter.report.tables import Line, Table, aligned

if TYPE_CHECKING:
    from porter.mapping.sdk import Sdk
    from porter.model.cuda_project import UnportedMention
    from porter.model.ported import Ported

_SHOWN = 10
"""Largest number of rows of a list on a terminal; report.md contains all rows."""


def summary_of(manifest: Manifest, rules: RuleSet, sdk: Sdk | None = None) -> Summary:
    """Totals of a project's port, without the lists of rules with no or too few hits.

    The rules are written for PyTorch's sources, and a project matches only some of them.
    """
    return summarise(manifest, rules, sdk)._replace(dead=(), unused_names={}, broken=())


def ported(manifest: Manifest) -> list[PortedFile]:
    """Ported files, sorted by path."""
    return [file for _, file in sorted(manifest.files.items()) if not _copied(file)]


def copied(manifest: Manifest) -> list[PortedFile]:
    """Files copied unchanged, sorted by path."""
    return [file for _, file in sorted(manifest.files.items()) if _copied(file)]


def _copied(file: PortedFile) -> bool:
    return file.reason.startswith("copied: ")


def document(manifest: Manifest, summary: Summary, by_hand: ByHand) -> dict[str, Any]:
    """Plain data of the report, for `report.json` and `--json`. `porter port` adds figures of the run to `--json`."""
    data = as_json(summary)
    data["files"] = {
        "selected": summary.selected,
        "ported": len(ported(manifest)),
        "copied": len(copied(manifest)),
    }
    data["ported"] = [
        {"path": file.path, "to": file.to, "edits": file.edits} for file in ported(manifest)
    ]
    data["copied"] = [
        {"path": file.path, "reason": file.reason.removeprefix("copied: ")}
        for file in copied(manifest)
    ]
    data["by_hand"] = [
        {"path": item.path, "words": list(item.words), "renamed": list(item.renamed)}
        for item in by_hand.mentions
    ]
    data["skipped"] = [{"path": item.path, "reason": item.reason} for item in by_hand.skipped]
    return data


def write(
    folder: Path, manifest: Manifest, rules: RuleSet, *, by_hand: ByHand, sdk: Sdk | None = None
) -> Summary:
    """Write `report.json` and `report.md` into the folder of a port, and return the totals of the port."""
    summary = summary_of(manifest, rules, sdk)
    data = {"schema": 1, **document(manifest, summary, by_hand)}
    (folder / "report.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(manifest, summary, by_hand), encoding="utf-8")
    return summary


def markdown(manifest: Manifest, summary: Summary, by_hand: ByHand) -> str:
    """Text of `report.md`."""
    sources, others = ported(manifest), copied(manifest)
    lines = [
        f"# Port to {summary.target}",
        "",
        f"{len(sources)} files ported with {summary.edits} edits, by the rules for PyTorch "
        f"{summary.release}; {len(others)} copied unchanged.",
        "",
        *findings(summary),
        "",
        "## Files",
        "",
        "| file | ported to | edits |",
        "|---|---|---:|",
        *(f"| {cell(file.path)} | {cell(file.to)} | {file.edits} |" for file in sources),
    ]
    if by_hand.mentions:
        lines += ["", "## Files to change by hand", "", "| file | mentions |", "|---|---|"]
        lines += [f"| {cell(item.path)} | {cell(_says(item))} |" for item in by_hand.mentions]
    if others:
        lines += ["", "## Copied unchanged", "", "| file | why |", "|---|---|"]
        lines += [
            f"| {cell(file.path)} | {file.reason.removeprefix('copied: ')} |" for file in others
        ]
    if by_hand.skipped:
        lines += ["", "## Left out", "", "| path | why |", "|---|---|"]
        lines += [f"| {cell(item.path)} | {item.reason} |" for item in by_hand.skipped]
    return "\n".join(lines) + "\n"


def _says(item: UnportedMention, most: int | None = None) -> str:
    words = [f"{name} (renamed)" for name in item.renamed] + list(item.words)
    more = f" and {len(words) - most} more" if most and len(words) > most else ""
    return ", ".join(words[:most]) + more


def lines(
    result: Ported, summary: Summary, by_hand: ByHand, seconds: dict[str, float], dry_run: bool
) -> Iterator[Line]:
    """Tables for a terminal: ported files, residue, hazards and work left to the user."""
    sources, others = ported(result.manifest), copied(result.manifest)
    verb = "would be written" if dry_run else "written"
    yield Line(f"target   {summary.target}, by the rules for PyTorch {summary.release}")
    yield Line(f"files    {len(sources)} ported, {len(others)} copied unchanged")
    yield Line(f"         {result.written} {verb}, {result.unchanged} unchanged")
    yield Line(f"edits    {summary.edits}")
    yield Line(f"names    {evidence.headline(summary.names, summary.collisions())}")
    spent = ", ".join(f"{stage} {value:.2f}" for stage, value in seconds.items())
    yield Line(f"seconds  {spent}")

    yield Line("")
    files = [
        (file.to, str(file.edits), file.path if file.to != file.path else "") for file in sources
    ]
    yield from aligned(
        Table("", ("ported to", "edits", "from"), tuple(files), frozenset({1})), _SHOWN
    )

    yield Line("")
    left = [
        (
            str(reason),
            str(summary.places(reason)),
            str(len(summary.residue[reason])),
            MEANING[reason],
        )
        for reason in Reason
    ]
    yield from aligned(
        Table("", ("left", "places", "words", "meaning"), tuple(left), frozenset({1, 2}))
    )
    yield from _unresolved(summary)

    if summary.hazards:
        yield Line("")
        hazards = [(h.name, str(h.count), str(h.files), h.first, h.note) for h in summary.hazards]
        yield from aligned(
            Table(
                "",
                ("may be wrong", "places", "files", "first", "why"),
                tuple(hazards),
                frozenset({1, 2}),
            )
        )
    if by_hand.mentions:
        yield Line("")
        hand = [(item.path, _says(item, 6)) for item in by_hand.mentions]
        yield from aligned(Table("", ("files to change by hand", "mentions"), tuple(hand)), _SHOWN)
    if not dry_run:
        yield Line("")
        yield Line(f"port     {result.folder / 'src'}")
        yield Line(f"report   {result.folder / 'report.md'}")
        yield Line(f"contract {result.folder / 'contract'}")


def _unresolved(summary: Summary) -> Iterator[Line]:
    """One line for each unmapped or ambiguous word, and one line for each reason why words are unsupported."""
    for reason in (Reason.UNMAPPED, Reason.AMBIGUOUS):
        for word in summary.residue[reason][:_SHOWN]:
            why = f" ({word.note})" if word.note else ""
            yield Line(f"  {reason} {word.name}: first {word.first}{why}", "red")
    reasons: dict[str, list[str]] = {}
    for word in summary.residue[Reason.UNSUPPORTED]:
        reasons.setdefault(word.note, []).append(word.name)
    for why, names in list(reasons.items())[:_SHOWN]:
        more = f" and {len(names) - 4} more" if len(names) > 4 else ""
        yield Line(f"  unsupported {', '.join(names[:4])}{more}: {why}", "yellow")
    if foreign := [f"{word.name} ({word.first})" for word in summary.residue[Reason.FOREIGN]]:
        more = f" and {len(foreign) - _SHOWN} more" if len(foreign) > _SHOWN else ""
        yield Line(f"  foreign {', '.join(foreign[:_SHOWN])}{more}", "yellow")
