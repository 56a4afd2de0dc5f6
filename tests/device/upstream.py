"""Program that runs PyTorch's own tests of out-of-tree backends on the device. It reads the tests from the release's
tree and replaces the name of upstream's device by the name of this device.

    python upstream.py openreg TREE
    python upstream.py registration TREE
"""

from __future__ import annotations

import json
import os
import sys
import types
import unittest
from pathlib import Path
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

DEVICE = "simt"
FILES = {
    "openreg": "test/cpp_extensions/open_registration_extension/test/test_openreg.py",
    "registration": "test/test_cpp_extensions_open_device_registration.py",
}
NOT_OURS = {
    "test_common_registration": "asks for the functions of its own fake module",
    "test_open_device_generator_registration_and_hooks": "registers a generator and hooks of its own",
    "test_open_device_numpy_serialization": "reads an archive that names upstream's device",
    "test_open_device_storage_pin_memory": "takes every tensor for pinned once one was, as its own hooks do",
    "test_compile_autograd_function_returns_self": "an operator of its extension, on the CPU",
    "test_compile_autograd_function_aliasing": "an operator of its extension, on the CPU",
}
"""Test -> reason why it concerns only upstream's example backend."""


class Extension:
    """Stand-in for upstream's C++ extension: the functions that its tests call."""

    def __init__(self) -> None:
        self.additions = Additions()

    def custom_device(self) -> torch.device:
        return torch.device(f"{DEVICE}:0")

    def custom_add_called(self) -> bool:
        """Return True if tensors of the device were added since the last call."""
        seen, self.additions.seen = self.additions.seen, False
        return seen

    def custom_storage_registry(self) -> None:
        raise unittest.SkipTest(
            "from here on it looks at a StorageImpl of its own; all before it held"
        )

    def fallback_with_undefined_tensor(self) -> None:
        raise unittest.SkipTest("from here on it calls its own C++; all before it held")


class Additions(TorchDispatchMode):
    """Counts additions on the device, in place of upstream's counting kernel."""

    seen = False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func is torch.ops.aten.add.Tensor and result.device.type == DEVICE:
            self.seen = True
        return result


def openreg(tree: Path) -> type[unittest.TestCase]:
    """The tests of `test_openreg.py`."""
    package = types.ModuleType("pytorch_openreg")
    package.NUM_DEVICES = torch.simt.device_count()  # type: ignore[attr-defined]
    sys.modules["pytorch_openreg"] = package
    return _load(tree / FILES["openreg"], "openreg")["TestOpenReg"]


def registration(tree: Path) -> type[unittest.TestCase]:
    """The tests of `test_cpp_extensions_open_device_registration.py`."""
    case = _load(tree / FILES["registration"], "foo")["TestCppExtensionOpenRgistration"]
    extension = Extension()

    def set_up_class(cls: Any) -> None:
        cls.module = extension

    plain = case.test_base_device_registration

    def counted(self: Any) -> None:
        with extension.additions:
            plain(self)

    case.setUpClass = classmethod(set_up_class)
    case.test_base_device_registration = counted
    return case


def _load(place: Path, name: str) -> dict[str, Any]:
    """Global names of a Python file that is executed with the device's name in place of `name`, also within words."""
    text = place.read_text(encoding="utf-8").replace("pytorch_openreg", "\0")
    text = text.replace(name, DEVICE).replace("\0", "pytorch_openreg")
    names: dict[str, Any] = {"__name__": "upstream_tests", "__file__": str(place)}
    exec(compile(text, str(place), "exec"), names)
    return names


class Told(unittest.TestResult):
    """Collects the outcome of each test."""

    def __init__(self) -> None:
        super().__init__()
        self.outcomes: dict[str, str] = {}

    def addSuccess(self, test: unittest.TestCase) -> None:
        self._tell(test, "passed")

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self._tell(test, f"skipped: {reason}")

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        self._tell(test, "FAILED: " + self._exc_info_to_string(err, test))

    addError = addFailure

    def _tell(self, test: unittest.TestCase, outcome: str) -> None:
        self.outcomes[test._testMethodName] = outcome


def main() -> int:
    tests = {"openreg": openreg, "registration": registration}[sys.argv[1]]
    case = tests(Path(sys.argv[2]))
    names = [name for name in unittest.TestLoader().getTestCaseNames(case) if name not in NOT_OURS]
    told = Told()
    unittest.TestSuite(map(case, names)).run(told)
    sys.stdout.write(json.dumps(told.outcomes, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SIMT_DEVICE_COUNT", "2")
    sys.exit(main())
