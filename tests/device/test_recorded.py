"""The device draws the random numbers of a GPU of NVIDIA, and models have its losses (`build_scripts/record_pytorch`).

The random numbers are those of a device with as many multiprocessors as the GPU has.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
import yaml

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from process import run  # noqa: E402
from recorded_random import DATA, ENTRIES, text_of  # noqa: E402
from recorded_training import MODELS, losses  # noqa: E402

RELATIVE = 2e-6
"""Error bound of a GPU's sine, cosine and logarithm, which cuRAND uses; NVIDIA does not document their last bits."""
LOSS = 2e-3
"""Error bound of losses after some steps in 32 bits: sums have other orders."""


def load(name: str) -> Any:
    return yaml.safe_load((DATA / f"{name}_recorded.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def drawn() -> list[list[list[str]]]:
    """Results of all calls on a device with the GPU's number of multiprocessors."""
    path = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})"
    program = f"{path}; import recorded_random; recorded_random.tell('simt')"
    multiprocessors = str(load("random")["multiprocessors"])
    found: list[list[list[str]]] = json.loads(run(program, SIMT_MULTIPROCESSORS=multiprocessors))
    return found


def agree(one: str, other: str) -> bool:
    """Test whether two printed numbers are equal; floating-point numbers within the error of the GPU's functions."""
    if one == other:
        return True
    try:
        return "." in one + other and math.isclose(
            float(one), float(other), rel_tol=RELATIVE, abs_tol=RELATIVE
        )
    except ValueError:
        return False


@pytest.mark.parametrize("number", range(len(ENTRIES)))
def test_random_numbers_are_those_of_a_gpu(drawn: list[list[list[str]]], number: int) -> None:
    recorded = [text.split() for text in load("random")["entries"][number]]
    calls = [*ENTRIES[number]["calls"], "offset"]
    differing = {
        text_of(call): (there, here)
        for call, there, here in zip(calls, recorded, drawn[number], strict=True)
        if len(there) != len(here) or not all(map(agree, there, here))
    }
    later = {call["call"] for call in calls if not isinstance(call, str)}
    assert {call: numbers for call, numbers in differing.items() if call not in later} == {}
    assert differing.keys() >= later, "calls that draw the same numbers in both releases"


@pytest.fixture(scope="module")
def trained() -> dict[str, Any]:
    return losses("simt")


@pytest.mark.parametrize("name", [model.__name__ for model in MODELS])
def test_losses_are_those_of_a_gpu(trained: dict[str, Any], name: str) -> None:
    assert trained[name] == pytest.approx(load("losses")[name], rel=LOSS)
