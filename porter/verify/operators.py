"""The verify stage: compares operators of an installed backend with the CPU, using PyTorch's operator database.

    done = verify(BackendLocation(python, "torch_simt", "simt"), folder, OperatorSelection(ops=("add*",)))

Steps: list the units of the operator database, choose units, check the chosen units that have no stored result in
`jobs` parallel processes, and append the results to the journal.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import UsageError, VerifyError, did_you_mean
from porter.base.fs import lock
from porter.model.verify import CHECKS, CheckUnit, Setting, VerificationResult
from porter.verify.scheduler import (
    Progress,
    VerificationWork,
    carry_out,
    no_progress,
    part_of,
    program_digest,
)
from porter.verify.worker_process import (
    BackendLocation,
    Checker,
    NoAnswer,
    SuiteProcess,
    begin,
    cause,
)

PROGRAM = "operators"
"""Name of the suite program, a subfolder of `suite`. The program runs in the backend's Python environment."""


class OperatorSelection(NamedTuple):
    """Selection of operators, dtypes and checks, and options of the run."""

    ops: tuple[str, ...] = ("*",)
    """Globs of operator names, with or without the variant after the dot: `linalg.*`."""
    dtypes: tuple[str, ...] = ()
    """Names of dtypes. If empty, all dtypes that CUDA supports are selected."""
    checks: tuple[str, ...] = CHECKS
    samples: int = 4
    """Number of samples for each check."""
    shard: tuple[int, int] = (1, 1)
    """(i, n): check the i-th of n parts of the selected cases."""
    again: tuple[str, ...] = ()
    """Statuses of stored results. A case with such a result is repeated."""
    jobs: int = 1
    limit: float = 120.0
    """Time limit of one check in seconds."""

    def everything(self) -> bool:
        """True if all cases are selected."""
        ours = (self.ops, self.dtypes, self.checks, self.shard)
        return ours == (("*",), (), CHECKS, (1, 1))


def verify(
    where: BackendLocation, out: Path, asked: OperatorSelection, progress: Progress = no_progress
) -> VerificationResult:
    """Check the selected operators, and store results in `<out>/<version of PyTorch>/verify`.

    A case with a stored result from equal conditions (`Setting`) is not repeated. Raises UsageError for globs without a
    match, SourceError if the backend is not installed or the folder cannot be written, VerifyError if the checks cannot
    run, and Interrupted on Ctrl-C.
    """

    def checker() -> Checker:
        samples = ("--samples", str(asked.samples))
        return Checker(where, (PROGRAM, *samples), asked.limit)

    process = SuiteProcess(where, PROGRAM, "--list")
    told = begin(process, where)
    digest = program_digest(PROGRAM)
    setting = Setting(where.package, told["torch"], told["build"], digest, asked.samples)
    folder = out / setting.torch.partition("+")[0] / "verify"
    work = VerificationWork(setting, folder, checker, asked.again, asked.jobs)
    with contextlib.ExitStack() as stack:
        stack.callback(process.kill)
        stack.enter_context(lock(folder))
        chosen = choose(listed(process, where), asked)
        return carry_out(chosen, work, progress)


def listed(process: SuiteProcess, where: BackendLocation) -> list[CheckUnit]:
    """All units that the suite program lists. Raises VerifyError if the program ends before its list is complete."""
    found = []
    try:
        while "end" not in (answer := process.answer()):
            found.append(CheckUnit(answer["op"], answer["dtype"], tuple(answer["checks"])))
    except NoAnswer:
        text, help = cause(process.end(), where)
        text = f"PyTorch's operator database cannot be read: {text}"
        raise VerifyError(text, where.python, help) from None
    process.end()
    return found


def choose(every: Sequence[CheckUnit], asked: OperatorSelection) -> list[CheckUnit]:
    """Selected units. Raises UsageError if a glob or a dtype has no match, or if no unit matches all options."""
    names = sorted({unit.op for unit in every})
    for glob in asked.ops:
        if not any(_named(name, (glob,)) for name in names):
            help = did_you_mean(glob, names) or "give names of PyTorch's operator database"
            raise UsageError(f"--ops: no operator matches '{glob}'", help=help)
    dtypes = {unit.dtype for unit in every}
    for dtype in asked.dtypes:
        if dtype not in dtypes:
            help = f"choose from {', '.join(sorted(dtypes))}"
            raise UsageError(f"--dtypes: no operator has the dtype '{dtype}'", help=help)
    part, parts = asked.shard
    chosen = [
        CheckUnit(unit.op, unit.dtype, checks)
        for unit in every
        if _named(unit.op, asked.ops)
        and (not asked.dtypes or unit.dtype in asked.dtypes)
        and part_of(unit.op, parts) == part
        and (checks := tuple(check for check in unit.checks if check in asked.checks))
    ]
    if not chosen and parts == 1:
        raise UsageError("--ops, --dtypes and --checks together select no check")
    return chosen


def _named(name: str, globs: Iterable[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)
