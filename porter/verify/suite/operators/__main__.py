"""Checks operators in a process of its own, so that a crash or hang affects no other checks.

    PYTHONPATH=<this folder's parent> python -m operators --device simt --package torch_simt --list
    ... --samples 4          # reads units from stdin, answers each check

With `--list`, the program writes a line for each unit: operator, dtype, checks.

The program runs in the environment in which the backend is installed, and needs only PyTorch there.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
import time
from typing import Any

import watch
from answers import Answers, outcome


def main() -> int:
    parser = argparse.ArgumentParser(prog="operators")
    parser.add_argument("--device", required=True)
    parser.add_argument("--package", required=True)
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--list", action="store_true")
    watch.add_options(parser)
    arguments = parser.parse_args()
    watch.prepare(arguments)
    answers = Answers()
    if not answers.ready(arguments.package, arguments.device):
        return 1
    import torch

    torch.set_num_threads(1)
    from seeds import without_lazy_seeds

    from .units import every

    without_lazy_seeds()
    units = {(unit.name, unit.dtype_name): unit for unit in every()}
    if arguments.list:
        for unit in units.values():
            answers.tell(op=unit.name, dtype=unit.dtype_name, checks=unit.checks())
        answers.tell(end=True)
        return 0
    for line in sys.stdin:
        asked = json.loads(line)
        unit = units[asked["op"], asked["dtype"]]
        observer = watch.Watch.of(arguments)
        work(answers, unit, asked["checks"], arguments.device, arguments.samples, observer)
        answers.tell(done=True)
    return 0


def work(
    answers: Answers,
    unit: Any,
    wanted: list[str],
    device: str,
    samples: int,
    observer: watch.Watch,
) -> None:
    """Run the checks of a unit, and report the beginning and the result of each."""
    import torch

    from .checks import Checks, NoSample

    checks = Checks(unit, device, samples)
    module = torch.get_device_module(device)
    for check in wanted:
        answers.begin(check)
        began = time.perf_counter()
        module.reset_metrics()
        try:
            with observer.over(
                unit.name, unit.dtype_name, check, functools.partial(checks.run, check)
            ):
                checks.run(check)
                module.synchronize()
            fell_back = sorted(module.metrics())
            status, note = ("fallback", " ".join(fell_back)) if fell_back else ("pass", "")
        except NoSample as why:
            status, note = "skipped", str(why)
        except Exception as error:
            status, note = outcome(error)
            if off := checks.switched_off(check):
                status, note = "skipped", f"PyTorch's own test is disabled for CUDA: {off}"
        seconds = round(time.perf_counter() - began, 3)
        answers.tell(check=check, status=status, note=note, seconds=seconds)


if __name__ == "__main__":
    sys.exit(main())
