"""Memory pools that a program creates, like torch.cuda.MemPool."""

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
    """Pool of the caching allocator. Its allocations share no segment with allocations outside the pool.

    The memory is returned to the device when the pool and all its tensors are deleted.
    """

    def __init__(self, allocator: object = None) -> None:
        if allocator is not None:
            raise NotImplementedError(f"the allocator of device '{DEVICE}' cannot be exchanged")
        _lazy_init()
        super().__init__()

    @property
    def allocator(self) -> None:
        """Always None: all pools use the caching allocator."""
        return None

    def snapshot(self) -> list[dict[str, Any]]:
        """Segments of this pool, with their blocks."""
        with _active(self):
            segments: list[dict[str, Any]] = _snapshot()["segments"]
            return segments


class MemPoolContext(_C.MemPoolContext):
    """Makes a pool active in this thread while the object exists.

    During this time, snapshots and `empty_cache` concern only this pool.
    """


@contextlib.contextmanager
def use_mem_pool(pool: MemPool, device: Device = None) -> Iterator[None]:
    """Context manager in which all memory of a device (default: the current one) is allocated from a pool."""
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
