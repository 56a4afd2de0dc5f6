"""Loader of the test classes that PyTorch creates for the device (PrivateUse1TestBase) from a test file."""

from __future__ import annotations

import importlib
import sys
import unittest
from pathlib import Path
from typing import NamedTuple

from torch.testing._internal import common_device_type

from . import like_cuda


class NoTestBase(Exception):
    """Exception for a PyTorch release that has no test base for out-of-tree devices."""


class DeviceTestClass(NamedTuple):
    """Test class for the device, and the names of its tests."""

    case: type[unittest.TestCase]
    tests: list[str]


def load(folder: Path, file: str, device: str) -> dict[str, DeviceTestClass]:
    """Maps the generic name of a test class to the class for the device. Classes without tests have no entry.

    In sys.path, the folder of the file precedes the folder of all tests, because test files import modules from their
    own folder. Raises NoTestBase, and every exception that the import of the file raises.
    """
    base = getattr(common_device_type, "PrivateUse1TestBase", None)
    if base is None:
        raise NoTestBase(
            "this release of PyTorch has no test base for PrivateUse1, so its device tests cannot run"
        )
    like_cuda.apply(base, device)
    place = folder / file
    # PyTorch's test modules read the command line when they are imported.
    sys.argv = [str(place)]
    sys.path[:0] = list(dict.fromkeys((str(place.parent), str(folder))))
    module = importlib.import_module(place.stem)
    found = {}
    for name, value in vars(module).items():
        if isinstance(value, type) and issubclass(value, base) and value is not base:
            tests = unittest.defaultTestLoader.getTestCaseNames(value)
            if tests:
                # PyTorch names the class `Test...PRIVATEUSE1`.
                generic = name.removesuffix(base.device_type.upper())
                found[generic] = DeviceTestClass(value, list(tests))
    return found
