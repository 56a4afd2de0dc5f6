"""Expandable segments: the caching allocator maps memory behind a segment that it has, by the driver API."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

PROGRAM = """
import torch, torch_simt
MB = 1 << 20
parts = [torch.full((24 * MB,), i, dtype=torch.uint8, device="simt") for i in range(4)]
segments = torch.simt.memory_snapshot()
large = [one for one in segments if one["segment_type"] == "large"]
assert [one["is_expandable"] for one in large] == [True], large
reserved = 5 * 20 * MB  # the allocator maps pages of 20 MB
assert large[0]["total_size"] == reserved
assert [int(part[-1]) for part in parts] == [0, 1, 2, 3]
del parts[1:3]
whole = torch.ones(48 * MB, dtype=torch.uint8, device="simt")  # in the place of both
assert torch.simt.memory_reserved() == reserved and int(whole.sum()) == 48 * MB
del parts, whole
torch.simt.empty_cache()
assert torch.simt.memory_reserved() == 0
print("done")
"""


def test_one_segment_grows_and_returns_its_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "done\n", done.stdout + done.stderr
