"""Page of `porter mapping check`: findings by check. The script keeps ticks of corrected rows in the browser."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from porter.base.errors import Problem
from porter.mapping.check import MappingCheck
from porter.mapping.checks import Finding
from porter.report import mapping_check
from porter.report.pages.frame import Section, page
from porter.report.pages.markup import Html, join, table, tag
from porter.report.pages.tiles import tiles
from porter.report.tables import Table

_COLUMNS = ("severity", "place", "line", "finding", "what to do")
_WORST = 3
_Row = Mapping[str, str]

LineAt = Callable[[str], str]
"""Function from a place (`toy/runtime.yaml:4`) to the text of that line; empty if it cannot be read."""


def render(
    done: Sequence[MappingCheck],
    findings: Sequence[Finding],
    refused: Sequence[Problem],
    line_at: LineAt,
) -> str:
    """Text of the page. The arguments other than `line_at` are those of `mapping_check.document`."""
    rows: list[_Row] = mapping_check.document(done, findings, refused)["findings"]
    rows.sort(key=lambda row: (row["check"] != "load", row["severity"], row["check"]))
    sections = [Section("overview", "Overview", _overview(done, rows))]
    for check, of_check in groupby(sorted(rows, key=_check), _check):
        here = list(of_check)
        shown = Table(f"Check: {check}", _COLUMNS, tuple(_texts(row, line_at) for row in here))
        body = table(
            shown, cells=(_cells(row, line_at) for row in here), facets=(0,), class_="work"
        )
        sections.append(Section(f"check-{check}", check, body, len(here)))
    targets = ", ".join(one.target for one in done) or "no target"
    return page("mappings", f"Check of the mappings: {targets}", sections)


def _check(row: _Row) -> str:
    return row["check"]


def _overview(done: Sequence[MappingCheck], rows: Sequence[_Row]) -> Html:
    errors = sum(row["severity"] == "error" for row in rows)
    numbers: list[tuple[str, object, str]] = [
        ("errors", f"{errors:,}", "bad" if errors else "good"),
        ("warnings", f"{len(rows) - errors:,}", ""),
        ("targets", f"{len(done):,}", ""),
    ]
    steps = [
        tag("li", row["text"], tag("br"), tag("code", row["place"]), f" {row['help']}")
        for row in rows[:_WORST]
    ]
    parts = [
        tiles(numbers),
        tag("p", id="work-progress"),
        join([tag("h3", "Next"), tag("ol", *steps, class_="steps")])
        if steps
        else tag("p", "Nothing to do."),
    ]
    totals = mapping_check.totals(done)
    return join([*parts, table(totals)] if totals.rows else parts, "\n")


def _texts(row: _Row, line_at: LineAt) -> tuple[str, ...]:
    return (row["severity"], row["place"], line_at(row["place"]), row["text"], row["help"])


def _cells(row: _Row, line_at: LineAt) -> Iterable[object]:
    severity = "breaks" if row["severity"] == "error" else "check"
    place = row["place"]
    return (
        tag("td", row["severity"], class_=severity),
        tag("td", place, class_="code", data_row=place, data_task=_task(row)),
        tag("td", line_at(place), class_="code"),
        row["text"],
        row["help"],
    )


def _task(row: _Row) -> str:
    """Identifier of a row: equal for the same finding when the page is made again."""
    text = "\0".join((row["check"], row["place"].partition(":")[0], row["text"]))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
