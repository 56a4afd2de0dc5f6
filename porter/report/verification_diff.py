"""Comparison of two runs of `porter verify`: improved and broken cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from porter.model.verify import FALLBACK, PASS, SKIPPED, Case, CheckResult, Setting, changes
from porter.report.tables import Line, Table, titled

Results = tuple[Setting, Mapping[Case, CheckResult]]


class VerificationDrift(NamedTuple):
    """Difference between two runs: the cases with different statuses, as pairs of results (before, after)."""

    settings: tuple[Setting, Setting]
    better: tuple[tuple[CheckResult, CheckResult], ...]
    worse: tuple[tuple[CheckResult, CheckResult], ...]
    other: tuple[tuple[CheckResult, CheckResult], ...]
    """Pairs that are neither improved nor broken: the case fails in both runs, with different statuses."""
    only: tuple[int, int]
    """Number of cases in the first run only, and number of cases in the second run only."""

    @property
    def equal(self) -> bool:
        """Test whether both runs have the same cases with the same statuses."""
        return not (self.better or self.worse or self.other or any(self.only))


def compare(a: Results, b: Results) -> VerificationDrift:
    """Compare two runs. Each run consists of its conditions and the latest result of each case."""
    (before_setting, before), (after_setting, after) = a, b
    pairs = changes(before, after)
    return VerificationDrift(
        (before_setting, after_setting),
        tuple(pair for pair in pairs if _rank(pair[1]) < _rank(pair[0])),
        tuple(pair for pair in pairs if _rank(pair[1]) > _rank(pair[0])),
        tuple(pair for pair in pairs if _rank(pair[1]) == _rank(pair[0])),
        (len(before.keys() - after.keys()), len(after.keys() - before.keys())),
    )


def lines(compared: VerificationDrift, limit: int) -> Iterator[Line]:
    """Tables for a terminal; each table has at most `limit` rows (0: all)."""
    if compared.equal:
        yield Line("equal: every case ended as before")
        return
    for table in tables(compared, _NOTE):
        yield from titled(table, limit)
    for count, what in zip(compared.only, ("before", "after"), strict=True):
        if count:
            yield Line(f"only {what}: {count} cases")


def tables(compared: VerificationDrift, longest: int | None = None) -> Iterator[Table]:
    """Tables of the cases with different statuses, without empty tables. Notes are cut to `longest` characters."""
    for title, pairs, bad in (
        ("broke", compared.worse, True),
        ("otherwise", compared.other, False),
        ("better", compared.better, False),
    ):
        if pairs:
            yield Table(title, _HEAD, _rows(pairs, longest), bad=bad)


def as_json(compared: VerificationDrift) -> dict[str, Any]:
    """Plain data for `--json`."""
    return {
        "equal": compared.equal,
        "settings": [setting._asdict() for setting in compared.settings],
        "only": list(compared.only),
        **{
            name: [
                after.case._asdict()
                | {"status": [before.status, after.status], "note": [before.note, after.note]}
                for before, after in pairs
            ]
            for name, pairs in (
                ("broke", compared.worse),
                ("otherwise", compared.other),
                ("better", compared.better),
            )
        },
    }


_NOTE = 80
"""Largest number of characters of a note on a terminal."""
_HEAD = ("operator", "dtype", "check", "before", "after", "note")


def _rows(
    pairs: Sequence[tuple[CheckResult, CheckResult]], longest: int | None
) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (*after.case, before.status, after.status, after.note[:longest]) for before, after in pairs
    )


def _rank(result: CheckResult) -> int:
    """Rank of a result's status; a higher rank is worse."""
    return {PASS: 0, SKIPPED: 1, FALLBACK: 2}.get(result.status, 3)
