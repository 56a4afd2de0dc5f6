"""The verify stage: operators of an installed backend, checked against the CPU by PyTorch's own database.

    done = verify(Where(python, "torch_simt", "simt"), folder, Asked(ops=("add*",)))

units of the database -> those asked for -> those without a result -> a process for each core -> journal
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from porter.errors import Interrupted, PorterError, UsageError, VerifyError, did_you_mean
from porter.model.verify import CHECKS, Case, Result, Setting, Unit
from porter.verify.process import SUITE, Checker, Silence, SuiteProcess, Where, begin
from porter.verify.results import Journal

Progress = Callable[[int, int, str], None]
"""Called with units done, units to do, and the one done last."""


class Asked(NamedTuple):
    """Which cases, and how."""

    ops: tuple[str, ...] = ("*",)
    """Globs of names, `linalg.*`, with or without the variant."""
    dtypes: tuple[str, ...] = ()
    """All that CUDA supports, without any."""
    checks: tuple[str, ...] = CHECKS
    samples: int = 4
    shard: tuple[int, int] = (1, 1)
    """The i-th of n parts, which together are everything."""
    again: tuple[str, ...] = ()
    """Statuses whose cases are done again."""
    jobs: int = 1
    limit: float = 120.0
    """Seconds that one check may take."""


class Verified(NamedTuple):
    """What came of it."""

    setting: Setting
    results: dict[Case, Result]
    """Of the cases asked for."""
    done: int
    """Cases that were checked now; the others had a result."""
    folder: Path
    """Where results are kept."""


def verify(
    where: Where, out: Path, asked: Asked, progress: Progress = lambda done, total, last: None
) -> Verified:
    """Check what is asked, and keep results in `<out>/<version of PyTorch>/verify`.

    Cases that have a result of the same setting are not done again. Raises UsageError for names that match nothing,
    SourceError when the backend is not installed or the folder cannot be written, VerifyError when the checks cannot be
    run, Interrupted on Ctrl-C.
    """
    setting, every = units(where, asked.samples)
    chosen = choose(every, asked)
    folder = out / setting.torch.partition("+")[0] / "verify"
    journal = Journal(folder, setting)
    try:
        known = journal.known
        todo = [
            Unit(unit.op, unit.dtype, left)
            for unit in chosen
            if (
                left := tuple(
                    case.check
                    for case in unit.cases()
                    if case not in known or known[case].status in asked.again
                )
            )
        ]
        _run(where, todo, asked, journal, progress)
        cases = [case for unit in chosen for case in unit.cases()]
        results = {case: journal.known[case] for case in cases}
    finally:
        journal.close()
    return Verified(setting, results, sum(len(unit.checks) for unit in todo), folder)


def units(where: Where, samples: int = 0) -> tuple[Setting, list[Unit]]:
    """What there is to check, and what results will depend on. Raises SourceError when there is no backend."""
    process = SuiteProcess(where, "--list")
    told = begin(process, where)
    found = []
    try:
        while "end" not in (answer := process.answer()):
            found.append(Unit(answer["op"], answer["dtype"], tuple(answer["checks"])))
    except Silence:
        raise VerifyError(
            f"PyTorch's database of operators cannot be read\n{process.end()}", where.python
        ) from None
    process.end()
    return Setting(where.package, told["torch"], told["build"], _suite(), samples), found


def choose(every: Sequence[Unit], asked: Asked) -> list[Unit]:
    """The units asked for. Raises UsageError when a glob, or all of them together, match nothing."""
    names = sorted({unit.op for unit in every})
    for glob in asked.ops:
        if not any(_named(name, (glob,)) for name in names):
            help = did_you_mean(glob, names) or "names are those of torch.testing's operators"
            raise UsageError(f"--ops: no operator is called '{glob}'", help=help)
    dtypes = {unit.dtype for unit in every}
    for dtype in asked.dtypes:
        if dtype not in dtypes:
            raise UsageError(f"--dtypes: '{dtype}'", help=f"one of {', '.join(sorted(dtypes))}")
    part, parts = asked.shard
    chosen = [
        Unit(unit.op, unit.dtype, checks)
        for unit in every
        if _named(unit.op, asked.ops)
        and (not asked.dtypes or unit.dtype in asked.dtypes)
        and _part(unit.op, parts) == part - 1
        and (checks := tuple(check for check in unit.checks if check in asked.checks))
    ]
    if not chosen and parts == 1:
        raise UsageError("nothing is left to check of what --ops, --dtypes and --checks name")
    return chosen


def _run(
    where: Where, todo: Sequence[Unit], asked: Asked, journal: Journal, progress: Progress
) -> None:
    """Check units in as many processes as jobs; each takes the next unit when it is done with one."""
    queue = iter(todo)
    lock = threading.Lock()
    stopped = threading.Event()
    errors: list[BaseException] = []
    finished = 0

    def work() -> None:
        nonlocal finished
        checker = Checker(where, asked.samples, asked.limit)
        try:
            while not stopped.is_set():
                with lock:
                    unit = next(queue, None)
                if unit is None:
                    return
                for result in checker.check(unit):
                    with lock:
                        journal.add(result)
                    if stopped.is_set():
                        return
                with lock:
                    finished += 1
                    progress(finished, len(todo), f"{unit.op} {unit.dtype}")
        except BaseException as error:
            errors.append(error)
            stopped.set()
        finally:
            checker.close()

    threads = [threading.Thread(target=work) for _ in range(min(asked.jobs, len(todo)))]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        stopped.set()
        for thread in threads:
            thread.join()
        raise Interrupted("stopped; the results so far are kept: run again to go on") from None
    for error in errors:
        if isinstance(error, PorterError):
            raise error
        raise VerifyError(f"{type(error).__name__}: {error}", where.python) from error


def _named(name: str, globs: Iterable[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def _part(op: str, parts: int) -> int:
    """The part that an operator is in: the same on every machine, whatever other operators there are."""
    return int.from_bytes(hashlib.sha256(op.encode()).digest()[:4], "big") % parts


def _suite() -> str:
    total = hashlib.sha256()
    for place in sorted(SUITE.rglob("*.py")):
        total.update(place.read_bytes())
    return total.hexdigest()
