"""The device is made ready when it is first used, and never in a process forked after that."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Hashable

from . import _C
from ._build import DEVICE

_lock = threading.RLock()
"""Re-entrant: what waited may itself ask for something that waits."""
_thread = threading.local()
_initialized = False
_queued: dict[Hashable, tuple[Callable[[], object], traceback.StackSummary]] = {}
"""Calls that wait for the device, in order, each with its call stack."""


class DeferredCallError(Exception):
    """A call that waited for the device failed when the device was first used."""


def init() -> None:
    """Make the device ready now. Anything that uses it does so by itself."""
    _lazy_init()


def is_initialized() -> bool:
    """Has this process used the device? False in a child that was forked from one that has."""
    return _initialized and not _is_in_bad_fork()


def _is_in_bad_fork() -> bool:
    """Was this process forked after the device had been used? Then it cannot use it."""
    return _C.is_in_bad_fork()


def _lazy_call(call: Callable[[], object], key: Hashable = None) -> None:
    """Call now where the device is in use, else once it is; a later call of the same key replaces this one."""
    with _lock:
        if not _initialized:
            key = object() if key is None else key
            _queued.pop(key, None)
            _queued[key] = (call, _callers())
            return
    call()


def _lazy_init() -> None:
    """Make the device ready and do what waited for it; torch calls this before anything is put on the device.

    Raises RuntimeError in a forked child, or where there is no device.
    """
    if is_initialized() or getattr(_thread, "initializing", False):
        return
    if _is_in_bad_fork():
        raise RuntimeError(
            f"Cannot re-initialize {DEVICE.upper()} in forked subprocess. To use {DEVICE.upper()} with "
            "multiprocessing, you must use the 'spawn' start method"
        )
    with _lock:
        if not _initialized:
            _init_locked()


def _init_locked() -> None:
    global _initialized
    _C.init()
    # What waited may use the device itself, and comes back here.
    _thread.initializing = True
    try:
        while _queued:
            call, asked = _queued.pop(next(iter(_queued)))
            try:
                call()
            except Exception as error:
                raise DeferredCallError(
                    f"a call for device '{DEVICE}' that waited for its first use failed: {error}\n\n"
                    f"It was asked for here:\n{''.join(asked.format())}"
                ) from error
    finally:
        _thread.initializing = False
    _initialized = True


def _callers() -> traceback.StackSummary:
    """Who called the function that calls this one. Its source lines are read only when it is shown."""
    frames = traceback.walk_stack(sys._getframe(2))
    summary = traceback.StackSummary.extract(frames, limit=8, lookup_lines=False)
    summary.reverse()
    return summary
