"""Page of `porter verify` and `porter device-tests`: results, failures, and a matrix of operators and dtypes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from porter.mapping.expected_failures import Explained
from porter.model.verify import (
    FALLBACK,
    PASS,
    SKIPPED,
    STATUSES,
    WRONG,
    CheckResult,
    VerificationResult,
)
from porter.report.pages.frame import Block, Section, packed, page
from porter.report.pages.markup import Html, join, link, table, tag
from porter.report.pages.tiles import tiles
from porter.report.tables import Table
from porter.report.verification import fallen, share

Again = Callable[[CheckResult], str]
"""Function that returns the command that repeats a check or test."""
_WORST = 3


def render(
    title: str,
    verified: VerificationResult,
    explained: Explained,
    counts: Mapping[str, Mapping[str, int]],
    again: Again,
) -> str:
    """Text of the page. The arguments are as in `verification.document`."""
    sections = [
        Section("overview", "Overview", _overview(verified, explained, counts, again)),
        Section("operators", "Results", _operators(verified), len(_by_operator(verified))),
        Section(
            "unexplained",
            "Unexplained failures",
            _unknown(explained, again),
            len(explained.unknown),
        ),
        Section(
            "known", "Expected failures", _known(explained), sum(map(len, explained.known.values()))
        ),
    ]
    on_cpu = fallen(verified.results.values(), "results")
    if on_cpu.rows:
        sections.append(Section("cpu", "On the CPU", table(on_cpu), len(on_cpu.rows)))
    blocks = [Block("results-data", packed(matrix_data(verified, explained, again)))]
    return page("verification", title, sections, blocks)


def matrix_data(verified: VerificationResult, explained: Explained, again: Again) -> dict[str, Any]:
    """Data of the matrix: lists of names, and rows [operator, dtype, check, status, note, reason, command].

    A row contains indexes into the lists; -1 denotes an absent value. `command` repeats the check.
    """
    reasons = {
        result.case: f"{entry.why}: {entry.reason} ({entry.place})"
        for entry, found in explained.known.items()
        for result in found
    }
    names: dict[str, dict[str, int]] = defaultdict(dict)

    def number(kind: str, text: str) -> int:
        return names[kind].setdefault(text, len(names[kind])) if text else -1

    rows = []
    for result in verified.results.values():
        repeated = again(result) if result.status in WRONG else ""
        rows.append(
            [
                number("ops", result.case.op),
                number("dtypes", result.case.dtype),
                number("checks", result.case.check),
                STATUSES.index(result.status),
                number("notes", result.note),
                number("notes", reasons.get(result.case, "")),
                number("notes", repeated),
            ]
        )
    lists = {kind: list(names[kind]) for kind in ("ops", "dtypes", "checks", "notes")}
    return {**lists, "statuses": list(STATUSES), "rows": rows}


def _overview(
    verified: VerificationResult,
    explained: Explained,
    counts: Mapping[str, Mapping[str, int]],
    again: Again,
) -> Html:
    total = Counter[str]()
    for statuses in counts.values():
        total.update(statuses)
    used = [status for status in STATUSES if total[status] or status == PASS]
    rows = tuple(
        (name, *(f"{statuses.get(status, 0):,}" for status in used), share(statuses))
        for name, statuses in (*counts.items(), ("total", total))
    )
    by_check = Table(
        "Results", ("check", *used, "passed"), rows, frozenset(range(1, len(used) + 2))
    )
    setting = Table(
        "Setting", ("", "value"), tuple((k, str(v)) for k, v in verified.setting._asdict().items())
    )
    unknown = len(explained.unknown)
    steps = [
        tag(
            "li",
            link("op", one.case.op),
            f" {one.case.check} {one.case.dtype}: {one.status}. {one.note}",
            tag("br"),
            tag("code", again(one)),
        )
        for one in _of_several_operators(explained.unknown)
    ]
    parts = [
        tiles(
            [
                ("results", f"{sum(total.values()):,}", ""),
                ("passed", share(total) or "-", ""),
                ("unexplained failures", f"{unknown:,}", "bad" if unknown else "good"),
                ("expected failures", f"{sum(map(len, explained.known.values())):,}", ""),
                ("on the CPU", f"{total[FALLBACK]:,}", ""),
                ("skipped", f"{total[SKIPPED]:,}", ""),
            ]
        ),
        join([tag("h3", "Next"), tag("ol", *steps, class_="steps")]) if steps else "",
        table(by_check),
        table(setting),
    ]
    return join(parts, "\n")


def _of_several_operators(results: Iterable[CheckResult]) -> list[CheckResult]:
    """First result of each of the first operators."""
    first: dict[str, CheckResult] = {}
    for result in results:
        first.setdefault(result.case.op, result)
    return list(first.values())[:_WORST]


def _by_operator(verified: VerificationResult) -> dict[str, Counter[str]]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for result in verified.results.values():
        found[result.case.op][result.status] += 1
    return dict(sorted(found.items()))


def _operators(verified: VerificationResult) -> Html:
    """Numbers of results by operator or test class. The script inserts the matrix of dtypes above this table."""
    found = _by_operator(verified)
    rows = tuple(
        (op, *(f"{statuses[status]:,}" if statuses[status] else "" for status in STATUSES))
        for op, statuses in found.items()
    )
    cells = ([tag("td", row[0], class_="code", data_op=row[0]), *row[1:]] for row in rows)
    shown = Table(
        "Numbers of results", ("operator", *STATUSES), rows, frozenset(range(1, len(STATUSES) + 1))
    )
    return join([tag("div", id="matrix"), table(shown, cells=cells, class_="plain")], "\n")


def _unknown(explained: Explained, again: Again) -> Html:
    if not explained.unknown:
        return tag("p", "None.")
    rows = tuple((*one.case, one.status, one.note, again(one)) for one in explained.unknown)
    shown = Table(
        "Unexplained failures", ("operator", "dtype", "check", "status", "note", "command"), rows
    )
    cells = (
        [
            link("op", row[0]),
            *row[1:3],
            tag("td", row[3], class_=row[3]),
            row[4],
            tag("td", row[5], class_="code"),
        ]
        for row in rows
    )
    return table(shown, cells=cells, facets=(1, 2, 3))


def _known(explained: Explained) -> Html:
    rows = tuple(
        (entry.why, f"{len(found):,}", entry.place, entry.reason)
        for entry, found in explained.known.items()
        if found
    )
    parts = [
        table(
            Table("Expected failures", ("why", "results", "place", "reason"), rows, frozenset({1})),
            facets=(0,),
        )
    ]
    if explained.idle:
        idle = tuple((entry.why, entry.place, entry.reason) for entry in explained.idle)
        parts.append(
            table(Table("Expected failures that no longer occur", ("why", "place", "reason"), idle))
        )
    return join(parts, "\n")
