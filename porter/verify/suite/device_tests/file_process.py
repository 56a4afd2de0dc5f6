"""Process for the tests of one file, forked from the program.

The program has imported PyTorch, so a new process imports only the test file.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from typing import Any

Answer = Callable[[dict[str, Any]], bool]
"""Function that answers one request. Returns False if its process must end."""
_FORK = multiprocessing.get_context("fork")
_POLL = 0.1
"""Time in seconds after which a process that answers a request is checked for its end."""


def serve(requests: Iterable[str], begin: Callable[[str], Answer]) -> int:
    """Answer the requests, JSON lines whose `op` begins with a file, and return the exit code of the program.

    One process at a time answers: a request for another file ends the process and forks a new one, which calls
    `begin(file)`. If the process ends during a request, the function returns its exit code, or ends the program by the
    signal that ended the process.
    """
    running: _FileProcess | None = None
    for line in requests:
        asked = json.loads(line)
        file = asked["op"].partition("::")[0]
        if running is None or running.file != file:
            if running is not None:
                running.end()
            running = _FileProcess(file, begin)
        code = running.ask(asked)
        if code is not None:
            return _end_like(code)
    if running is not None:
        running.end()
    return 0


class _FileProcess:
    def __init__(self, file: str, begin: Callable[[str], Answer]) -> None:
        self.file = file
        self.pipe, other = _FORK.Pipe()
        self.process = _FORK.Process(target=_answer, args=(other, file, begin))
        self.process.start()
        other.close()

    def ask(self, what: dict[str, Any]) -> int | None:
        """Give a request to the process and wait for the answer. Returns the exit code if the process ends instead."""
        self.pipe.send(what)
        try:
            # A process of a test may hold the pipe open, so the end of the process may not close the pipe.
            while not self.pipe.poll(_POLL):
                if self.process.exitcode is not None:
                    return self.process.exitcode
            self.pipe.recv()
        except EOFError:
            self.process.join()
            return self.process.exitcode
        return None

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _answer(pipe: Connection, file: str, begin: Callable[[str], Answer]) -> None:
    answer = begin(file)
    while answer(pipe.recv()):
        pipe.send(True)


def _end_like(code: int) -> int:
    """End the program by the signal that `code` states, if any. Otherwise, return `code`."""
    if code < 0:
        with contextlib.suppress(OSError):  # The handler of SIGKILL cannot be set.
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code
