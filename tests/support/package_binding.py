"""Replacement for the C++ module `_C` in tests of the Python package: the functions of backend/csrc/python/README.md,
for two devices.

The tests copy this file into the package as `_C.py`.
"""

from __future__ import annotations

from typing import Any

import torch

DEVICES = 2
calls: list[tuple[Any, ...]] = []
"""Calls of the binding that tests check, in order: name of the call, and its arguments."""
state: dict[str, Any] = {
    "current": 0,
    "forked": False,
    "mode": 0,
    "counts": {},
    "allowed": True,
    "streams": {},
    "fraction": 1.0,
}
_generators = tuple(torch.Generator() for _ in range(DEVICES))
_PRIVATE_USE_1 = 20
"""Value of `DeviceType::PrivateUse1` (c10/core/DeviceType.h)."""


class DeviceProperties:
    name = "in memory"
    major = 7
    minor = 0
    total_memory = 1 << 30


class Graph:
    def capture_begin(self, pool: Any = None, capture_error_mode: str = "global") -> None:
        calls.append(("capture_begin", pool, capture_error_mode, state["streams"].get(0)))

    def capture_end(self) -> None:
        calls.append(("capture_end",))


class MemPool:
    id = (1, 0)

    def use_count(self) -> int:
        return 1


class MemPoolContext:
    def __init__(self, pool: MemPool) -> None:
        self.before = state.get("pool")
        state["pool"] = pool

    def __del__(self) -> None:
        state["pool"] = self.before

    @staticmethod
    def active_pool() -> MemPool | None:
        return state.get("pool")


def begin_allocate_to_pool(index: int, pool: tuple[int, int]) -> None:
    calls.append(("begin_pool", index, pool))


def end_allocate_to_pool(index: int, pool: tuple[int, int]) -> None:
    calls.append(("end_pool", index, pool))


def release_pool(index: int, pool: tuple[int, int]) -> None:
    calls.append(("release_pool", index, pool))


def init() -> None:
    calls.append(("init",))


def is_in_bad_fork() -> bool:
    return bool(state["forked"])


def device_count() -> int:
    return DEVICES


def current_device() -> int:
    return int(state["current"])


def set_device(index: int) -> None:
    state["current"] = index


def exchange_device(index: int) -> int:
    before, state["current"] = state["current"], index
    return int(before)


maybe_exchange_device = exchange_device


def prepare_profiler(host_only: bool) -> None:
    calls.append(("prepare_profiler", host_only))


def synchronize() -> None:
    calls.append(("synchronize", state["current"]))


def can_device_access_peer(index: int, peer: int) -> bool:
    return index != peer


def get_device_properties(index: int) -> DeviceProperties:
    return DeviceProperties()


def mem_get_info(index: int) -> tuple[int, int]:
    return 1 << 29, 1 << 30


def set_sync_debug_mode(mode: int) -> None:
    state["mode"] = mode


def get_sync_debug_mode() -> int:
    return int(state["mode"])


def memory_stats(index: int) -> dict[str, Any]:
    figures = {"current": 3 << 20, "peak": 5 << 20, "allocated": 9 << 20, "freed": 6 << 20}
    return {"num_ooms": 1, "allocated_bytes": {"all": figures}, "allocation": {"all": figures}}


def reset_peak_memory_stats(index: int) -> None:
    calls.append(("reset_peak", index))


def reset_accumulated_memory_stats(index: int) -> None:
    calls.append(("reset_accumulated", index))


def empty_cache() -> None:
    calls.append(("empty_cache",))


def set_memory_fraction(fraction: float, index: int) -> None:
    state["fraction"] = fraction


def get_memory_fraction(index: int) -> float:
    return float(state["fraction"])


def current_stream(index: int) -> tuple[int, int, int]:
    return state["streams"].get(index, 0), index, _PRIVATE_USE_1


def default_stream(index: int) -> tuple[int, int, int]:
    return 0, index, _PRIVATE_USE_1


def set_stream(stream_id: int, device_index: int, device_type: int) -> None:
    assert device_type == _PRIVATE_USE_1
    state["streams"][device_index] = stream_id
    state["current"] = device_index


def stream_from_pool(priority: int, index: int) -> tuple[int, int, int]:
    return 8 - priority, index, _PRIVATE_USE_1


def stream_handle(stream_id: int, device_index: int, device_type: int) -> int:
    return 0x1000 + stream_id


def stream_priority(stream_id: int, device_index: int, device_type: int) -> int:
    return 8 - stream_id


def default_generators() -> tuple[torch.Generator, ...]:
    return _generators


def manual_seed(seed: int, index: int) -> None:
    _generators[index].manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    calls.append(("manual_seed_all", seed))
    for generator in _generators:
        generator.manual_seed(seed)


def fallback_counts() -> dict[str, int]:
    return dict(state["counts"])


def reset_fallback_counts() -> None:
    state["counts"].clear()


def fallback_allowed() -> bool:
    return bool(state["allowed"])


def set_fallback_allowed(allowed: bool) -> None:
    state["allowed"] = allowed
