"""Pool of forked worker processes; each worker inherits the data of the parent process.

>>> sorted(share_out(3, lambda piece: piece * piece, jobs=2))
[0, 1, 4]

All workers read the number of their next piece from one shared pipe. Each worker returns its results through a pipe of
its own. If the parent process ends, each worker finishes its current piece and then ends too.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import shutil
import signal
import struct
from collections.abc import Callable, Generator, Iterator
from typing import Any, NamedTuple, NoReturn, TypeVar

from porter.base import process_tree
from porter.base.errors import SourceError
from porter.base.stop_signals import defer_stop_signals

T = TypeVar("T")

_PIECE = struct.Struct("I")
_LENGTH = struct.Struct("Q")
_NO_MORE = _LENGTH.pack(0)
"""Last message of a worker. A worker that ends without sending the message has died."""
_MAX_PIECES = 8000
"""Largest number of pieces. Their numbers are written before a worker starts, and must fit into the shared pipe, which
has 64 KiB on Linux and 32 KiB elsewhere."""


class _Worker(NamedTuple):
    pid: int
    results: int
    """File descriptor of the reading end of the worker's pipe."""


def share_out(pieces: int, work: Callable[[int], T], jobs: int) -> Generator[T, None, None]:
    """Results of `work(0)`, `work(1)` ... `work(pieces - 1)`, in order of completion, from up to `jobs` processes.

    An exception of `work` is raised again in the caller. Raises SourceError when a worker dies, and ValueError for more
    than 8000 pieces. When the generator ends or is closed, it stops all workers with their children, and removes their
    temporary files. A caller that may stop early closes the generator (`contextlib.closing`).
    """
    if pieces > _MAX_PIECES:
        raise ValueError(f"{pieces} pieces; at most {_MAX_PIECES}")
    if min(jobs, pieces) <= 1:
        yield from map(work, range(pieces))
        return
    scratch = _temporary_folder()
    queue, put = os.pipe()
    os.write(put, b"".join(map(_PIECE.pack, range(pieces))))
    os.close(put)
    workers: list[_Worker] = []
    finished: set[int] = set()
    try:
        # Without the deferral, an interrupt just after a fork would leave a worker that is not in the list.
        with defer_stop_signals():
            while len(workers) < min(jobs, pieces):
                workers.append(_start(queue, work, workers, scratch))
        yield from _results(workers, finished)
    finally:
        with defer_stop_signals():
            os.close(queue)
            for worker in workers:
                _end(worker, finished=worker.results in finished)
            if scratch:
                shutil.rmtree(scratch, ignore_errors=True)


def _temporary_folder() -> str | None:
    """New folder for the temporary files of workers; None if no folder can be created."""
    # Imported late: most commands start no worker.
    import tempfile

    try:
        return tempfile.mkdtemp(prefix="porter-workers-")
    except OSError:
        return None


def _start(
    queue: int, work: Callable[[int], Any], others: list[_Worker], scratch: str | None
) -> _Worker:
    parent = os.getpid()
    results, give = os.pipe()
    pid = os.fork()
    if pid == 0:
        if scratch:
            import tempfile

            # A killed worker, or a killed child of a worker, does not remove its temporary files.
            tempfile.tempdir = os.environ["TMPDIR"] = scratch
        _be_worker(queue, give, work, parent, [results, *(other.results for other in others)])
    os.close(give)
    return _Worker(pid, results)


def _be_worker(
    queue: int, give: int, work: Callable[[int], Any], parent: int, foreign: list[int]
) -> NoReturn:
    try:
        # Ctrl-C goes to every process of the terminal; the parent process alone stops the workers.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        # Each worker closes its copies of the pipes' reading ends: SIGPIPE is sent only when no process holds a copy.
        for end in foreign:
            os.close(end)
        # A worker is short-lived, and garbage collection would copy the memory pages shared with the parent.
        gc.disable()
        while (number := os.read(queue, _PIECE.size)) and os.getppid() == parent:
            result: tuple[bool, Any]
            try:
                result = True, work(_PIECE.unpack(number)[0])
            except Exception as error:
                result = False, error
            data = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
            _write(give, _LENGTH.pack(len(data)) + data)
        _write(give, _NO_MORE)
    finally:
        # The parent's exit handlers must not run in a worker.
        os._exit(0)


def _results(workers: list[_Worker], finished: set[int]) -> Iterator[Any]:
    """Results of all workers, in order of completion. Adds the pipe of each worker that has no more results to
    `finished`."""
    poll = select.poll()
    running = {worker.results for worker in workers}
    for end in running:
        poll.register(end, select.POLLIN)
    while running:
        for end, _ in poll.poll():
            length = _LENGTH.unpack(_read(end, _LENGTH.size))[0]
            if not length:
                poll.unregister(end)
                running.remove(end)
                finished.add(end)
                continue
            ok, result = pickle.loads(_read(end, length))
            if not ok:
                raise result
            yield result


def _write(end: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(end, left) :]


def _read(end: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(end, size)
        if not part:
            raise SourceError("a worker process died", help="out of memory? try -j 1")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _end(worker: _Worker, *, finished: bool) -> None:
    # The process number is not reused before waitpid, so that kill reaches the worker and no other process.
    if finished:
        os.kill(worker.pid, signal.SIGKILL)
    else:
        # A program that the worker waits for, for example a compiler, must not outlive the worker.
        process_tree.kill(worker.pid)
    os.waitpid(worker.pid, 0)
    os.close(worker.results)
