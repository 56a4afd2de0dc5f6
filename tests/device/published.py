"""Repeats calls whose random numbers on CUDA are published: `data/random_cuda.yaml` says where, and what it means."""

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
    """What each call of an entry gives on the device."""
    torch.manual_seed(entry["seed"])
    return [
        eval(each["call"], {"torch": torch, "device": "simt"}).flatten().tolist()
        for each in entry["calls"]
    ]


def tell(number: int) -> None:
    """Prints the results of the entry of this number, as JSON."""
    print(json.dumps(results(ENTRIES[number])))
