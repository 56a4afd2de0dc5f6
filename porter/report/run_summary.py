"""Summary of a port, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from porter.model.rewrite_result import Reason
from porter.model.summary import Summary
from porter.report import evidence, overlays
from porter.report.port_report import MEANING, reasons
from porter.report.tables import Line, Table, aligned, titled

if TYPE_CHECKING:
    from porter.model.ported import Ported

_UNMAPPED_SHOWN = 10
"""Largest number of unmapped words on a terminal; the report contains all words."""


def lines(
    summary: Summary, ported: Ported, seconds: dict[str, float], dry_run: bool
) -> Iterator[Line]:
    """Tables for a terminal: files, edits, residue, hazards and overlays."""
    yield Line(f"PyTorch {summary.release} for {summary.target}", "bold")
    yield Line(f"files       {summary.selected} selected, {_wrote(ported, dry_run)}")
    yield Line(f"edits       {summary.edits}")
    yield Line(f"names       {evidence.headline(summary.names, summary.collisions())}")
    dead = f"{len(summary.dead)} rules without hits, not counting tables and lists (see report.md)"
    yield Line(f"dead rules  {dead}")
    spent = ", ".join(f"{stage} {value:.2f}" for stage, value in seconds.items())
    yield Line(f"seconds     {spent}")
    yield Line("")
    yield from _left(summary)
    yield Line("")
    if summary.hazards:
        yield from _hazards(summary)
    if summary.overlays:
        yield from titled(overlays.table(summary.overlays))
    if not dry_run:
        yield Line("")
        yield Line(f"port    {ported.folder / 'src'}")
        yield Line(f"report  {ported.folder / 'report.md'}")


def _left(summary: Summary) -> Iterator[Line]:
    rows = tuple(
        (
            str(reason),
            str(summary.places(reason)),
            str(len(summary.residue[reason])),
            MEANING[reason],
        )
        for reason in reasons(summary)
    )
    head, *body = aligned(
        Table("", ("left", "places", "words", "meaning"), rows, frozenset({1, 2}))
    )
    yield head
    for reason, line in zip(reasons(summary), body, strict=True):
        bad = summary.places(reason) and reason in (Reason.UNMAPPED, Reason.AMBIGUOUS)
        yield line._replace(style="red") if bad else line
    for word in summary.residue[Reason.UNMAPPED][:_UNMAPPED_SHOWN]:
        yield Line(f"  unmapped {word.name}: {word.count} places, first {word.first}", "red")


def _hazards(summary: Summary) -> Iterator[Line]:
    rows = tuple((one.name, str(one.count), str(one.files), one.note) for one in summary.hazards)
    columns = ("may be wrong", "places", "files", "why")
    yield from aligned(Table("", columns, rows, frozenset({1, 2})))


def _wrote(ported: Ported, dry_run: bool) -> str:
    verb = "would be written" if dry_run else "written"
    return f"{ported.written} {verb}, {ported.unchanged} unchanged"
