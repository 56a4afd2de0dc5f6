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
WHOLE_FILES = "test_cuda"
"""Beginning of the names of test files whose classes PyTorch does not create for a device: all test CUDA."""
SHORTEST_LIMIT = 300
"""Default of DISTRIBUTED_TESTS_DEFAULT_TIMEOUT (torch/testing/_internal/common_distributed.py, PyTorch 2.6.0)."""


def prepare(package: str) -> None:
    """Set environment variables that the processes of the tests inherit. Runs before torch is imported."""
    upper = package.removeprefix("torch_").upper()
    os.environ[f"TORCH_{upper}_AS_CUDA"] = "1"
    os.environ.setdefault(f"{upper}_DEVICE_COUNT", DEVICES)
    os.environ["PYTORCH_TESTING_DEVICE_ONLY_FOR"] = "cuda"


def prepare_ranks(limit: int) -> None:
    """Set environment variables for tests of several ranks. Runs after `prepare`, and before torch is imported.

    The tests may also use the CPU. PyTorch's own limit for the ranks of a test is at least `limit` seconds: otherwise,
    a longer `limit` has no effect.
    """
    os.environ.setdefault("DISTRIBUTED_TESTS_DEFAULT_TIMEOUT", str(max(limit, SHORTEST_LIMIT)))
    del os.environ["PYTORCH_TESTING_DEVICE_ONLY_FOR"]


def activate(package: str) -> None:
    """Make the device `cuda`, if the environment variable has not done so. Raises ImportError before PyTorch 2.6."""
    importlib.import_module(f"{package}.as_cuda")
    own_name.hide()


def load(folder: Path, file: str) -> dict[str, DeviceTestClass]:
    """Maps the generic name of a test class to the class for CUDA. Classes without tests have no entry.

    From a file that PyTorch wrote for CUDA alone (`WHOLE_FILES`), all classes. Raises every exception that the file
    raises.
    """
    if Path(file).stem.startswith(WHOLE_FILES):
        return _of_module(folder, file)
    # Imported late: the import loads PyTorch.
    from torch.testing._internal.common_device_type import CUDATestBase

    suffix = CUDATestBase.device_type.upper()
    found = test_files.classes(folder, file, CUDATestBase)
    return {name.removesuffix(suffix): one for name, one in found}


def load_ranks(folder: Path, file: str) -> dict[str, DeviceTestClass]:
    """Maps the name of each test class of a file to the class, whose tests may start ranks.

    Raises every exception that the file raises.
    """
    # Imported late: the import loads PyTorch.
    from . import rank_processes, rank_threads

    # A test file may use the device when it is imported.
    rank_processes.fork_from_server()
    rank_threads.complete_collectives()
    classes = _of_module(folder, file)
    for name, one in classes.items():
        if rank_processes.started_by_main_program(one.case):
            classes[name] = one._replace(case=rank_processes.with_ranks(one.case))
    return classes


def _of_module(folder: Path, file: str) -> dict[str, DeviceTestClass]:
    """Test classes that a file defines. A module also contains the classes that it imports."""
    found = test_files.classes(folder, file, unittest.TestCase)
    return {name: one for name, one in found if one.case.__module__ == Path(file).stem}
