"""Expected failures of a target's operators and tests, with reasons: `<target>/verify.yaml`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import MappingError
from porter.model.verify import WRONG, Case, CheckResult, SuitePart

FILE = "verify.yaml"
_FOR_CUDA = re.compile(r"^test_cuda|_cuda(?:_[\w*]+)?$")
"""Globs of tests that PyTorch creates for CUDA, or that test `torch.cuda`."""


class ExpectedFailures(NamedTuple):
    """Operator checks that are expected to fail, with the reason."""

    ops: tuple[str, ...]
    """Globs of operator names."""
    dtypes: tuple[str, ...]
    """Globs of dtype names."""
    checks: tuple[str, ...]
    why: str
    """Category from the list in the file's schema: tolerance, library, gate, upstream, bug ..."""
    reason: str
    place: str
    """`file:line` of the entry."""

    def covers(self, case: Case) -> bool:
        """Test whether the entry applies to a case."""
        return (
            case.check in self.checks
            and any(fnmatchcase(case.op, glob) for glob in self.ops)
            and any(fnmatchcase(case.dtype, glob) for glob in self.dtypes)
        )


class KnownTests(NamedTuple):
    """Tests that are expected to fail, with the reason."""

    tests: tuple[str, ...]
    """Globs of `file::class::test`, for example `test_nn.py::*`."""
    why: str
    """Category from the list in the file's schema: test, upstream, gate, bug ..."""
    reason: str
    place: str
    """`file:line` of the entry."""

    def covers(self, case: Case) -> bool:
        """Test whether the entry applies to a test."""
        name = f"{case.op}::{case.check}"
        return any(fnmatchcase(name, glob) for glob in self.tests)

    def part(self) -> SuitePart:
        """Part of PyTorch's tests that the entry is about. The names of tests for CUDA contain `cuda`."""
        if all(glob.startswith("distributed/") for glob in self.tests):
            return SuitePart.DISTRIBUTED
        return SuitePart.AS_CUDA if all(map(_FOR_CUDA.search, self.tests)) else SuitePart.DEVICE


FailureEntry = ExpectedFailures | KnownTests


def tests_of(part: SuitePart, entries: Iterable[KnownTests], device: str) -> tuple[KnownTests, ...]:
    """Entries about one part of PyTorch's tests.

    For the tests for CUDA, also the entries about the tests of the device, in whose names `cuda` replaces `device`.
    """
    if part is not SuitePart.AS_CUDA:
        return tuple(entry for entry in entries if entry.part() is part)
    known = (entry for entry in entries if entry.part() is not SuitePart.DISTRIBUTED)
    return tuple(
        entry._replace(tests=tuple(glob.replace(f"_{device}", "_cuda") for glob in entry.tests))
        for entry in known
    )


class Explained(NamedTuple):
    """Failures of a run, expected and unexplained."""

    known: Mapping[FailureEntry, tuple[CheckResult, ...]]
    """Maps each entry to the failures that the entry explains; empty if the entry matched no failure of the run."""
    unknown: tuple[CheckResult, ...]
    idle: tuple[FailureEntry, ...] = ()
    """Entries that explain no failure although the run was complete."""


class File(NamedTuple):
    """Content of a target's verify.yaml."""

    operators: tuple[ExpectedFailures, ...] = ()
    tests: tuple[KnownTests, ...] = ()


def read(path: Path) -> File:
    """Read the entries of a verify.yaml; no entries if the file does not exist.

    Raises MappingError with every error in the file.
    """
    if not os.path.lexists(path):
        return File()
    from pydantic import ValidationError

    from porter.mapping import document, validation_errors
    from porter.mapping.verify_schema import VerifyFile

    doc = document.read(path, f"{path.parent.name}/{path.name}")
    try:
        parsed = VerifyFile.model_validate(doc.data or {})
    except ValidationError as error:
        title = "the expected failures"
        raise MappingError(validation_errors.problems(error, VerifyFile, doc, [], title)) from None
    operators = tuple(
        ExpectedFailures(
            tuple(entry.ops),
            tuple(entry.dtypes),
            tuple(entry.checks),
            entry.why,
            entry.reason,
            f"{doc.file}:{doc.line(['known', number])}",
        )
        for number, entry in enumerate(parsed.known)
    )
    tests = tuple(
        KnownTests(
            tuple(entry.tests),
            entry.why,
            entry.reason,
            f"{doc.file}:{doc.line(['tests', number])}",
        )
        for number, entry in enumerate(parsed.tests)
    )
    return File(operators, tests)


def explain(
    results: Iterable[CheckResult], known: Sequence[FailureEntry], *, everything: bool = False
) -> Explained:
    """Assign each failure in `results` to the first entry in `known` that covers the failure.

    `everything` is True for a run of all checks. Only then are entries without a failure reported as idle.
    """
    found: dict[FailureEntry, list[CheckResult]] = {entry: [] for entry in known}
    unknown: list[CheckResult] = []
    for result in results:
        if result.status not in WRONG:
            continue
        entry = next((entry for entry in found if entry.covers(result.case)), None)
        (unknown if entry is None else found[entry]).append(result)
    return Explained(
        {entry: tuple(results) for entry, results in found.items()},
        tuple(unknown),
        tuple(entry for entry, results in found.items() if everything and not results),
    )
