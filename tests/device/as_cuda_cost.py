"""Cost of calls before and after the device takes the name `cuda`: `python tests/device/as_cuda_cost.py`.

Prints a table in Markdown, in microseconds, best of 5.
"""

from __future__ import annotations

import importlib
import timeit

import torch

CALLS = {
    'torch.device("{device}:0")': "device('{device}:0')",
    'torch.empty(4, device="{device}")': "empty(4, device='{device}')",
    "x + 1": "x + 1",
    "x.device": "x.device",
    "x.device.type": "x.device.type",
    "x.is_{device}": "x.is_{device}",
    "x.{device}()": "x.{device}()",
    'x.to("{device}")': "x.to('{device}')",
}


def measure(device: str) -> dict[str, float]:
    names = {"device": torch.device, "empty": torch.empty, "x": torch.ones(4, device="simt")}
    found = {}
    for shown, code in CALLS.items():
        timer = timeit.Timer(code.format(device=device), globals=names)
        count = max(timer.autorange()[0] // 5, 1)
        found[shown] = min(timer.repeat(5, count)) / count * 1e6
    return found


def main() -> None:
    before = measure("simt")
    importlib.import_module("torch_simt.as_cuda")
    after = measure("cuda")
    print("| call | `simt`, before | `cuda`, after |\n|---|---:|---:|")
    for shown in CALLS:
        print(f"| `{shown.format(device='cuda')}` | {before[shown]:.2f} | {after[shown]:.2f} |")


if __name__ == "__main__":
    main()
