"""Number of parallel compilers, limited by processors and memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

UNIT_BYTES = 1_700_000_000
"""Memory for one compiler, sufficient for the largest ordinary kernel (PyTorch 2.6.0, g++ 12 -O2)."""
HEAVY_BYTES = 2 * UNIT_BYTES
"""Memory for one compiler with a heavy source: ForeachBinaryOpList.cu takes 2.2 GB even at -O1."""


class Jobs(NamedTuple):
    """Numbers of parallel compilers."""

    all: int
    heavy: int
    """Largest number of compilers that may compile heavy sources at the same time; at most `all`."""


def jobs_for(cores: int, available: int) -> Jobs:
    """Jobs for `cores` processors and `available` bytes of memory; both numbers are at least 1."""
    together = max(1, min(cores, available // UNIT_BYTES))
    return Jobs(together, max(1, min(together, available // HEAVY_BYTES)))


def available_bytes() -> int:
    """Memory in bytes that is available without swapping on this machine or, if that is less, in this container."""
    available, limit = _machine_left(), _cgroup_left()
    return available if limit is None else min(available, limit)


def _machine_left() -> int:
    """Available memory of the machine in bytes; all of its memory if the kernel does not tell."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _cgroup_left() -> int | None:
    """Remaining memory of this process's control group (version 2), in bytes; None without a limit."""
    folder = Path("/sys/fs/cgroup")
    try:
        most = (folder / "memory.max").read_text(encoding="ascii").strip()
        used = (folder / "memory.current").read_text(encoding="ascii").strip()
        return None if most == "max" else max(0, int(most) - int(used))
    except (OSError, ValueError):
        return None
