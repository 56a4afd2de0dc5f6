"""Processes of the ranks of a test. They are forked from a server process that has imported PyTorch.

PyTorch's test classes start a new interpreter for each rank of each test, and the import of PyTorch takes longer than
most of these tests.
"""

from __future__ import annotations

import importlib
import os
import sys
import unittest
from multiprocessing import forkserver
from multiprocessing.context import ForkServerProcess
from typing import Any

from torch.testing._internal import common_distributed
from torch.testing._internal.common_distributed import MultiProcessTestCase

from . import preloaded

_Continuous: Any = getattr(common_distributed, "MultiProcContinousTest", ())
"""Base class of tests that run in ranks which a main program starts; empty before PyTorch 2.6."""


class RankProcess(ForkServerProcess):
    """Process of a rank, with the environment variables that the process that starts the rank has at that time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.environment = dict(os.environ)

    def run(self) -> None:
        """Run the rank. A forked process otherwise has the variables that were set when the server started."""
        os.environ.clear()
        os.environ.update(self.environment)
        super().run()


def fork_from_server(package: str) -> None:
    """Make PyTorch's test classes fork the processes of ranks from a server, which the first test starts."""
    os.environ[preloaded.PACKAGE] = package
    os.environ[preloaded.COUNT] = str(importlib.import_module(package).device_count())
    forkserver.set_forkserver_preload([preloaded.__name__])
    setattr(MultiProcessTestCase, "_spawn_processes", _fork_processes)  # noqa: B010


def _fork_processes(test: Any) -> None:
    test._start_processes(RankProcess)


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
