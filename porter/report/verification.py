"""Results of a verification run, as tables for a terminal, as plain data and as JUnit XML."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from porter.mapping.expected_failures import Explained
from porter.model.verify import (
    CHECKS,
    FALLBACK,
    PASS,
    SKIPPED,
    STATUSES,
    WRONG,
    CheckResult,
    VerificationResult,
)
from porter.report.tables import Line, Table, aligned, titled

SHOWN = 20
"""Largest number of rows of a list on a terminal; `--json` prints all rows."""
_NOTE = 90
"""Largest number of characters of a note on a terminal."""
_NAMES = 6
"""Largest number of names in one line."""


def lines(verified: VerificationResult, explained: Explained, target: str) -> Iterator[Line]:
    """Tables for a terminal: results by check, failures, and operators that ran on the CPU."""
    results = verified.results.values()
    yield from aligned(Table("", *_by_check(results), frozenset(range(1, 10))))
    rows = tuple(
        (group[0].case.op, group[0].case.check, dtypes(group), group[0].status, short(group[0]))
        for group in grouped(explained.unknown)
    )
    if rows:
        head = ("operator", "check", "dtypes", "what", "note")
        yield from titled(Table("unexplained failures", head, rows, bad=True), SHOWN)
        yield Line(f"again: {reproducer(explained.unknown[0], target)}")
    yield from known(explained, "cases")
    yield from ran_on_the_cpu(results, "cases")
    yield from closing(verified, "checked", "cases")


def known(explained: Explained, what: str) -> Iterator[Line]:
    """Table of the expected failures, and table of the entries in verify.yaml whose failures no longer occur.

    `what` is the word for several results: `cases` or `tests`.
    """
    rows = tuple(
        (entry.why, str(len(found)), entry.place, entry.reason)
        for entry, found in explained.known.items()
        if found
    )
    if rows:
        yield from titled(Table("expected failures", ("why", what, "place", "reason"), rows), SHOWN)
    if explained.idle:
        idle = tuple((entry.why, entry.place, entry.reason) for entry in explained.idle)
        title = "expected failures that no longer occur"
        yield from titled(Table(title, ("why", "place", "reason"), idle, bad=True), SHOWN)


def ran_on_the_cpu(results: Iterable[CheckResult], what: str) -> Iterator[Line]:
    """Table of the operators that ran on the CPU instead of the device; no lines if there are none."""
    table = fallen(results, what)
    if table.rows:
        yield from titled(table, SHOWN)


def fallen(results: Iterable[CheckResult], what: str) -> Table:
    """Table of the operators that ran on the CPU instead of the device.

    Each row has the number of results that are correct, but were computed with this operator on the CPU.
    """
    by_operator: defaultdict[str, list[str]] = defaultdict(list)
    for result in results:
        if result.status == FALLBACK:
            for operator in result.note.split():
                by_operator[operator].append(result.case.op)
    rows = tuple((operator, str(len(of)), few(of)) for operator, of in sorted(by_operator.items()))
    return Table("ran on the CPU", ("operator", what, "called by"), rows, frozenset([1]))


def few(names: Iterable[str], mark: str = "") -> str:
    """Sorted names as text, each enclosed in `mark`. Of a long list, only the first names and a number are shown."""
    every = sorted(set(names))
    shown = ", ".join(f"{mark}{name}{mark}" for name in every[:_NAMES])
    return shown + (f" and {len(every) - _NAMES} more" if len(every) > _NAMES else "")


def closing(verified: VerificationResult, did: str, what: str) -> Iterator[Line]:
    """Lines with the number of results in this run and in total, and the path of the results.

    `did` is the verb in the first line, and `what` is as in `known`.
    """
    yield Line("")
    yield Line(f"{did:10} {verified.done} {what} now, {len(verified.results)} in all")
    yield Line(f"{'results':10} {verified.folder / 'results.jsonl'}")


def document(
    verified: VerificationResult,
    explained: Explained,
    counts: Mapping[str, Mapping[str, int]],
    again: Callable[[CheckResult], str],
) -> dict[str, Any]:
    """Plain data for `--json`. `counts` are the numbers of results; `again` returns the command that repeats a case."""
    why = {
        result.case: {"why": entry.why, "reason": entry.reason}
        for entry, found in explained.known.items()
        for result in found
    }
    return {
        "setting": verified.setting._asdict(),
        "checked": verified.done,
        "counts": counts,
        "explains_nothing": [entry.place for entry in explained.idle],
        "results": [
            result.case._asdict()
            | {"status": result.status, "note": result.note, "seconds": result.seconds}
            | ({"again": again(result)} if result.status in WRONG else {})
            | why.get(result.case, {})
            for result in verified.results.values()
        ],
    }


def junit(verified: VerificationResult, command: str) -> str:
    """JUnit XML for CI systems: one suite for each operator or test class, and one case for each check or test.

    `command` is the name of the root element.
    """
    root = ElementTree.Element("testsuites", name=command)
    by_op: defaultdict[str, list[CheckResult]] = defaultdict(list)
    for result in verified.results.values():
        by_op[result.case.op].append(result)
    for op, results in by_op.items():
        suite = ElementTree.SubElement(root, "testsuite", name=op, tests=str(len(results)))
        suite.set("failures", str(sum(result.status in WRONG for result in results)))
        suite.set("skipped", str(sum(result.status == SKIPPED for result in results)))
        for result in results:
            dtype = result.case.dtype
            name = f"{result.case.check}[{dtype}]" if dtype else result.case.check
            case = ElementTree.SubElement(suite, "testcase", classname=op, name=name)
            case.set("time", f"{result.seconds:.3f}")
            if result.status == SKIPPED:
                ElementTree.SubElement(case, "skipped", message=result.note)
            elif result.status in WRONG:
                ElementTree.SubElement(case, "failure", type=result.status, message=result.note)
            elif result.status != PASS:
                ElementTree.SubElement(case, "system-out").text = f"{result.status}: {result.note}"
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def counts(results: Iterable[CheckResult]) -> dict[str, dict[str, int]]:
    """Count cases: maps each check with cases to a map from status to the number of cases."""
    found = {check: dict.fromkeys(STATUSES, 0) for check in CHECKS}
    for result in results:
        found[result.case.check][result.status] += 1
    return {check: statuses for check, statuses in found.items() if any(statuses.values())}


def share(statuses: Mapping[str, int]) -> str:
    """Percentage of passed cases among the cases that were not skipped; empty if all cases were skipped.

    A case that ran on the CPU is no pass. `statuses` maps a status to the number of cases.
    """
    checked = sum(count for status, count in statuses.items() if status != SKIPPED)
    return f"{100 * statuses[PASS] / checked:.1f} %" if checked else ""


def grouped(results: Iterable[CheckResult]) -> list[list[CheckResult]]:
    """Group results by operator, check and status."""
    groups: defaultdict[tuple[str, str, str], list[CheckResult]] = defaultdict(list)
    for result in results:
        groups[result.case.op, result.case.check, result.status].append(result)
    return list(groups.values())


def dtypes(results: Iterable[CheckResult]) -> str:
    """Names of the results' dtypes, separated by blanks."""
    return " ".join(result.case.dtype for result in results)


def reproducer(result: CheckResult, target: str) -> str:
    """Command that repeats a case."""
    op, dtype, check = result.case
    return f"porter verify --target {target} --ops '{op}' --dtypes {dtype} --checks {check} --again all"


def _by_check(
    results: Iterable[CheckResult],
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    found = counts(results)
    total = Counter[str]()
    for statuses in found.values():
        total.update(statuses)
    used = [status for status in STATUSES if total[status] or status == PASS]
    rows = [
        (check, *(str(statuses[status]) for status in used), share(statuses))
        for check, statuses in found.items()
    ]
    return ("check", *used, "passed"), tuple(rows)


def short(result: CheckResult) -> str:
    """Note of a result, shortened for a terminal."""
    return result.note if len(result.note) <= _NOTE else f"{result.note[: _NOTE - 3]}..."
