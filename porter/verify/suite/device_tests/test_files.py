"""Test files of PyTorch, and the test classes in them."""

from __future__ import annotations

import importlib
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class NoTestBase(Exception):
    """Exception for a PyTorch release that has no test base for out-of-tree devices."""


class DeviceTestClass(NamedTuple):
    """Test class for the device, and the names of its tests."""

    case: type[unittest.TestCase]
    tests: list[str]


def classes(
    folder: Path, file: str, base: type[unittest.TestCase]
) -> Iterator[tuple[str, DeviceTestClass]]:
    """Import a test file; yield (name, class) for each class with tests that derives from `base`.

    In sys.path, the folder of the file precedes the folder of all tests, because test files import modules from their
    own folder. Raises every exception that the file raises.
    """
    place = folder / file
    # PyTorch's test modules read the command line when they are imported.
    sys.argv = [str(place)]
    sys.path[:0] = list(dict.fromkeys((str(place.parent), str(folder))))
    module = importlib.import_module(place.stem)
    for name, value in vars(module).items():
        if isinstance(value, type) and issubclass(value, base) and value is not base:
            tests = unittest.defaultTestLoader.getTestCaseNames(value)
            if tests:
                yield name, DeviceTestClass(value, list(tests))
