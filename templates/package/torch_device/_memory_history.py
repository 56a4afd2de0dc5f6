"""History of the caching allocator, in the format that torch.cuda.memory's tools read."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

from torch.types import Device

from . import _C
from ._lazy import _lazy_init

_SETTINGS = {
    "last_allocator_settings": "PYTORCH_CUDA_ALLOC_CONF",
    "release_lock_on_malloc": "release_lock_on_cudamalloc",
    "pinned_use_host_register": "pinned_use_cuda_host_register",
}
"""Names of settings in snapshots of torch.cuda.memory; the names are the same for all devices."""


def _record_memory_history(
    enabled: str | None = "all",
    context: str | None = "all",
    stacks: str = "all",
    max_entries: int = sys.maxsize,
    device: Device = None,
) -> None:
    """Record the allocator's actions with their call stacks, for `_snapshot`.

    Args:
        enabled: `all` records a history, `state` only the present allocations; None stops recording.
        context: events whose call stacks are recorded: `state` (live blocks), `alloc` (allocations), `all`, or None.
        stacks: `python`, or `all` to include C++ frames.
        max_entries: largest number of actions in the history.
        device: accepted for compatibility with torch.cuda; all devices are recorded.
    """
    _lazy_init()
    _C.record_memory_history(enabled, context, stacks, max_entries)


def _snapshot(device: Device = None) -> dict[str, Any]:
    """Segments, history and settings of the allocator, in the format of torch.cuda.memory's `_snapshot`.

    torch.cuda._memory_viz and https://pytorch.org/memory_viz read this format.
    """
    _lazy_init()
    snapshot = _C.memory_snapshot()
    settings = snapshot["allocator_settings"]
    snapshot["allocator_settings"] = {_SETTINGS.get(key, key): settings[key] for key in settings}
    return snapshot


def _dump_snapshot(filename: str = "dump_snapshot.pickle") -> None:
    """Write `_snapshot` to a file, pickled."""
    with Path(filename).open("wb") as file:
        pickle.dump(_snapshot(), file)


def _set_allocator_settings(settings: str) -> None:
    """Change settings of the allocator. The syntax is that of the environment variable PYTORCH_CUDA_ALLOC_CONF."""
    _C.set_allocator_settings(settings)
