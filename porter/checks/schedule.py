"""Runs of a program with other orders of its threads: its output must not depend on the order.

The runtime starts the threads of a block by number. SIMT_SCHEDULE selects another order (`runtime/simt/src/kernel/
thread_order.h`). The order of blocks stays, because a block may wait for an earlier one.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from porter.checks.findings import Finding

ORDERS = ("reverse", *(f"random:{seed}" for seed in range(1, 5)))
"""Values of SIMT_SCHEDULE, the simplest first."""


class _Output(NamedTuple):
    code: int
    text: bytes


def check(program: Path, arguments: Sequence[str]) -> tuple[Finding, ...]:
    """At most one finding: the first order with another output. The same order gives the same output again.

    A program whose output differs between two equal runs has no expected output, and no finding.
    """
    expected = _output(program, arguments, "")
    if _output(program, arguments, "") != expected:
        return ()
    for order in ORDERS:
        found = _output(program, arguments, order)
        if found != expected:
            return (_finding(order, expected, found),)
    return ()


def _output(program: Path, arguments: Sequence[str], order: str) -> _Output:
    environment = {**os.environ, "SIMT_CHECK": "", "SIMT_SCHEDULE": order, "SIMT_NUM_THREADS": "1"}
    done = subprocess.run(
        [os.path.realpath(program), *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return _Output(done.returncode, done.stdout)


def _finding(order: str, expected: _Output, found: _Output) -> Finding:
    text = "the output depends on the order of the threads of a block"
    return Finding(
        "schedule", "order", text, f"SIMT_SCHEDULE={order}: {_difference(expected, found)}", 1, ()
    )


def _difference(expected: _Output, found: _Output) -> str:
    pairs = zip_longest(expected.text.splitlines(), found.text.splitlines(), fillvalue=b"")
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            return f"line {number} is {_shown(other)}, and {_shown(one)} in the usual order"
    return f"the exit code is {found.code}, and {expected.code} in the usual order"


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace")
    return repr(text if len(text) <= 80 else f"{text[:77]}...")
