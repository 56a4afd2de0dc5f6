"""Memory of the device: use, state of the caching allocator, and limits. Sizes are in bytes."""

from __future__ import annotations

from typing import Any

from torch.types import Device

from . import _C
from ._build import DEVICE
from ._lazy import _lazy_init, is_initialized
from ._memory_history import _dump_snapshot as _dump_snapshot
from ._memory_history import _record_memory_history as _record_memory_history
from ._memory_history import _set_allocator_settings as _set_allocator_settings
from ._memory_history import _snapshot as _snapshot
from ._memory_pool import MemPool as MemPool
from ._memory_pool import MemPoolContext as MemPoolContext
from ._memory_pool import use_mem_pool as use_mem_pool
from ._release import OutOfMemoryError as OutOfMemoryError
from .devices import _get_device_index
from .devices import device as _guard
from .streams import Stream, _handle, current_stream

_ROWS = (
    ("allocated memory", "allocated_bytes"),
    ("active memory", "active_bytes"),
    ("requested memory", "requested_bytes"),
    ("reserved memory", "reserved_bytes"),
    ("not releasable memory", "inactive_split_bytes"),
    ("allocations", "allocation"),
    ("active allocations", "active"),
    ("reserved segments", "segment"),
    ("not releasable allocations", "inactive_split"),
)
_COLUMNS = ("current", "peak", "allocated", "freed")
_POOLS = (("all", ""), ("large_pool", "of large blocks"), ("small_pool", "of small blocks"))


def memory_stats(device: Device = None) -> dict[str, Any]:
    """All counters of the allocator, by names such as `allocated_bytes.all.peak`.

    The dict is empty before the first use of the device.
    """
    flat: dict[str, Any] = {}
    _flatten("", memory_stats_as_nested_dict(device), flat)
    return dict(sorted(flat.items()))


def memory_stats_as_nested_dict(device: Device = None) -> dict[str, Any]:
    """Counters of `memory_stats` as nested dicts: counter, pool (`all`, `large_pool`, `small_pool`), figure."""
    if not is_initialized():
        return {}
    return _C.memory_stats(_get_device_index(device, optional=True))


def memory_allocated(device: Device = None) -> int:
    """Bytes that tensors occupy at present."""
    return _figure(device, "allocated_bytes", "current")


def max_memory_allocated(device: Device = None) -> int:
    """Largest number of bytes that tensors occupied at once since the start or `reset_peak_memory_stats`."""
    return _figure(device, "allocated_bytes", "peak")


def memory_reserved(device: Device = None) -> int:
    """Bytes that the allocator holds on the device, in use or cached."""
    return _figure(device, "reserved_bytes", "current")


def max_memory_reserved(device: Device = None) -> int:
    """Largest number of bytes that the allocator held at once since the start or `reset_peak_memory_stats`."""
    return _figure(device, "reserved_bytes", "peak")


def reset_peak_memory_stats(device: Device = None) -> None:
    """Reset the peaks to the present values."""
    _lazy_init()
    _C.reset_peak_memory_stats(_get_device_index(device, optional=True))


def reset_accumulated_memory_stats(device: Device = None) -> None:
    """Reset the accumulated counters (`allocated`, `freed`, retries, failures) to 0."""
    _lazy_init()
    _C.reset_accumulated_memory_stats(_get_device_index(device, optional=True))


def empty_cache() -> None:
    """Return unused memory of the allocator to the device."""
    if is_initialized():
        _C.empty_cache()


def host_empty_cache() -> None:
    """Free unused page-locked memory of the host."""
    if is_initialized():
        _C.host_empty_cache()


def mem_get_info(device: Device = None) -> tuple[int, int]:
    """(free, total) memory of a device in bytes, as its runtime reports it."""
    _lazy_init()
    return _C.mem_get_info(_get_device_index(device, optional=True))


