"""Runs tests of PyTorch's test files. Each file has a process, so that a crash or hang affects no other file.

    PYTHONPATH=<this folder's parent> python -m device_tests --device simt --package torch_simt
        --tests TREE/test --folder SCRATCH

The program reads requests from stdin. For a request `{"op": "nn/test_pooling.py", "list": true}`, it writes a line for
each class that PyTorch creates for the device, with the names of its tests, or, for a file that cannot be imported, a
line with the reason. For a request `{"op": "nn/test_pooling.py::TestPooling", "checks": [...]}`, it runs tests.

The program runs in the environment in which the backend is installed. That environment must also have the modules that
the test files import.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import watch
from answers import Answers, outcome

from . import file_process, preloaded, written_for_cuda
from .test_files import DeviceTestClass, NoTestBase


def main() -> int:
    parser = argparse.ArgumentParser(prog="device_tests")
    parser.add_argument("--device", required=True)
    parser.add_argument("--package", required=True)
    parser.add_argument(
        "--tests", required=True, type=Path, help="folder with PyTorch's test files"
    )
    parser.add_argument("--folder", required=True, help="folder for files that the tests write")
    parser.add_argument("--as-cuda", action="store_true", help="name the device 'cuda'")
    parser.add_argument("--distributed", action="store_true", help="tests written for NCCL")
    parser.add_argument("--limit", type=int, default=0, help="seconds that a test may take")
    watch.add_options(parser)
    arguments = parser.parse_args()
    watch.prepare(arguments)
    answers = Answers()
    prepare(arguments.folder)
    if arguments.distributed or arguments.as_cuda:
        written_for_cuda.prepare(arguments.package)
    if arguments.distributed:
        written_for_cuda.prepare_ranks(arguments.limit)
    if not answers.ready(arguments.package, arguments.device):
        return 1
    import torch

    # Imported late: the module loads PyTorch, which `answers.ready` does after a check of the environment.
    from . import thread_pool

    torch.set_num_threads(1)
    thread_pool.renew_after_fork()
    with preloaded.unused_device(arguments.package):
        if arguments.distributed or arguments.as_cuda:
            written_for_cuda.activate(arguments.package)
        preloaded.load(_preloaded(arguments))
    return file_process.serve(sys.stdin, lambda file: _TestFile(arguments, file, answers).answer)


def _preloaded(arguments: argparse.Namespace) -> tuple[str, ...]:
    if arguments.distributed:
        return preloaded.DISTRIBUTED
    return preloaded.AS_CUDA if arguments.as_cuda else preloaded.GENERIC


class _TestFile:
    """Answers to requests about one file, in the process of this file."""

    def __init__(self, arguments: argparse.Namespace, file: str, answers: Answers) -> None:
        self.arguments = arguments
        self.file = file
        self.answers = answers
        self.classes: dict[str, DeviceTestClass] = {}
        self.device: Any = None

    def answer(self, asked: dict[str, Any]) -> bool:
        """Answer a request. Returns False if the process must end, because the device does not work."""
        if "list" in asked:
            self._list()
            return True
        if self.device is None:
            self._prepare()
        case = self.classes[asked["op"].partition("::")[2]].case
        from .work import work

        if not work(self.answers, case, asked["op"], asked["checks"], self.device):
            return False
        self.answers.tell(done=True)
        return True

    def _list(self) -> None:
        self.answers.begin("import")
        try:
            self._load()
        except NoTestBase as error:
            self.answers.tell(error=str(error))
        except BaseException as error:
            # SystemExit is caught too, because some test files exit if a dependency is missing.
            self.answers.tell(unusable=outcome(error)[1])
        else:
            for name, found in self.classes.items():
                self.answers.tell(op=f"{self.file}::{name}", dtype="", checks=found.tests)
            self.answers.tell(end=True)

    def _prepare(self) -> None:
        from .work import Device

        self._load()
        observer = watch.Watch.of(self.arguments)
        self.device = Device(self.arguments.device, self.arguments.package, observer)
        self.device.prepare()

    def _load(self) -> None:
        """Import the file. Raises NoTestBase, and every exception that the import raises."""
        # Imported late: these modules import modules of PyTorch that `activate` changes, and use the device.
        from seeds import without_lazy_seeds

        from .tracked_inputs import without_tracked_inputs

        if self.arguments.distributed:
            self.classes = written_for_cuda.load_ranks(self.arguments.tests, self.file)
        elif self.arguments.as_cuda:
            self.classes = written_for_cuda.load(self.arguments.tests, self.file)
        else:
            from .classes import load

            self.classes = load(self.arguments.tests, self.file, self.arguments.device)
        without_lazy_seeds()
        without_tracked_inputs()


def prepare(folder: str) -> None:
    """Set the folder for temporary files, and environment variables that PyTorch's test classes read.

    The function must run before the classes are loaded, because they read the variables at that time.
    """
    os.environ["PYTORCH_TESTING_DEVICE_ONLY_FOR"] = "privateuse1"
    # Without this variable, error messages would name the sample first, and end with a command that lacks the backend.
    os.environ["PYTORCH_PRINT_REPRO_ON_FAILURE"] = "0"
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    os.chdir(folder)


if __name__ == "__main__":
    sys.exit(main())
