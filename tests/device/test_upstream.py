"""PyTorch's own tests of out-of-tree backends pass on the device."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPED = {
    "test_open_device_serialization": "upstream",
    "test_open_device_storage": "StorageImpl",
    "test_open_device_tensorlist_type_fallback": "its own C++",
}
"""Permitted skips: a word of the reason."""


@pytest.mark.release
@pytest.mark.parametrize(("tests", "at_least"), [("openreg", 18), ("registration", 14)])
def test_upstreams_tests_hold(tests: str, at_least: int, releases: dict[str, Path]) -> None:
    command = [sys.executable, str(Path(__file__).with_name("upstream.py")), tests]
    done = subprocess.run(
        [*command, str(releases["2.6.0"])], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    outcomes: dict[str, str] = json.loads(done.stdout[done.stdout.index("{") :])
    failed = {name: text for name, text in outcomes.items() if text.startswith("FAILED")}
    assert not failed, "\n".join(f"{name}: {text}" for name, text in failed.items())
    skipped = {name for name, text in outcomes.items() if text.startswith("skipped")}
    assert skipped <= SKIPPED.keys(), {name: outcomes[name] for name in skipped}
    assert list(outcomes.values()).count("passed") >= at_least
