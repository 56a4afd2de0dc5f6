"""What was checked of a backend, by operators or by PyTorch's own tests, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

PASS, FALLBACK, FAIL, UNSUPPORTED = "pass", "fallback", "fail", "unsupported"
SKIPPED, CRASH, HANG = "skipped", "crash", "hang"
STATUSES = (PASS, FALLBACK, FAIL, UNSUPPORTED, CRASH, HANG, SKIPPED)
WRONG = (FAIL, CRASH, HANG, UNSUPPORTED)
"""What needs an explanation."""
CHECKS = ("forward", "out", "in-place", "backward", "non-contiguous", "empty", "errors")
"""As `porter/verify/suite` calls them, which stands alone."""


class Case(NamedTuple):
    """One check of one operator with one dtype; or one test of one class."""

    op: str
    """As PyTorch's database calls it, with the variant: `norm.nuc`; or file and class: `test_nn.py::TestNN`."""
    dtype: str
    """`float32`; empty for a test, whose name says it."""
    check: str
    """One of `CHECKS`, or the name of a test."""


class CheckUnit(NamedTuple):
    """An operator with one dtype, and the checks that it has; or a class, and some of its tests."""

    op: str
    dtype: str
    checks: tuple[str, ...]

    def cases(self) -> tuple[Case, ...]:
        """A case for each check."""
        return tuple(Case(self.op, self.dtype, check) for check in self.checks)


class CheckResult(NamedTuple):
    """What came of a case."""

    case: Case
    status: str
    note: str
    """What is wrong, which operators fell back, or why there was nothing to check; empty for what passed."""
    seconds: float


class Setting(NamedTuple):
    """What results depend on: two of the same setting are of the same things."""

    package: str
    """`torch_<target>`."""
    torch: str
    build: str
    """Digest of the installed package."""
    suite: str
    """Digest of the checks."""
    samples: int
    """Samples of each check; 0 for tests."""
    tests: str = ""
    """Digest of PyTorch's test files; empty for operators."""


class VerificationResult(NamedTuple):
    """What came of a run."""

    setting: Setting
    results: dict[Case, CheckResult]
    """Of the cases asked for."""
    done: int
    """Cases that were checked now; the others had a result."""
    folder: Path
    """Where results are kept."""


def changes(
    before: Mapping[Case, CheckResult], after: Mapping[Case, CheckResult]
) -> list[tuple[CheckResult, CheckResult]]:
    """Cases that both have, with another status: as they were and as they are."""
    return [
        (before[case], result)
        for case, result in sorted(after.items())
        if case in before and before[case].status != result.status
    ]
