"""Scheduler: gives units without a stored result to suite processes, and stores each result when it arrives."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import Interrupted, PorterError, VerifyError
from porter.model.verify import CheckResult, CheckUnit, Setting, VerificationResult
from porter.verify import worker_process
from porter.verify.results import Journal
from porter.verify.worker_process import Checker

Progress = Callable[[int, int, str], None]
"""Callback with the number of finished cases, the number of all cases, and the name of the last finished unit."""


def no_progress(done: int, total: int, last: str) -> None:
    """Progress callback that does nothing."""


class VerificationWork(NamedTuple):
    """Inputs and options of a verification run."""

    setting: Setting
    """Conditions of the run, which are stored with the results."""
    folder: Path
    """Folder in which results are stored."""
    checker: Callable[[], Checker]
    """Function that creates a checker; each thread has its own."""
    again: Collection[str]
    """Statuses of stored results. A case with such a result is repeated."""
    jobs: int


def carry_out(
    units: Sequence[CheckUnit],
    work: VerificationWork,
    progress: Progress = no_progress,
    found: Sequence[CheckResult] = (),
) -> VerificationResult:
    """Check units, store their results, and return them together with the results in `found`, which are stored too.

    The caller holds the lock of the folder. A case with a stored result from equal conditions (`Setting`) is not
    repeated. Raises SourceError if the folder cannot be written, VerifyError if the checks cannot run, and Interrupted
    on Ctrl-C.
    """
    with closing(Journal(work.folder, work.setting)) as journal:
        for result in found:
            journal.add(result)
        todo = list(_todo(units, journal, work.again))
        _run(todo, work, journal, progress)
        cases = [result.case for result in found]
        cases.extend(case for unit in units for case in unit.cases())
        results = {case: journal.known[case] for case in cases}
    return VerificationResult(
        work.setting, results, sum(len(unit.checks) for unit in todo), work.folder
    )


def part_of(name: str, parts: int) -> int:
    """Number, from 1 to `parts`, of the part to which a name belongs. Every machine computes the same number."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % parts + 1


def program_digest(program: str) -> str:
    """Digest of the files of a suite program, and of the files that all suite programs share."""
    total = hashlib.sha256()
    suite = worker_process.SUITE
    for place in sorted((*suite.glob("*.py"), *(suite / program).rglob("*.py"))):
        total.update(place.read_bytes())
    return total.hexdigest()


def _todo(
    units: Iterable[CheckUnit], journal: Journal, again: Collection[str]
) -> Iterable[CheckUnit]:
    known = journal.known
    for unit in units:
        left = tuple(
            case.check for case in unit.cases() if case not in known or known[case].status in again
        )
        if left:
            yield CheckUnit(unit.op, unit.dtype, left)


def _run(
    todo: Sequence[CheckUnit], work: VerificationWork, journal: Journal, progress: Progress
) -> None:
    """Check units in `work.jobs` parallel processes, and store the results in the journal."""
    queue = iter(todo)
    total = sum(len(unit.checks) for unit in todo)
    lock = threading.Lock()
    stopped = threading.Event()
    checkers: list[Checker] = []
    errors: list[BaseException] = []
    finished = 0

    def check() -> None:
        nonlocal finished
        checker = work.checker()
        checkers.append(checker)
        try:
            while not stopped.is_set():
                with lock:
                    unit = next(queue, None)
                if unit is None:
                    return
                for result in checker.check(unit):
                    # The kill of a process by `stop` must not be recorded as a crash.
                    if stopped.is_set():
                        return
                    with lock:
                        journal.add(result)
                        finished += 1
                        progress(finished, total, f"{unit.op} {unit.dtype}".strip())
        except BaseException as error:
            errors.append(error)
            stopped.set()
        finally:
            checker.close()

    threads = [threading.Thread(target=check) for _ in range(min(work.jobs, len(todo)))]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        stopped.set()
        for checker in checkers:
            checker.stop()
        for thread in threads:
            thread.join()
        raise Interrupted("stopped; results so far are kept: run again to continue") from None
    for error in errors:
        if isinstance(error, PorterError):
            raise error
        raise VerifyError(f"{type(error).__name__}: {error}") from error
