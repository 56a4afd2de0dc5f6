"""Runs tests of one PyTorch test file, in a process of its own, so that a crash or hang affects no other tests.

    PYTHONPATH=<this folder's parent> python -m device_tests --device simt --package torch_simt
        --tests TREE/test --file nn/test_pooling.py --folder SCRATCH --list
    ...                      # without --list: reads tests from stdin, answers each

With `--list`, the program writes a line for each class that PyTorch creates for the device, with the names of its
tests. For a file that cannot be imported, the program writes a line with the reason.

The program runs in the environment in which the backend is installed. That environment must also have the modules that
the test file imports.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from answers import Answers, outcome

from . import written_for_cuda
from .test_files import DeviceTestClass, NoTestBase


def main() -> int:
    parser = argparse.ArgumentParser(prog="device_tests")
    parser.add_argument("--device", required=True)
    parser.add_argument("--package", required=True)
    parser.add_argument(
        "--tests", required=True, type=Path, help="folder with PyTorch's test files"
    )
    parser.add_argument("--file", required=True, help="test file, as a path below --tests")
    parser.add_argument("--folder", required=True, help="folder for files that the tests write")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--distributed", action="store_true", help="tests written for NCCL")
    arguments = parser.parse_args()
    answers = Answers()
    prepare(arguments.folder)
    if arguments.distributed:
        written_for_cuda.prepare(arguments.package)
    if not answers.ready(arguments.package, arguments.device):
        return 1
    import torch

    torch.set_num_threads(1)
    from seeds import without_lazy_seeds

    without_lazy_seeds()

    try:
        classes = load_classes(arguments)
    except NoTestBase as error:
        answers.tell(error=str(error))
        return 1
    except BaseException as error:
        if not arguments.list:
            raise
        # SystemExit is caught too, because some test files exit if a dependency is missing.
        answers.tell(unusable=outcome(error)[1])
        return 0
    if arguments.list:
        for name, found in classes.items():
            answers.tell(op=f"{arguments.file}::{name}", dtype="", checks=found.tests)
        answers.tell(end=True)
        return 0
    from .work import Device, work

    device = Device(arguments.device, arguments.package)
    device.prepare()
    for line in sys.stdin:
        asked = json.loads(line)
        found = classes[asked["op"].partition("::")[2]]
        if not work(answers, found.case, asked["checks"], device):
            # The caller then starts a new process.
            return 0
        answers.tell(done=True)
    return 0


def load_classes(arguments: argparse.Namespace) -> dict[str, DeviceTestClass]:
    """Test classes of the file. Raises NoTestBase, and every exception that the import of the file raises."""
    if arguments.distributed:
        written_for_cuda.activate(arguments.package)
        return written_for_cuda.load(arguments.tests, arguments.file, arguments.package)
    # Imported late: the module imports modules of PyTorch that `activate` changes.
    from .classes import load

    return load(arguments.tests, arguments.file, arguments.device)


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
