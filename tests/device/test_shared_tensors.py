"""Tensors and events that processes share by torch.multiprocessing, on the device and in programs written for `cuda`.

The processes run shared_tensors.py.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).with_name("shared_tensors.py")
LIMIT = 300
"""Seconds after which a run counts as a hang."""


@functools.cache
def output_of(device: str) -> str:
    """Output of the program, which must end without an error."""
    done = subprocess.run(
        [sys.executable, PROGRAM, device],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("part", ["exchange", "models", "killed", "forked"])
def test_processes_share_tensors(part: str) -> None:
    assert f"{part} ok" in output_of("simt")


def test_a_program_written_for_cuda_shares_tensors() -> None:
    assert "exchange ok" in output_of("cuda")
