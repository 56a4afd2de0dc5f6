"""Checks operators in a process of its own, which may crash or hang without harm to others.

    PYTHONPATH=<this folder's parent> python -m operators --device simt --package torch_simt --list
    ... --samples 4          # reads units from stdin, answers each check

`--list` gives a line for each unit: operator, dtype, checks.

It runs in the environment in which the backend is installed, and needs nothing but PyTorch there. Answers are JSON, on
the stdout that the process began with; whatever else is printed goes to stderr.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from importlib import metadata
from typing import IO, Any

_TEXT = 300
"""Characters of what went wrong."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="operators")
    parser.add_argument("--device", required=True)
    parser.add_argument("--package", required=True)
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    # Operators, and what they load, print as they like.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    import torch

    device = arguments.device
    build = digest(arguments.package)
    if not build or not hasattr(torch, device):
        tell(answers, error=f"{arguments.package} is not installed")
        return 1
    tell(answers, ready=True, torch=torch.__version__, build=build)
    torch.set_num_threads(1)
    without_lazy_seeds(torch)
    from .units import every

    units = {(unit.name, unit.dtype_name): unit for unit in every()}
    if arguments.list:
        for unit in units.values():
            tell(answers, op=unit.name, dtype=unit.dtype_name, checks=unit.checks())
        tell(answers, end=True)
        return 0
    for line in sys.stdin:
        asked = json.loads(line)
        unit = units[asked["op"], asked["dtype"]]
        work(answers, unit, asked["checks"], device, arguments.samples)
        tell(answers, done=True)
    return 0


def digest(package: str) -> str:
    """Changes with every file of an installed package (its RECORD holds their hashes); empty when there is none."""
    try:
        record = metadata.distribution(package).read_text("RECORD")
    except metadata.PackageNotFoundError:
        return ""
    return hashlib.sha256((record or "").encode()).hexdigest()


def without_lazy_seeds(torch: Any) -> None:
    """Seeding does not queue a call, with its stack as text, for each device that is not there: half of all time."""
    for other in (torch.cuda, torch.xpu):
        if not other.is_available():
            other.manual_seed_all = lambda seed: None


def work(answers: IO[str], unit: Any, wanted: list[str], device: str, samples: int) -> None:
    """Do the checks of a unit, and tell of each when it begins and how it ended."""
    import torch

    from .checks import Checks, NoSample

    checks = Checks(unit, device, samples)
    module = torch.get_device_module(device)
    for check in wanted:
        tell(answers, begin=check)
        began = time.perf_counter()
        module.reset_metrics()
        try:
            checks.run(check)
            module.synchronize()
            fell_back = sorted(module.metrics())
            status, note = ("fallback", " ".join(fell_back)) if fell_back else ("pass", "")
        except NoSample as why:
            status, note = "skipped", str(why)
        except Exception as error:
            status, note = outcome(error)
            if status == "fail" and (off := checks.switched_off(check)):
                status, note = "skipped", f"PyTorch's own test of it is off for CUDA: {off}"
        seconds = round(time.perf_counter() - began, 3)
        tell(answers, check=check, status=status, note=note, seconds=seconds)


def outcome(error: Exception) -> tuple[str, str]:
    """What an exception says of the backend."""
    text = " ".join(str(error).split())
    if isinstance(error, AssertionError):
        return "fail", text[:_TEXT]
    lacking = isinstance(error, NotImplementedError) or "not implemented for" in text
    return "unsupported" if lacking else "fail", f"{type(error).__name__}: {text}"[:_TEXT]


def tell(answers: IO[str], **what: Any) -> None:
    answers.write(json.dumps(what) + "\n")
    answers.flush()


if __name__ == "__main__":
    sys.exit(main())
