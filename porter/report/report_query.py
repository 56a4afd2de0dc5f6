"""Selection, sorting and display of an existing report of a port (`report.json`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from porter.model.evidence import Collision, Replacement
from porter.model.rewrite_result import OF_PROJECTS, Reason
from porter.model.summary import ResidueWord
from porter.report import evidence
from porter.report.port_report import MEANING
from porter.report.tables import Line, Table, aligned, grid, headed, titled

_LONGEST_LINE = 16
"""Largest number of digits of a line number."""


class Order(StrEnum):
    """Sort order of the words of a report."""

    PLACES = "places"
    FILES = "files"
    NAME = "name"
    FIRST = "first"


_BY: dict[Order, Callable[[ResidueWord], Any]] = {
    Order.PLACES: lambda word: (-word.count, word.name),
    Order.FILES: lambda word: (-word.files, -word.count, word.name),
    Order.NAME: lambda word: (word.name, word.note),
    Order.FIRST: lambda word: (_place(word.first), word.name),
}


@dataclass(frozen=True)
class Report:
    """Content of a port's `report.json`."""

    data: Mapping[str, Any]
    """Complete content of the file."""
    words: Mapping[Reason, tuple[ResidueWord, ...]]
    """Maps each requested reason for residue to the words with the reason."""
    names: tuple[Replacement, ...] = ()
    """CUDA names and their replacements; replacements with the weakest evidence come first."""
    collisions: tuple[Collision, ...] = ()

    def document(self) -> dict[str, Any]:
        """Plain data for `--json`: the complete report, but only the requested words."""
        words = {
            str(reason): [word._asdict() for word in words] for reason, words in self.words.items()
        }
        return {**self.data, "words": words}


def narrowed(
    report: Report, reasons: Sequence[Reason] = (), order: Order = Order.PLACES, limit: int = 0
) -> Report:
    """Copy of the report with sorted words, limited to the given reasons for residue.

    If `reasons` is empty, all reasons are selected. Each reason keeps at most `limit` words (0: all).
    """
    words = {
        reason: tuple(sorted(words, key=_BY[order])[: limit or None])
        for reason, words in report.words.items()
        if not reasons or reason in reasons
    }
    return replace(report, words=words)


def lines(report: Report, limit: int = 0) -> Iterator[Line]:
    """Report as lines for a terminal; each table has at most `limit` rows (0: all)."""
    yield from head(report)
    yield from body(report, limit)


def head(report: Report) -> Iterator[Line]:
    """Lines with the totals of the report."""
    yield Line(title(report), "bold")
    yield Line(_figures(report))
    yield Line("")
    yield from aligned(_left(report))
    yield Line("")
    yield from aligned(evidence.graded(report.names))


def body(report: Report, limit: int = 0) -> Iterator[Line]:
    """Lines with the tables of words, hazards, names and rules; each table has at most `limit` rows (0: all)."""
    for table in _tables(report):
        if table.rows:
            yield from titled(table, limit)


def markdown(report: Report) -> str:
    """Report as Markdown."""
    out = [f"# {title(report)}", "", _figures(report), "", *grid(_left(report))]
    out += ["", *grid(evidence.graded(report.names))]
    for table in _tables(report):
        if table.rows:
            out += headed(table)
    return "\n".join(out) + "\n"


def title(report: Report) -> str:
    release, target = report.data["release"], report.data["target"]
    if _is_project(report):
        return f"A project for {target}, by the rules for PyTorch {release}"
    return f"PyTorch {release} for {target}"


def _is_project(report: Report) -> bool:
    """Test whether `porter port` wrote the report of a CUDA project. Reports of `porter run` have no key `by_hand`."""
    return "by_hand" in report.data


def _figures(report: Report) -> str:
    figures = f"{report.data['files']['selected']} files, {report.data['edits']} edits"
    if _is_project(report):
        return figures
    return f"{figures}; {len(report.data['rules']['dead'])} rules without hits"


def _left(report: Report) -> Table:
    counts = report.data["residue"]
    rows = tuple(
        (str(reason), str(counts[reason]), MEANING[reason])
        for reason in Reason
        if reason not in OF_PROJECTS or counts.get(reason)
    )
    return Table("", ("left", "places", "meaning"), rows, frozenset({1}))


def _tables(report: Report) -> Iterator[Table]:
    numbers = frozenset({0, 1})
    for reason, words in report.words.items():
        rows = tuple((str(w.count), str(w.files), w.name, w.first, w.note) for w in words)
        bad = reason in (Reason.UNMAPPED, Reason.AMBIGUOUS)
        columns = ("places", "files", "word", "first", "why")
        yield Table(f"Left: {reason}", columns, rows, numbers, bad)
    yield Table(
        "May be wrong",
        ("places", "files", "hazard", "first", "why"),
        tuple(
            (str(d["count"]), str(d["files"]), d["name"], d["first"], d["note"])
            for d in report.data["hazards"]
        ),
        numbers,
    )
    yield evidence.guessed(report.names)
    yield evidence.collided(report.collisions)
    yield Table(
        "Rules below their expected hits",
        ("hits", "expected", "rule", "from"),
        tuple(
            (str(u["hits"]), str(u["wanted"]), u["key"], u["origin"])
            for u in report.data["rules"]["below_expectation"]
        ),
        numbers,
        bad=True,
    )
    yield Table(
        "Files to change by hand",
        ("file", "mentions"),
        tuple(
            (item["path"], ", ".join((*item["renamed"], *item["words"])))
            for item in report.data.get("by_hand", ())
        ),
    )


def _place(first: str) -> tuple[str, int]:
    path, _, line = first.rpartition(":")
    return path, int(line) if line.isdecimal() and len(line) < _LONGEST_LINE else 0
