"""What was checked of a backend's operators, and what came of it."""

from __future__ import annotations

from typing import NamedTuple

PASS, FALLBACK, FAIL, UNSUPPORTED = "pass", "fallback", "fail", "unsupported"
SKIPPED, CRASH, HANG = "skipped", "crash", "hang"
STATUSES = (PASS, FALLBACK, FAIL, UNSUPPORTED, CRASH, HANG, SKIPPED)
WRONG = (FAIL, CRASH, HANG, UNSUPPORTED)
"""What needs an explanation."""
CHECKS = ("forward", "out", "in-place", "backward", "non-contiguous", "empty", "errors")
"""As `porter/verify/suite` calls them, which stands alone."""


class Case(NamedTuple):
    """One check of one operator with one dtype."""

    op: str
    """As PyTorch's database calls it, with the variant: `norm.nuc`."""
    dtype: str
    """`float32`"""
    check: str


class Unit(NamedTuple):
    """An operator with one dtype, and the checks that it has."""

    op: str
    dtype: str
    checks: tuple[str, ...]

    def cases(self) -> tuple[Case, ...]:
        """A case for each check."""
        return tuple(Case(self.op, self.dtype, check) for check in self.checks)


class Result(NamedTuple):
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
    """Samples of each check."""
