"""Repetition of calls whose random numbers on CUDA were published; `data/random_cuda.yaml` states the sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
import yaml

ENTRIES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "random_cuda.yaml").read_text(encoding="utf-8")
)


def results(entry: dict[str, Any]) -> list[list[float]]:
    """Result of each call of an entry on the device."""
    torch.manual_seed(entry["seed"])
    return [
        eval(each["call"], {"torch": torch, "device": "simt"}).flatten().tolist()
        for each in entry["calls"]
    ]


def tell(number: int) -> None:
    """Print the results of the entry with this number, as JSON."""
    print(json.dumps(results(ENTRIES[number])))
