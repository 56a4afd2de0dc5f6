"""Work shared out among processes that are forked from this one, so that all they need is there already.

>>> sorted(share_out(3, lambda piece: piece * piece, jobs=2))
[0, 1, 4]

Workers take the number of their next piece from one pipe that all of them share, and each hands its results back
through a pipe of its own. A worker ends when the process that began it is gone: at once when it wants to hand over a
result, and at the latest after the piece at hand.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import struct
from collections.abc import Callable, Generator, Iterator
from typing import Any, NamedTuple, NoReturn, TypeVar

from porter.base.errors import SourceError
from porter.base.sigint import undisturbed

T = TypeVar("T")

_PIECE = struct.Struct("I")
_LENGTH = struct.Struct("Q")
_NO_MORE = _LENGTH.pack(0)
"""A worker's last word; one that ends without it has died."""
_MOST = 8000
"""Pieces whose numbers fit into a pipe (64 KiB on Linux, 32 KiB elsewhere) before anybody reads it."""


class _Worker(NamedTuple):
    pid: int
    results: int
    """Reading end of its pipe."""


def share_out(pieces: int, work: Callable[[int], T], jobs: int) -> Generator[T, None, None]:
    """The results of `work(0)`, `work(1)` ... `work(pieces - 1)`, as they come, from up to `jobs` processes.

    What `work` raises is raised here. Raises SourceError when a worker dies. However the iteration ends, no worker is
    left behind; a caller that may stop early closes it (`contextlib.closing`).
    """
    if pieces > _MOST:
        raise ValueError(f"{pieces} pieces; at most {_MOST}")
    if min(jobs, pieces) <= 1:
        yield from map(work, range(pieces))
        return
    queue, put = os.pipe()
    os.write(put, b"".join(map(_PIECE.pack, range(pieces))))
    os.close(put)
    workers: list[_Worker] = []
    try:
        # An interrupt just after a fork would leave a worker that nobody knows of.
        with undisturbed():
            while len(workers) < min(jobs, pieces):
                workers.append(_start(queue, work, workers))
        yield from _results(workers)
    finally:
        with undisturbed():
            os.close(queue)
            for worker in workers:
                _end(worker)


def _start(queue: int, work: Callable[[int], Any], others: list[_Worker]) -> _Worker:
    parent = os.getpid()
    results, give = os.pipe()
    pid = os.fork()
    if pid == 0:
        _be_worker(queue, give, work, parent, [results, *(other.results for other in others)])
    os.close(give)
    return _Worker(pid, results)


def _be_worker(
    queue: int, give: int, work: Callable[[int], Any], parent: int, foreign: list[int]
) -> NoReturn:
    try:
        # Ctrl-C goes to every process of the terminal; the parent decides what becomes of its workers.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        # Were the reading ends kept, a worker would not notice that nobody reads its results any more.
        for end in foreign:
            os.close(end)
        # A worker is short-lived, and collecting would copy the pages that it shares with its parent.
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
        # Nothing of the parent's, such as its exit handlers, must run here.
        os._exit(0)


def _results(workers: list[_Worker]) -> Iterator[Any]:
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


def _end(worker: _Worker) -> None:
    # Until it is waited for, its number belongs to no other process.
    os.kill(worker.pid, signal.SIGKILL)
    os.waitpid(worker.pid, 0)
    os.close(worker.results)
