"""Operators that ran on the CPU because the device has no kernel for them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from . import _C


def metrics() -> dict[str, int]:
    """Number of calls that ran on the CPU because the device has no kernel.

    The keys are operators (`aten::name.overload`), those with most calls first.
    """
    return dict(sorted(_C.fallback_counts().items(), key=lambda item: (-item[1], item[0])))


def reset_metrics() -> None:
    """Reset the counters of `metrics` to 0."""
    _C.reset_fallback_counts()


def fallback_allowed() -> bool:
    """Return True if operators without a kernel may run on the CPU.

    The initial value is True, or False if the environment variable `TORCH_<NAME>_NO_FALLBACK` is set.
    """
    return _C.fallback_allowed()


def set_fallback_allowed(allowed: bool) -> None:
    """Set the behaviour of operators without a kernel: run on the CPU (True), or raise NotImplementedError (False)."""
    _C.set_fallback_allowed(allowed)


@contextlib.contextmanager
def no_fallback() -> Iterator[None]:
    """Context manager in which operators without a kernel raise NotImplementedError."""
    before = fallback_allowed()
    set_fallback_allowed(False)
    try:
        yield
    finally:
        set_fallback_allowed(before)
