"""Initialisation of the device at its first use. In a process that is forked later, the device is never initialised."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Hashable

from . import _C
from ._build import DEVICE

_lock = threading.RLock()
"""The lock is re-entrant, because a deferred call may itself defer a call."""
_thread = threading.local()
_initialized = False
_queued: dict[Hashable, tuple[Callable[[], object], traceback.StackSummary]] = {}
"""Calls that wait for the initialisation of the device, in order, each with its call stack. The key identifies the
call."""


class DeferredCallError(Exception):
    """Exception for a deferred call that failed when the device was initialised."""


def init() -> None:
    """Initialise the device now. Any use of the device does so automatically."""
    _lazy_init()


def is_initialized() -> bool:
    """Return True if this process has initialised the device. In a child that was forked later, the result is False."""
    return _initialized and not _is_in_bad_fork()


def _is_in_bad_fork() -> bool:
    """Return True if this process was forked after the device was initialised, so that it cannot use the device."""
    return _C.is_in_bad_fork()


def _lazy_call(call: Callable[[], object], key: Hashable = None) -> None:
    """Run a call now if the device is initialised, or else at its initialisation.

    A later call with the same key replaces the earlier one. In a forked child, which cannot use the device, the call
    never runs: a worker of a DataLoader may seed all devices.
    """
    with _lock:
        if not is_initialized():
            key = object() if key is None else key
            _queued.pop(key, None)
            _queued[key] = (call, _callers())
            return
    call()


def _lazy_init() -> None:
    """Initialise the device and run deferred calls. torch calls this function before it creates a tensor on the device.

    Raises RuntimeError in a forked child, and if there is no device.
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
    # Deferred calls may use the device themselves and then call this function again.
    _thread.initializing = True
    try:
        while _queued:
            call, asked = _queued.pop(next(iter(_queued)))
            try:
                call()
            except Exception as error:
                raise DeferredCallError(
                    f"a call for device '{DEVICE}' that was deferred until the device's first use failed: {error}\n\n"
                    f"The call was made here:\n{''.join(asked.format())}"
                ) from error
    finally:
        _thread.initializing = False
    _initialized = True


def _callers() -> traceback.StackSummary:
    """Call stack of the caller's caller. Source lines are read only when the stack is printed."""
    frames = traceback.walk_stack(sys._getframe(2))
    summary = traceback.StackSummary.extract(frames, limit=8, lookup_lines=False)
    summary.reverse()
    return summary
