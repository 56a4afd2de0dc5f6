"""Processes of the ranks of a test. They are forked from a server, a fork of the program that has imported PyTorch.

PyTorch's test classes start a new interpreter for each rank of each test, and the import of PyTorch takes longer than
most of these tests. A server of multiprocessing would import PyTorch once more for each test file.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import socket
import sys
import tempfile
import unittest
from multiprocessing import connection, forkserver
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, NoReturn

from torch.testing._internal import common_distributed
from torch.testing._internal.common_distributed import MultiProcessTestCase

_Continuous: Any = getattr(common_distributed, "MultiProcContinousTest", ())
"""Base class of tests that run in ranks which a main program starts; empty before PyTorch 2.6."""


_check_return_codes: Any = MultiProcessTestCase._check_return_codes
_STORED_OUTPUT = 100_000
"""Number of bytes at the end of a rank's output that are passed on."""


class RankProcess(ForkServerProcess):
    """Process of a rank, with the environment variables that the process that starts the rank has at that time.

    The process writes stderr into a file of its own, so that a test can tell the outputs of its ranks apart.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.environment = dict(os.environ)
        file, name = tempfile.mkstemp(prefix="rank-", suffix=".stderr")
        os.close(file)
        self.errors = Path(name)

    def run(self) -> None:
        """Run the rank. A forked process otherwise has the variables that were set when the server started."""
        os.environ.clear()
        os.environ.update(self.environment)
        file = os.open(self.errors, os.O_WRONLY | os.O_APPEND)
        os.dup2(file, 2)
        os.close(file)
        super().run()

    def last_output(self) -> str:
        """Last output of the rank on stderr. Deletes the file."""
        output = self.errors.read_bytes()[-_STORED_OUTPUT:]
        self.errors.unlink()
        return output.decode("utf-8", "replace")


def fork_from_server() -> None:
    """Make PyTorch's test classes fork the processes of ranks from a server, which this function forks.

    Runs before the device is used, because the ranks use the device.
    """
    address = connection.arbitrary_address("AF_UNIX")  # type: ignore[attr-defined]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()
    alive_read, alive_write = os.pipe()
    pid = os.fork()
    if not pid:
        _serve(listener.fileno(), alive_read)
    listener.close()
    os.close(alive_read)
    server: Any = forkserver._forkserver
    server._forkserver_address = address
    server._forkserver_alive_fd = alive_write
    server._forkserver_pid = pid
    setattr(MultiProcessTestCase, "_spawn_processes", _fork_processes)  # noqa: B010
    setattr(MultiProcessTestCase, "_check_return_codes", _check_ends)  # noqa: B010


def _serve(listener: int, alive: int) -> NoReturn:
    """Fork a process for each request, until the other end of the pipe `alive` is closed."""
    try:
        # Otherwise, the other process of a pipe would not notice that this one's parent has ended.
        for file in map(int, os.listdir("/dev/fd")):
            if file > 2 and file not in (listener, alive):
                with contextlib.suppress(
                    OSError
                ):  # The file of the folder itself is already closed.
                    os.close(file)
        forkserver.main(listener, alive, [])
    finally:
        os._exit(0)


def _fork_processes(test: Any) -> None:
    test._start_processes(RankProcess)


def _check_ends(test: Any, elapsed: float) -> None:
    """Check of the exit codes of a test's ranks, in place of PyTorch's method.

    Raises AssertionError if a signal ended a rank, with the reason. PyTorch's method raises the error of another rank,
    which only notices that the first rank has ended, or the exit code alone.
    """
    ranks = [process for process in test.processes if isinstance(process, RankProcess)]
    outputs = [process.last_output() for process in ranks]
    sys.stderr.writelines(outputs)
    for rank, (process, output) in enumerate(zip(ranks, outputs, strict=True)):
        # After the error of one rank, PyTorch ends the others by SIGTERM.
        if process.exitcode not in (None, -signal.SIGTERM) and process.exitcode < 0:
            name = signal.Signals(-process.exitcode).name
            raise AssertionError(f"rank {rank} has ended by {name}: {_reason(output)}")
    _check_return_codes(test, elapsed)


def _reason(output: str) -> str:
    """Message of the C++ exception that ended a process; else the last line of its output."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    thrown = [line for line in lines if line.startswith("what():")]
    return next(iter(thrown + lines[-1:]), "no output on stderr")


def started_by_main_program(case: type[unittest.TestCase]) -> bool:
    """Test whether a class expects that the main program of its file starts one process for each rank."""
    return issubclass(case, _Continuous)


def with_ranks(case: type[unittest.TestCase]) -> type[unittest.TestCase]:
    """Class with the tests of `case`, for which `started_by_main_program` is True. Each test starts its ranks."""
    names = unittest.defaultTestLoader.getTestCaseNames(case)
    content = dict.fromkeys(names, _join) | {"ranks_of": case}
    return type(case.__name__, (_StartsRanks,), content)


def _join(test: unittest.TestCase) -> None:
    """Body of a test. MultiProcessTestCase replaces the body by a function that joins the ranks."""


class _StartsRanks(MultiProcessTestCase):
    ranks_of: Any

    @property
    def world_size(self) -> int:
        return int(self.ranks_of.world_size)

    def setUp(self) -> None:
        super().setUp()
        self._spawn_processes()

    def _start_processes(self, proc: Any) -> None:
        module, name = self.ranks_of.__module__, self.ranks_of.__qualname__

        def start(args: Any, **more: Any) -> Any:
            more |= {"target": _run_rank, "args": (module, name, self.world_size, *args)}
            return proc(**more)

        super()._start_processes(start)


def _run_rank(
    module: str, name: str, world_size: int, rank: int, test: str, file: str, pipe: Any, **_: Any
) -> None:
    """Run one test in the process of a rank, and report the outcome as MultiProcessTestCase expects."""
    case: Any = vars(importlib.import_module(module))[name]
    case.rank, case.world_size, case.rdvz_file = rank, world_size, file
    result = unittest.TestResult()
    unittest.TestSuite([case(test)]).run(result)
    if wrong := [text for _, text in (*result.errors, *result.failures)]:
        pipe.send("\n".join(wrong))
        sys.exit(MultiProcessTestCase.TEST_ERROR_EXIT_CODE)
    if result.skipped:
        sys.exit(common_distributed.TEST_SKIPS["generic"].exit_code)
