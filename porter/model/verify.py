"""Checks of an installed backend and their results: checks of operators, or PyTorch's own tests."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

PASS, FALLBACK, FAIL, UNSUPPORTED = "pass", "fallback", "fail", "unsupported"
SKIPPED, CRASH, HANG = "skipped", "crash", "hang"
STATUSES = (PASS, FALLBACK, FAIL, UNSUPPORTED, CRASH, HANG, SKIPPED)
WRONG = (FAIL, CRASH, HANG, UNSUPPORTED)
"""Statuses that need an explanation."""
CHECKS = ("forward", "out", "in-place", "backward", "non-contiguous", "empty", "errors")
"""Names of the checks. `porter/verify/suite` repeats the names, because it must not import other packages of porter."""


class SuitePart(StrEnum):
    """Part of PyTorch's tests. The value is the name of the folder with its results."""

    DEVICE = "device-tests"
    """Tests that PyTorch creates for an out-of-tree device."""
    AS_CUDA = "cuda-tests"
    """Tests that PyTorch creates for CUDA, on a device that has the name `cuda`."""
    DISTRIBUTED = "distributed-tests"
    """Tests of NCCL and of distributed training, on devices that have the name `cuda`."""

    @property
    def option(self) -> str:
        """Option of `porter device-tests` that selects the part; empty for the tests of the device."""
        options = {SuitePart.AS_CUDA: "--as-cuda", SuitePart.DISTRIBUTED: "--distributed"}
        return options.get(self, "")


class Case(NamedTuple):
    """One check of one operator with one dtype, or one test of one test class."""

    op: str
    """Name in PyTorch's operator database (OpInfo), with variant: `norm.nuc`; or file and class:
    `test_nn.py::TestNN`."""
    dtype: str
    """Name of the dtype: `float32`; empty for a test, whose name contains the dtype."""
    check: str
    """One of `CHECKS`, or the name of a test."""


class CheckUnit(NamedTuple):
    """Checks of one operator with one dtype, or some tests of one test class."""

    op: str
    dtype: str
    checks: tuple[str, ...]

    def cases(self) -> tuple[Case, ...]:
        """Cases of the unit, one for each check."""
        return tuple(Case(self.op, self.dtype, check) for check in self.checks)


class CheckResult(NamedTuple):
    """Result of one case."""

    case: Case
    status: str
    note: str
    """Description of an error, names of operators that fell back to the CPU, or reason for a skip; empty for a pass."""
    seconds: float


class Setting(NamedTuple):
    """Conditions of a run. Results of two runs are comparable when the settings are equal."""

    package: str
    """Name of the package: `torch_<target>`."""
    torch: str
    build: str
    """Digest of the installed package."""
    suite: str
    """Digest of the checks."""
    samples: int
    """Number of samples of each check; 0 for tests."""
    tests: str = ""
    """Digest of PyTorch's test files; empty for operators."""


class VerificationResult(NamedTuple):
    """Results of a verification run, and the folder that stores them."""

    setting: Setting
    results: dict[Case, CheckResult]
    """Results of all requested cases."""
    done: int
    """Number of cases checked in this run; the other results come from earlier runs."""
    folder: Path
    """Folder in which the results are stored."""


def changes(
    before: Mapping[Case, CheckResult], after: Mapping[Case, CheckResult]
) -> list[tuple[CheckResult, CheckResult]]:
    """Pairs (before, after) of results of the same case with different statuses, sorted by case."""
    return [
        (before[case], result)
        for case, result in sorted(after.items())
        if case in before and before[case].status != result.status
    ]
