"""Configuration of the tests on the device. The tests are skipped if the wheel of `porter run` is not installed."""

from __future__ import annotations

import importlib.util
import os

import pytest

MISSING = "torch_simt is not installed (build_scripts/quickstart builds and installs it)"
collect_ignore = [
    "device_tests_tree"
]  # stand-ins for PyTorch's test files, which `porter device-tests` runs
os.environ.setdefault("SIMT_DEVICE_COUNT", "2")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if importlib.util.find_spec("torch_simt") is None:
        for item in items:
            if "/device/" in item.path.as_posix():
                item.add_marker(pytest.mark.skip(reason=MISSING))
