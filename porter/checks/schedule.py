"""Runs of a program with other orders of its threads and blocks: its output must not depend on the order.

The runtime starts the threads of a block, and the blocks of a grid, by number. SIMT_SCHEDULE selects another order of
one of them (`runtime/simt/src/kernel/thread_order.h`).
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from porter.checks.findings import Finding

ORDERS = ("reverse", *(f"random:{seed}" for seed in range(1, 5)))
"""Values of SIMT_SCHEDULE for the threads of a block, the simplest first."""
BLOCK_ORDERS = tuple(f"blocks-{order}" for order in ORDERS)
"""Values for the blocks of a grid."""
_SLOWER = 5.0
_LEAST_LIMIT = 10.0
"""Limit of a run with another order of blocks: this many times the usual run, and at least this many seconds.

A block may wait for an earlier one. With one worker, such a program then never ends.
"""


class _Output(NamedTuple):
    code: int
    text: bytes


def check(program: Path, arguments: Sequence[str]) -> tuple[Finding, ...]:
    """At most one finding: the first order with another output. The same order gives the same output again.

    A program whose output differs between two equal runs has no expected output, and no finding.
    """
    begun = time.monotonic()
    expected = _output(program, arguments, "")
    limit = max(_LEAST_LIMIT, _SLOWER * (time.monotonic() - begun))
    if _output(program, arguments, "") != expected:
        return ()
    for order in (*ORDERS, *BLOCK_ORDERS):
        try:
            found = _output(program, arguments, order, limit if order in BLOCK_ORDERS else None)
        except subprocess.TimeoutExpired:
            # The program's blocks wait for earlier ones, which CUDA's programs may do.
            return ()
        if found != expected:
            return (_finding(order, expected, found),)
    return ()


def _output(
    program: Path, arguments: Sequence[str], order: str, limit: float | None = None
) -> _Output:
    environment = {**os.environ, "SIMT_CHECK": "", "SIMT_SCHEDULE": order, "SIMT_NUM_THREADS": "1"}
    done = subprocess.run(
        [os.path.realpath(program), *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
        timeout=limit,
    )
    return _Output(done.returncode, done.stdout)


def _finding(order: str, expected: _Output, found: _Output) -> Finding:
    what = "blocks of a grid" if order in BLOCK_ORDERS else "threads of a block"
    text = f"the output depends on the order of the {what}"
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
