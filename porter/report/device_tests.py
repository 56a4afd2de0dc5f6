"""Results of PyTorch's device tests, as tables for a terminal and as a Markdown page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from porter.mapping.expected_failures import Explained
from porter.model.verify import (
    PASS,
    SKIPPED,
    STATUSES,
    CheckResult,
    SuitePart,
    VerificationResult,
)
from porter.report import operator_coverage
from porter.report.tables import Line, Table, aligned, grid, titled
from porter.report.verification import SHOWN, closing, known, ran_on_the_cpu, share, short

RerunCommand = Callable[[CheckResult], str]
"""Function that takes the result of a test and returns the command that repeats the test."""


def reproducer(
    result: CheckResult, target: str, tree: Path, suite: SuitePart = SuitePart.DEVICE
) -> str:
    """Command that repeats a test."""
    file, _, name = result.case.op.partition("::")
    test = f"--tests '{name}::{result.case.check}' --again all" if name else ""
    command = f"porter device-tests --pytorch-src {tree} --target {target} {suite.option}".rstrip()
    return f"{command} --files {file} {test}".rstrip()


def lines(
    verified: VerificationResult, explained: Explained, again: RerunCommand
) -> Iterator[Line]:
    """Tables for a terminal: results by file, failures, operators that ran on the CPU, and skipped tests.

    `again` returns the command that repeats a test.
    """
    results = verified.results.values()
    yield from aligned(_by_file(results))
    rows = _rows(explained, verified.setting.package)
    if rows:
        yield from titled(Table("unexplained failures", _HEAD, rows, bad=True), SHOWN)
        yield Line(f"again: {again(explained.unknown[0])}")
    yield from known(explained, "tests")
    yield from ran_on_the_cpu(results, "tests")
    skipped = operator_coverage.skipped(results, "tests")
    if skipped.rows:
        yield from titled(skipped, SHOWN)
    yield from closing(verified, "run", "tests")


def page(
    verified: VerificationResult,
    explained: Explained,
    target: str,
    part: tuple[int, int] = (1, 1),
    suite: SuitePart = SuitePart.DEVICE,
) -> str:
    """Markdown page with the results. `part` is (i, n) if the run covered the i-th of n parts of the tests."""
    command = f"porter device-tests --pytorch-src DIR --target {target} {suite.option}".rstrip()
    return "\n".join(_page(verified, explained, target, part, command)) + "\n"


def counts(results: Iterable[CheckResult]) -> dict[str, dict[str, int]]:
    """Count tests: maps each test file to a map from status to the number of tests."""
    found: dict[str, dict[str, int]] = {}
    for result in results:
        file = result.case.op.partition("::")[0]
        found.setdefault(file, dict.fromkeys(STATUSES, 0))[result.status] += 1
    return found


_HEAD = ("class", "test", "tests", "what", "note")


def _page(
    verified: VerificationResult,
    explained: Explained,
    target: str,
    part: tuple[int, int],
    command: str,
) -> Iterator[str]:
    results = list(verified.results.values())
    yield f"# PyTorch's own tests on device `{target}`"
    yield ""
    number, of = part
    shard = f" --shard {number}/{of}" if of > 1 else ""
    yield f"Made by `{command}{shard} --markdown FILE`, with PyTorch"
    yield f"{verified.setting.torch}: {len(results):,} tests of {len(counts(results))} files.{_share(of)}"
    yield ""
    yield from grid(_by_file(results))
    yield ""
    yield (
        "*passed*: the share of `pass` among the executed tests. *fallback*: the test passes, but an operator ran on "
        "the CPU."
    )
    yield ""
    yield "## Unexplained failures"
    yield ""
    rows = _rows(explained, verified.setting.package)
    yield from grid(Table("", _HEAD, rows)) if rows else ["None."]
    yield ""
    yield "## Known failures"
    yield ""
    yield from list(operator_coverage.known(explained, "tests")) or ["None."]
    yield ""
    yield "## Operators that fall back to the CPU"
    yield ""
    yield from operator_coverage.fallbacks(results, "tests")
    yield ""
    yield "## Skipped tests"
    yield ""
    yield from grid(operator_coverage.skipped(results, "tests"))


def _share(parts: int) -> str:
    text = (
        f" The run covers one of {parts} parts of all tests, divided by a hash of the test's name."
    )
    return text if parts > 1 else ""


def _by_file(results: Iterable[CheckResult]) -> Table:
    found = counts(results)
    total = Counter[str]()
    for statuses in found.values():
        total.update(statuses)
    used = [status for status in STATUSES if total[status] or status in (PASS, SKIPPED)]
    rows = tuple(
        (
            file,
            *(f"{statuses[status]:,}" for status in used),
            f"{sum(statuses.values()):,}",
            share(statuses),
        )
        for file, statuses in (*found.items(), ("total", total))
    )
    head = ("file", *used, "total", "passed")
    return Table("", head, rows, frozenset(range(1, len(head))))


def _rows(explained: Explained, package: str) -> tuple[tuple[str, ...], ...]:
    """Table rows of unexplained failures. Tests with equal status whose names differ only in the dtype share a row.

    `package` is the backend's Python package, `torch_<target>`. In a test's name, the target precedes the dtype.
    """
    mark = f"_{package.removeprefix('torch_')}"
    groups: defaultdict[tuple[str, str, str], list[CheckResult]] = defaultdict(list)
    for result in explained.unknown:
        name = result.case.check.partition(mark)[0]
        groups[result.case.op, name, result.status].append(result)
    return tuple(
        (op, name, str(len(group)), status, short(group[0]))
        for (op, name, status), group in groups.items()
    )
