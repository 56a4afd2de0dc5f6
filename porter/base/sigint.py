"""Ctrl-C at a moment that can bear it."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait for the time of the block: what it does, it does at its end.

    Only the main thread of Python handles signals, so that there is nothing to do in others. Blocking the signal for
    the thread would not do: the system hands it to any thread of the process, such as those of a BLAS, and Python's
    handler runs in the main thread all the same.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if signal.getsignal(signal.SIGINT) is None:
        # Not set by Python, which could not put it back.
        yield
        return
    came = False

    def remember(_number: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)