def set_per_process_memory_fraction(fraction: float, device: Device = None) -> None:
    """Limit this process to a fraction (0 to 1) of a device's memory.

    Allocations above the limit raise OutOfMemoryError.
    """
    if not isinstance(fraction, float):
        raise TypeError(
            f"Invalid type of fraction: a float is required, not {type(fraction).__name__}"
        )
    if not 0 <= fraction <= 1:
        raise ValueError(f"Invalid fraction value {fraction}: it must be from 0 to 1")
    _lazy_init()
    _C.set_memory_fraction(fraction, _get_device_index(device, optional=True))


def get_per_process_memory_fraction(device: Device = None) -> float:
    """Fraction of a device's memory that this process may use."""
    _lazy_init()
    return _C.get_memory_fraction(_get_device_index(device, optional=True))


def caching_allocator_alloc(
    size: int, device: Device = None, stream: int | Stream | None = None
) -> int:
    """Allocate memory for another library and return its address; free it with `caching_allocator_delete`.

    `stream`: a Stream, or the vendor's handle of a stream; by default the current stream. Raises
    torch.OutOfMemoryError.
    """
    _lazy_init()
    index = _get_device_index(device, optional=True)
    if stream is None:
        stream = current_stream(index)
    handle = _handle(stream) if isinstance(stream, Stream) else stream
    with _guard(index):
        return _C.caching_allocator_alloc(size, handle)


def caching_allocator_delete(mem_ptr: int) -> None:
    """Free memory allocated by `caching_allocator_alloc`."""
    _C.caching_allocator_delete(mem_ptr)


def caching_allocator_enable(value: bool = True) -> None:
    """Enable caching of freed memory; without caching, each block is returned to the device immediately."""
    _lazy_init()
    _C.caching_allocator_enable(value)


def get_allocator_backend() -> str:
    """Kind of allocator: `native`."""
    return _C.allocator_backend()


def memory_snapshot() -> list[dict[str, Any]]:
    """All segments of the allocator, with their blocks."""
    segments: list[dict[str, Any]] = _snapshot()["segments"]
    return segments


def memory_summary(device: Device = None, abbreviated: bool = False) -> str:
    """Table of the allocator's counters as text; `abbreviated` omits the large and small pools."""
    stats = memory_stats_as_nested_dict(device)
    index = _get_device_index(device, optional=True)
    retries, failures = (stats.get(key, 0) for key in ("num_alloc_retries", "num_ooms"))
    title = f"memory of {DEVICE}:{index}; out of memory: {failures}, retries: {retries}"
    head = ("", "now", "peak", "in all", "freed")
    lines = [title, "", _line(head), "-" * len(_line(head))]
    for label, key in _ROWS:
        for pool, suffix in _POOLS[:1] if abbreviated else _POOLS:
            figures = stats.get(key, {}).get(pool, {})
            shown = (_shown(figures.get(column, 0), key) for column in _COLUMNS)
            lines.append(_line((f"  {suffix}" if suffix else label, *shown)))
    return "\n".join(lines) + "\n"


def _figure(device: Device, counter: str, figure: str) -> int:
    found: int = memory_stats_as_nested_dict(device).get(counter, {}).get("all", {}).get(figure, 0)
    return found


def _flatten(prefix: str, value: object, into: dict[str, Any]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _flatten(f"{prefix}.{key}" if prefix else key, inner, into)
    else:
        into[prefix] = value


def _line(cells: tuple[str, ...]) -> str:
    return f"{cells[0]:28}" + "".join(f"{cell:>14}" for cell in cells[1:])


def _shown(figure: int, key: str) -> str:
    if not key.endswith("_bytes"):
        return str(figure)
    unit = 0
    size = float(figure)
    while size >= 1024 and unit < 4:
        size, unit = size / 1024, unit + 1
    return f"{size:.0f} B" if unit == 0 else f"{size:.1f} {' KMGT'[unit]}iB"
