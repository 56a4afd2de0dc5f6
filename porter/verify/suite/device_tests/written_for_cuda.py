"""Tests that PyTorch wrote for CUDA and NCCL, on a device that has the name `cuda` (the package's module `as_cuda`)."""

from __future__ import annotations

import importlib
import os
import sys
import unittest
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .classes import DeviceTestClass

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


def load(folder: Path, file: str, device: str) -> dict[str, DeviceTestClass]:
    """Maps the name of each test class of a file to the class. Raises every exception that the file raises."""
    from .classes import DeviceTestClass

    place = folder / file
    # PyTorch's test modules read the command line when they are imported.
    sys.argv = [str(place)]
    sys.path[:0] = list(dict.fromkeys((str(place.parent), str(folder))))
    module = importlib.import_module(place.stem)
    found = {}
    for name, value in vars(module).items():
        own = isinstance(value, type) and value.__module__ == module.__name__
        if own and issubclass(value, unittest.TestCase):
            tests = unittest.defaultTestLoader.getTestCaseNames(value)
            if tests:
                found[name] = DeviceTestClass(value, list(tests))
    return found
