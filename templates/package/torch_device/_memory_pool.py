"""Pools of memory that a program has of its own, as torch.cuda.MemPool."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from torch.types import Device

from . import _C
from ._build import DEVICE
from ._lazy import _lazy_init
from ._memory_history import _snapshot
from .devices import _get_device_index


class MemPool(_C.MemPool):
    """A pool of the caching allocator: what is allocated from it shares no segment with anything else.

    Its memory goes back to the device when neither the pool nor a tensor in it is left.
    """

    def __init__(self, allocator: object = None) -> None:
        if allocator is not None:
            raise NotImplementedError(f"the allocator of device '{DEVICE}' cannot be exchanged")
        _lazy_init()
        super().__init__()

    @property
    def allocator(self) -> None:
        """Always None: the pool is the caching allocator's."""
        return None

    def snapshot(self) -> list[dict[str, Any]]:
        """The segments of this pool, with their blocks."""
        with _active(self):
            segments: list[dict[str, Any]] = _snapshot()["segments"]
            return segments


class MemPoolContext(_C.MemPoolContext):
    """Makes a pool this thread's active one as long as the object lives: snapshots and `empty_cache` are about it."""


@contextlib.contextmanager
def use_mem_pool(pool: MemPool, device: Device = None) -> Iterator[None]:
    """Context manager within which all memory of a device, by default the current one, comes from a pool."""
    index = _get_device_index(device, optional=True)
    with _active(pool):
        _C.begin_allocate_to_pool(index, pool.id)
        try:
            yield
        finally:
            _C.end_allocate_to_pool(index, pool.id)
            _C.release_pool(index, pool.id)


@contextlib.contextmanager
def _active(pool: MemPool) -> Iterator[None]:
    context = MemPoolContext(pool)
    try:
        yield
    finally:
        del context
