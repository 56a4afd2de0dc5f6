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


def test_a_reduction_of_more_values_than_the_blocks_of_a_grid_take() -> None:
    """With blocks of one warp and 256 values for each thread, 2**30 values would need 131,072 blocks in y."""
    done = finished(
        "import torch\n"
        "x = torch.zeros(2**30, dtype=torch.int8, device='simt')\n"
        "x[-1] = 1\n"
        "print(int(x.argmax()), int(x.sum()), bool(x.any()))"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(2**30 - 1), "1", "True"]


def test_an_unknown_word_is_reported() -> None:
    program = "import torch; torch.ones(4, 4, device='simt').sum()"
    done = finished(program, SIMT_LAUNCH_SIZES="gpu")
    assert done.returncode == 0, done.stderr
    assert "SIMT_LAUNCH_SIZES='gpu' is neither cuda nor host; host is used" in done.stderr
