"""Tests that PyTorch wrote for CUDA and NCCL, on a device that has the name `cuda` (the package's module `as_cuda`)."""

from __future__ import annotations

import importlib
import os
import unittest
from pathlib import Path

from . import own_name, test_files
from .test_files import DeviceTestClass

DEVICES = "2"
"""Number of devices of target `simt`. Tests that need more are skipped."""


def prepare(package: str) -> None:
    """Set environment variables that the processes of the tests inherit. Runs before torch is imported."""
    upper = package.removeprefix("torch_").upper()
    os.environ.setdefault(f"{upper}_DEVICE_COUNT", DEVICES)
    os.environ[f"TORCH_{upper}_AS_CUDA"] = "1"
    del os.environ["PYTORCH_TESTING_DEVICE_ONLY_FOR"]


def activate(package: str) -> None:
    """Make the device `cuda`, if the environment variable has not done so. Raises ImportError before PyTorch 2.6."""
    importlib.import_module(f"{package}.as_cuda")
    own_name.hide()


def load(folder: Path, file: str) -> dict[str, DeviceTestClass]:
    """Maps the name of each test class of a file to the class. Raises every exception that the file raises."""
    # Imported late: the import loads PyTorch.
    from . import rank_processes, rank_threads

    # A test file may use the device when it is imported.
    rank_processes.fork_from_server()
    rank_threads.complete_collectives()
    found = test_files.classes(folder, file, unittest.TestCase)
    # A module also contains the classes that it imports.
    module = Path(file).stem
    classes = {name: one for name, one in found if one.case.__module__ == module}
    for name, one in classes.items():
        if rank_processes.started_by_main_program(one.case):
            classes[name] = one._replace(case=rank_processes.with_ranks(one.case))
    return classes
