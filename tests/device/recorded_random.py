"""Results of the calls in `data/random_calls.yaml` on a device."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
import yaml

DATA = Path(__file__).parent / "data"
SEED = 20


def text_of(call: str | dict[str, str]) -> str:
    """Expression of an element of `calls`: the text itself, or the value of `call` in a map."""
    return call if isinstance(call, str) else call["call"]


ENTRIES: list[dict[str, Any]] = yaml.safe_load(
    (DATA / "random_calls.yaml").read_text(encoding="utf-8")
)


def few(values: torch.Tensor) -> torch.Tensor:
    """The first 4, the middle 2 and the last 2 of all elements, or all elements of a small tensor, on the CPU."""
    flat = values.flatten()
    if flat.numel() > 8:
        half = flat.numel() // 2
        flat = flat[[0, 1, 2, 3, half, half + 1, -2, -1]]
    return flat.cpu()


def results(device: str) -> list[list[list[str]]]:
    """Numbers of each call of each entry, as texts. The last element of an entry is the offset of the generator."""
    names = {
        "torch": torch,
        "F": torch.nn.functional,
        "D": torch.distributions,
        "few": few,
        "device": device,
    }
    found = []
    for entry in ENTRIES:
        torch.manual_seed(SEED)
        given = [_numbers(text_of(call), names) for call in entry["calls"]]
        state = torch.get_device_module(device).get_rng_state()
        found.append([*given, [str(int.from_bytes(bytes(state.tolist()[8:16]), "little"))]])
    return found


def _numbers(call: str, names: dict[str, Any]) -> list[str]:
    try:
        values = eval(call, dict(names))
    except Exception as error:
        return [type(error).__name__, *str(error).splitlines()[:1]]
    if values.is_floating_point():
        return [f"{value:.9g}" for value in values.double().tolist()]
    return [str(int(value)) for value in values.tolist()]


def tell(device: str) -> None:
    """Print the results as JSON."""
    print(json.dumps(results(device)))
