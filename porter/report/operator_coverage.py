"""Markdown page about the supported operators: `porter verify --markdown docs/coverage.md`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from porter.mapping.cuda_operators import CudaOperators
from porter.mapping.expected_failures import Explained
from porter.model.verify import (
    FALLBACK,
    PASS,
    SKIPPED,
    STATUSES,
    WRONG,
    Case,
    CheckResult,
    VerificationResult,
)
from porter.report.tables import Table, grid
from porter.report.verification import counts, dtypes, fallen, few, grouped, share


def page(
    verified: VerificationResult,
    explained: Explained,
    target: str,
    on_cuda: CudaOperators | None = None,
) -> str:
    """Markdown page with the results of a verification run, and of the same checks on a GPU of NVIDIA."""
    return "\n".join(_page(verified, explained, target, on_cuda)) + "\n"


def _page(
    verified: VerificationResult,
    explained: Explained,
    target: str,
    on_cuda: CudaOperators | None,
) -> Iterator[str]:
    results = list(verified.results.values())
    setting = verified.setting
    pairs = {(result.case.op, result.case.dtype) for result in results}
    yield f"# Supported operators on device `{target}`"
    yield ""
    yield f"Made by `porter verify --target {target} --samples {setting.samples} --markdown FILE`, with PyTorch"
    yield (
        f"{setting.torch}: {len({op for op, _ in pairs}):,} operators of the operator database, "
        f"{len(pairs):,} pairs of an operator and a dtype that CUDA supports, {len(results):,} cases."
    )
    yield ""
    yield from grid(_by_check(results))
    yield ""
    yield (
        "*passed*: the share of `pass` among the cases that were not skipped. *fallback*: the result is correct, but "
        "the CPU computed it."
    )
    yield ""
    yield "Share of passed cases by dtype:"
    yield ""
    yield from grid(_by_dtype(results))
    yield ""
    yield "## Known failures"
    yield ""
    yield from known(explained, "cases", on_cuda.failed if on_cuda else ())
    yield ""
    if on_cuda:
        yield "## The same checks on CUDA"
        yield ""
        yield from _compared(results, on_cuda)
        yield ""
    yield "## Unexplained failures"
    yield ""
    rows = tuple(
        (group[0].case.op, group[0].case.check, dtypes(group), group[0].status, group[0].note[:120])
        for group in grouped(explained.unknown)
    )
    yield from (
        grid(Table("", ("operator", "check", "dtypes", "what", "note"), rows))
        if rows
        else ["None."]
    )
    yield ""
    yield "## Operators that fall back to the CPU"
    yield ""
    yield from fallbacks(results, "cases")
    yield ""
    yield "## Skipped cases"
    yield ""
    yield from grid(skipped(results, "cases"))


def known(explained: Explained, what: str, on_cuda: Collection[Case] = ()) -> Iterator[str]:
    """Markdown list of the expected failures, and of the entries in verify.yaml whose failures no longer occur.

    `what` is the word for several results: `cases` or `tests`. `on_cuda` are the cases that fail on CUDA.
    """
    for entry, found in explained.known.items():
        if found:
            names = few((result.case.op for result in found), mark="`")
            there = sum(result.case in on_cuda for result in found)
            also = f" (fail on CUDA too: {there})" if there else ""
            yield f"- **{entry.why}**, {len(found)} {what} of {names}: {entry.reason}{also}"
    for entry in explained.idle:
        yield f"- *no longer fails*: the entry {entry.place}: {entry.reason}"


def _compared(results: Sequence[CheckResult], on_cuda: CudaOperators) -> Iterator[str]:
    """Lines about the results of the checks on a GPU."""
    yield (
        f"Recorded on an {on_cuda.device} with PyTorch {on_cuda.torch} and {on_cuda.samples} samples by "
        f"`build_scripts/record_operators`. A case of another release may have other samples."
    )
    yield ""
    rows = tuple(
        (
            check,
            f"{sum(there.get(status, 0) for status in WRONG):,}",
            share(Counter(there)),
            share(statuses),
        )
        for check, statuses in counts(results).items()
        if (there := on_cuda.counts.get(check))
    )
    head = ("check", "failed on CUDA", "passed on CUDA", "passed here")
    yield from grid(Table("", head, rows, frozenset(range(1, len(head)))))
    passed = {result.case for result in results if result.status in (PASS, FALLBACK)}
    if only := on_cuda.failed & passed:
        yield ""
        yield f"Cases that fail on CUDA and pass here: {len(only)}, of {few((case.op for case in only), mark='`')}."


def fallbacks(results: Iterable[CheckResult], what: str) -> Iterator[str]:
    """Markdown table of the operators that ran on the CPU instead of the device. `what` is as in `known`."""
    table = fallen(results, what)
    yield from grid(table) if table.rows else ["None."]


def skipped(results: Iterable[CheckResult], what: str) -> Table:
    """Table of the reasons for skipped results, with the number of results for each reason. `what` is as in `known`."""
    why = Counter(_general(result.note) for result in results if result.status == SKIPPED)
    rows = tuple((str(count), text) for text, count in why.most_common())
    return Table("skipped", (what, "why"), rows, frozenset([0]))


def _by_check(results: Iterable[CheckResult]) -> Table:
    found = counts(results)
    rows = tuple(
        (check, *(f"{statuses[status]:,}" for status in STATUSES), share(statuses))
        for check, statuses in found.items()
    )
    head = ("check", *STATUSES, "passed")
    return Table("", head, rows, frozenset(range(1, len(head))))


def _by_dtype(results: Iterable[CheckResult]) -> Table:
    """Table with the number of operators and the percentages of passed forward and backward checks, for each dtype."""
    found: defaultdict[str, list[CheckResult]] = defaultdict(list)
    for result in results:
        found[result.case.dtype].append(result)
    checks = ("forward", "backward")
    rows = []
    for dtype, of_dtype in found.items():
        by_check = counts(of_dtype)
        cells = (share(by_check[check]) if check in by_check else "" for check in checks)
        rows.append((dtype, f"{len({result.case.op for result in of_dtype}):,}", *cells))
    head = ("dtype", "operators", *checks)
    return Table("", head, tuple(rows), frozenset(range(1, len(head))))


def _general(note: str) -> str:
    """Part of a skip reason before the first colon. The text after the colon is about one operator."""
    return note.partition(": ")[0] or "(no reason is given)"
