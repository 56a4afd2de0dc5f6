"""Number of compilers that run at once, by processors and by memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

UNIT_BYTES = 1_700_000_000
"""Memory for one compiler: what the largest of ordinary kernels take (PyTorch 2.6.0, g++ 12 -O2)."""
HEAVY_BYTES = 2 * UNIT_BYTES
"""Memory for one compiler of a heavy source: ForeachBinaryOpList.cu takes 2.2 GB at -O1 already."""


class Jobs(NamedTuple):
    """Numbers of compilers that run at once."""

    all: int
    heavy: int
    """Largest number of compilers, out of `all`, with sources that need much memory."""


def jobs_for(cores: int, available: int) -> Jobs:
    """The jobs for a number of processors and of bytes of memory; always one at least."""
    together = max(1, min(cores, available // UNIT_BYTES))
    return Jobs(together, max(1, min(together, available // HEAVY_BYTES)))


def available_bytes() -> int:
    """Memory that can be had without swapping: of the machine, and of the container where it is limited."""
    limit = _cgroup_left()
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                available = int(line.split()[1]) * 1024
                return available if limit is None else min(available, limit)
    except (OSError, ValueError):
        pass
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _cgroup_left() -> int | None:
    """Memory that the control group (version 2) leaves to this process, in bytes; None without a limit."""
    folder = Path("/sys/fs/cgroup")
    try:
        most = (folder / "memory.max").read_text(encoding="ascii").strip()
        used = (folder / "memory.current").read_text(encoding="ascii").strip()
        return None if most == "max" else max(0, int(most) - int(used))
    except (OSError, ValueError):
        return None
