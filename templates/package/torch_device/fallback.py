"""Operators that ran on the CPU because the device has no kernel for them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from . import _C


def metrics() -> dict[str, int]:
    """Calls that ran on the CPU for want of a kernel, by `aten::name.overload`, the most frequent first."""
    return dict(sorted(_C.fallback_counts().items(), key=lambda item: (-item[1], item[0])))


def reset_metrics() -> None:
    """Let `metrics` count from 0 again."""
    _C.reset_fallback_counts()


def fallback_allowed() -> bool:
    """May an op run on the CPU? Not where the environment variable `TORCH_<NAME>_NO_FALLBACK` was set at the start."""
    return _C.fallback_allowed()


def set_fallback_allowed(allowed: bool) -> None:
    """Let ops without a kernel run on the CPU, or raise NotImplementedError with their name."""
    _C.set_fallback_allowed(allowed)


@contextlib.contextmanager
def no_fallback() -> Iterator[None]:
    """A context within which an op without a kernel is an error."""
    before = fallback_allowed()
    set_fallback_allowed(False)
    try:
        yield
    finally:
        set_fallback_allowed(before)
