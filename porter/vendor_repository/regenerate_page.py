"""Page of `porter regenerate`, and its summary for a CI job: all ports, differences from their locks, worst rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from porter.base.errors import Problem
from porter.inspect.mapping_findings import CheckedMappings
from porter.report.diff_tables import tables
from porter.report.pages import drift_page
from porter.report.pages.frame import Section, page
from porter.report.pages.markup import Html, join, table, tag
from porter.report.tables import Table, grid
from porter.vendor_repository.regenerate import LockState, Regenerated
from porter.vendor_repository.regenerate_report import headline

_WORST = 3


class WorstRow(NamedTuple):
    """One finding of a port, with its rank: a lower rank is worse."""

    rank: int
    port: str
    what: str


def render(checked: Mapping[str, CheckedMappings], results: Sequence[Regenerated]) -> str:
    """Text of the page. The arguments are as in `regenerate_report.document`."""
    sections = [Section("overview", "Overview", _overview(checked, results))]
    for result in results:
        if result.drift is None and not result.problems:
            continue
        name = f"{result.target} {result.release}"
        sections.append(Section(f"{result.target}-{result.release}", name, _port(result)))
    return page("regenerate", "Ports and their lock files", sections)


def summary(results: Sequence[Regenerated]) -> str:
    """Short Markdown text for the summary of a job: all ports, and the three worst rows."""
    lines = ["## Ports and their lock files", "", *grid(_ports(results))]
    rows = worst(results)
    if rows:
        shown = Table("", ("port", "worst first"), tuple((row.port, row.what) for row in rows))
        lines += ["", *grid(shown)]
    return "\n".join(lines) + "\n"


def worst(results: Sequence[Regenerated]) -> list[WorstRow]:
    """The three worst rows of all ports: failures, findings, new words without a rule, rules that stopped matching."""
    return sorted(row for result in results for row in _rows(result))[:_WORST]


def _rows(result: Regenerated) -> Iterator[WorstRow]:
    port = f"{result.target} {result.release}"
    for problem in result.problems:
        rank = 0 if result.state is LockState.FAILED else 1
        yield WorstRow(
            rank, port, f"{problem.place}: {problem.text}" if problem.place else problem.text
        )
    if result.drift:
        for rank, found in enumerate(tables(result.drift), start=2):
            first = " ".join(found.rows[0])
            yield WorstRow(
                rank if found.bad else rank + 100,
                port,
                f"{found.title} ({len(found.rows)}): {first}",
            )
    elif result.state is not LockState.AS_LOCKED and not result.updated and not result.problems:
        yield WorstRow(50, port, headline(result))


def _overview(checked: Mapping[str, CheckedMappings], results: Sequence[Regenerated]) -> Html:
    parts = [table(_ports(results))]
    rows = worst(results)
    if rows:
        items = (tag("li", tag("b", row.port), ": ", row.what) for row in rows)
        parts.insert(0, join([tag("h3", "Next"), tag("ol", *items, class_="steps")]))
    found = dict.fromkeys(
        problem for one in checked.values() for problem in (*one.errors, *one.warnings)
    )
    if found:
        parts.append(_problems("Mappings", list(found)))
    return join(parts, "\n")


def _ports(results: Sequence[Regenerated]) -> Table:
    rows = []
    for result in results:
        lock = result.made.lock if result.made else None
        numbers = (f"{len(lock.files):,}", f"{lock.edits:,}") if lock else ("", "")
        seconds = f"{result.seconds:.1f}"
        rows.append((result.target, result.release, *numbers, headline(result), seconds))
    columns = ("target", "PyTorch", "files", "edits", "result", "seconds")
    return Table("Ports", columns, tuple(rows), frozenset({2, 3, 5}))


def _port(result: Regenerated) -> Html:
    parts: list[Html] = []
    if result.problems:
        parts.append(_problems("Findings", result.problems))
    if result.drift:
        parts.append(drift_page.overview(result.drift, (result.lock.name, "this port")))
        parts += map(table, tables(result.drift))
    return join(parts, "\n")


def _problems(title: str, problems: Sequence[Problem]) -> Html:
    rows = tuple((problem.place, problem.text, problem.help) for problem in problems)
    return table(Table(title, ("place", "finding", "help"), rows))
