"""Kernels that a host launches with few threads give the CPU's results, with CUDA's numbers of threads as well."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from process import finished

SCRIPT = Path(__file__).parent / "launch_sizes.py"


@pytest.mark.parametrize("sizes", ["host", "cuda"])
def test_results_are_those_of_the_cpu(sizes: str) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env={**os.environ, "SIMT_LAUNCH_SIZES": sizes},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["compared"] > 5000
    assert found["wrong"] == []


def test_an_unknown_word_is_reported() -> None:
    program = "import torch; torch.ones(4, 4, device='simt').sum()"
    done = finished(program, SIMT_LAUNCH_SIZES="gpu")
    assert done.returncode == 0, done.stderr
    assert "SIMT_LAUNCH_SIZES='gpu' is neither cuda nor host; host is used" in done.stderr
