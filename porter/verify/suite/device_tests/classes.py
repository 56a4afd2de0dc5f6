"""Loader of the test classes that PyTorch creates for the device (PrivateUse1TestBase) from a test file."""

from __future__ import annotations

from pathlib import Path

from torch.testing._internal import common_device_type

from . import like_cuda, test_files
from .test_files import DeviceTestClass, NoTestBase


def load(folder: Path, file: str, device: str) -> dict[str, DeviceTestClass]:
    """Maps the generic name of a test class to the class for the device. Classes without tests have no entry.

    Raises NoTestBase, and every exception that the import of the file raises.
    """
    base = getattr(common_device_type, "PrivateUse1TestBase", None)
    if base is None:
        raise NoTestBase(
            "this release of PyTorch has no test base for PrivateUse1, so its device tests cannot run"
        )
    like_cuda.apply(base, device)
    # PyTorch names the class `Test...PRIVATEUSE1`.
    return {
        name.removesuffix(base.device_type.upper()): found
        for name, found in test_files.classes(folder, file, base)
    }
