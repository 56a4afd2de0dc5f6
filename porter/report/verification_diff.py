"""Two results of `porter verify`, compared: what got better, what broke."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from porter.model.verify import FALLBACK, PASS, SKIPPED, Case, CheckResult, Setting, changes
from porter.report.tables import Line, Table, titled

Results = tuple[Setting, Mapping[Case, CheckResult]]


class VerificationDrift(NamedTuple):
    """Pairs of results of one case, before and after, whose statuses differ."""

    settings: tuple[Setting, Setting]
    better: tuple[tuple[CheckResult, CheckResult], ...]
    worse: tuple[tuple[CheckResult, CheckResult], ...]
    other: tuple[tuple[CheckResult, CheckResult], ...]
    """Neither: one wrong status for another."""
    only: tuple[int, int]
    """Cases that one has and the other has not."""

    @property
    def equal(self) -> bool:
        """Whether every case ended as before."""
        return not (self.better or self.worse or self.other or any(self.only))


def compare(a: Results, b: Results) -> VerificationDrift:
    """Compare two runs, each a setting and the last result of each case."""
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
    """Tables for a terminal; at most `limit` rows of each, 0 for all."""
    if compared.equal:
        yield Line("equal: every case ended as before")
        return
    for title, pairs, bad in (
        ("broke", compared.worse, True),
        ("otherwise", compared.other, False),
        ("better", compared.better, False),
    ):
        if pairs:
            yield from titled(Table(title, _HEAD, _rows(pairs), bad=bad), limit)
    for count, what in zip(compared.only, ("before", "after"), strict=True):
        if count:
            yield Line(f"only {what}: {count} cases")


def as_json(compared: VerificationDrift) -> dict[str, Any]:
    """What `--json` prints."""
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


_HEAD = ("operator", "dtype", "check", "before", "after", "note")


def _rows(pairs: Sequence[tuple[CheckResult, CheckResult]]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (*after.case, before.status, after.status, after.note[:80]) for before, after in pairs
    )


def _rank(result: CheckResult) -> int:
    """How far from right a status is."""
    return {PASS: 0, SKIPPED: 1, FALLBACK: 2}.get(result.status, 3)
