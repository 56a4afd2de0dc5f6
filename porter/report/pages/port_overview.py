"""Overview of a port's page: totals, next steps, stages and their durations, and the last runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from porter.model.port_page import PortPage, RunRecord
from porter.model.rewrite_result import Reason
from porter.report import moved_headers, next_steps
from porter.report.pages.markup import Html, join, table, tag
from porter.report.pages.tiles import tiles
from porter.report.pages.trend import sparkline
from porter.report.port_report import MEANING
from porter.report.report_query import Report
from porter.report.tables import Table

_BAD = (Reason.UNMAPPED, Reason.AMBIGUOUS)


def body(report: Report, data: PortPage) -> Html:
    """Overview of a port."""
    parts = [
        *(tag("p", note, class_="note") for note in data.notes),
        _figures(report, data),
        steps(next_steps.of_port(report, data.build)),
        _left(report),
    ]
    if data.build:
        parts.append(_build(data))
    if data.history:
        parts += [_durations(data.history[-1]), _history(data.history)]
    if moved := report.data.get("moved_headers"):
        parts.append(table(moved_headers.table(moved_headers.from_json(moved))))
    return join(parts, "\n")


def steps(found: Sequence[next_steps.NextStep]) -> Html:
    """List of things to do, with the command that helps."""
    items = [tag("li", step.text, tag("br"), tag("code", step.command)) for step in found]
    return join([tag("h3", "Next"), tag("ol", *items, class_="steps")])


def _figures(report: Report, data: PortPage) -> Html:
    left = report.data["residue"]
    pairs = [
        ("files", f"{report.data['files']['selected']:,}", ""),
        ("edits", f"{report.data['edits']:,}", ""),
        *((str(reason), f"{left[reason]:,}", "bad" if left[reason] else "good") for reason in _BAD),
        ("hazards", f"{sum(one['count'] for one in report.data['hazards']):,}", ""),
        ("rules without hits", f"{len(report.data['rules']['dead']):,}", ""),
    ]
    if data.build:
        failed = _count(data, "failed") + _count(data, "left_out")
        pairs.append(("sources not built", f"{failed:,}", "bad" if failed else "good"))
    return tiles(pairs)


def _left(report: Report) -> Html:
    words = report.words
    rows = tuple(
        (
            str(reason),
            f"{report.data['residue'][reason]:,}",
            f"{len(words.get(reason, ())):,}",
            MEANING[reason],
        )
        for reason in Reason
    )
    columns = ("vendor text left", "places", "words", "meaning")
    return table(Table("Vendor text left", columns, rows, frozenset({1, 2})))


def _build(data: PortPage) -> Html:
    build = data.build or {}
    rows = [("built", f"{_count(data, 'built'):,}")]
    rows += (
        (name.replace("_", " "), f"{_count(data, name):,}")
        for name in ("failed", "left_out", "not_built")
    )
    rows.append(("libraries", ", ".join(map(str, build.get("libraries", ())))))
    return table(Table("Build", ("sources", "number"), tuple(rows)))


def _count(data: PortPage, name: str) -> int:
    found = (data.build or {}).get(name)
    return len(found) if isinstance(found, list) else 0


def _durations(run: RunRecord) -> Html:
    rows = tuple((stage, f"{seconds:.2f}") for stage, seconds in run.seconds.items())
    return table(Table("Seconds by stage, last run", ("stage", "seconds"), rows, frozenset({1})))


def _history(history: Sequence[RunRecord]) -> Html:
    shown: list[tuple[str, Callable[[RunRecord], float]]] = [
        ("edits", lambda run: run.edits),
        ("unmapped", lambda run: run.residue[Reason.UNMAPPED]),
        ("unsupported", lambda run: run.residue[Reason.UNSUPPORTED]),
        ("hazards", lambda run: run.hazards),
        ("rules without hits", lambda run: run.dead),
        ("seconds", lambda run: sum(run.seconds.values())),
    ]
    trends = [
        tag("figure", sparkline([of(run) for run in history]), tag("figcaption", name))
        for name, of in shown
    ]
    rows = tuple(
        (
            run.time.replace("T", " ").removesuffix("Z"),
            f"{run.files:,}",
            f"{run.edits:,}",
            *(f"{run.residue[reason]:,}" for reason in (*_BAD, Reason.UNSUPPORTED)),
            f"{run.hazards:,}",
            f"{run.dead:,}",
            "" if run.failed is None else str(run.failed),
            f"{sum(run.seconds.values()):.1f}",
            run.mappings,
        )
        for run in reversed(history)
    )
    columns = (
        "time (UTC)", "files", "edits", "unmapped", "ambiguous", "unsupported", "hazards", "rules without hits",
        "not built", "seconds", "mappings",
    )  # fmt: skip
    drawn = tag("div", *trends, class_="trends") if len(history) > 1 else ""
    return join([drawn, table(Table("Last runs", columns, rows, frozenset(range(1, 10))))])
