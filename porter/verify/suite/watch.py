"""The runtime's checks over the checks of an operator. The findings of each check are appended to a file."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of a program whose work runs under the runtime's checks."""
    parser.add_argument(
        "--kinds", default="", help="kinds of the runtime's checks, separated by commas"
    )
    parser.add_argument(
        "--findings", help="file that receives the findings of each check, one line of JSON each"
    )
    parser.add_argument(
        "--kernels", help="library that replaces the kernels' library of the package"
    )


def prepare(arguments: argparse.Namespace) -> None:
    """Select the library of the kernels. Call it before the package is imported."""
    if arguments.kernels:
        os.environ[f"{arguments.package.upper()}_KERNELS"] = arguments.kernels


class Watch:
    """Kinds of the runtime's checks (`torch.<device>.check`), and the file that receives the findings."""

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Watch:
        return cls(arguments.device, arguments.kinds, arguments.findings)

    def __init__(self, device: str, kinds: str, place: str | None) -> None:
        self.device = device
        self.kinds = [kind for kind in kinds.split(",") if kind and kind != "schedule"]
        self.orders = "schedule" in kinds.split(",")
        self.place = place

    @contextlib.contextmanager
    def over(self, op: str, dtype: str, check: str, again: Callable[[], None]) -> Iterator[None]:
        """Context that checks the kernels launched inside, if kinds are given. `again` repeats the content."""
        if self.place is None:
            yield
            return
        import torch

        module: Any = torch.get_device_module(self.device)
        found: dict[str, Any] = {"op": op, "dtype": dtype, "check": check}
        checked = None
        try:
            if self.kinds:
                with module.check(*self.kinds, report="none") as checked:
                    yield
            else:
                yield
            order = self._first_wrong(module, again) if self.orders else ""
        except BaseException:
            order = ""
            raise
        finally:
            findings = [_as_data(one) for one in checked.findings] if checked else []
            if order:
                findings.append(_of_order(order))
            found["findings"] = findings
            found["launches"] = list(checked.launches) if checked else []
            with Path(self.place).open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")

    def _first_wrong(self, module: Any, again: Callable[[], None]) -> str:
        """First order of a block's threads with a wrong result; empty if all results are right."""
        for order in module.checks.ORDERS:
            with module.checks.schedule(order):
                try:
                    again()
                    module.synchronize()
                except AssertionError:
                    return str(order)
        return ""


def _as_data(finding: Any) -> dict[str, Any]:
    """Finding as in the runtime's report, with operators and Python stacks."""
    places = [
        {
            **place._asdict(),
            "frames": [frame._asdict() for frame in place.frames],
            "stack": [frame._asdict() for frame in place.stack],
        }
        for place in finding.places
    ]
    return {**finding._asdict(), "places": places}


def _of_order(order: str) -> dict[str, Any]:
    text = "the result depends on the order of the threads of a block"
    return {
        "kind": "schedule",
        "type": "order",
        "text": text,
        "object": f"SIMT_SCHEDULE={order}",
        "count": 1,
        "places": [],
    }
