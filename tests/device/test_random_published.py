"""Random numbers equal those that PyTorch printed on CUDA devices, for outputs that were published with their seed.

The test compares the printed digits. Later digits of normal numbers differ between a GPU and a CPU: cuRAND uses the
hardware's approximations of sine and cosine (__sincosf), whose last bits NVIDIA does not document.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from process import run  # noqa: E402
from published import ENTRIES, results  # noqa: E402

APPROXIMATE = 1e-6
"""Error bound of a device's sine, in addition to half of the last printed digit."""


def described(entry: dict[str, Any]) -> str:
    """Kind and seed of an entry's calls."""
    return f"{entry['calls'][-1]['call'].partition('(')[0]} {entry['seed']}"


def of_another_grid(number: int, multiprocessors: int) -> list[list[float]]:
    """Results of an entry on a device that reports this number of multiprocessors."""
    path = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})"
    program = f"{path}; import published; published.tell({number})"
    return json.loads(run(program, SIMT_MULTIPROCESSORS=str(multiprocessors)))


@pytest.mark.parametrize("number", range(len(ENTRIES)), ids=[described(entry) for entry in ENTRIES])
def test_numbers_are_the_published_ones(number: int) -> None:
    entry = ENTRIES[number]
    grid = entry.get("multiprocessors")
    given = of_another_grid(number, grid) if grid else results(entry)
    for call, values in zip(entry["calls"], given, strict=True):
        if "numbers" not in call:
            continue
        printed = str(call["numbers"]).split()
        assert len(values) == len(printed), entry["source"]
        for value, digits in zip(values, printed, strict=True):
            half = 0.5 * 10.0 ** -len(digits.partition(".")[2]) if "." in digits else 0
            assert abs(value - float(digits)) <= half + APPROXIMATE, entry["source"]
