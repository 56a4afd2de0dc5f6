"""Deferral of Ctrl-C (SIGINT) during code that must not be interrupted."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def defer_sigint() -> Iterator[None]:
    """Defer SIGINT until the block ends; the previous handler then receives the signal.

    In other threads than the main thread the block runs unchanged: Python handles signals in the main thread only.
    Blocking the signal for the main thread has no effect: the system can deliver the signal to any other thread (for
    example one of a BLAS library), and Python's handler still runs in the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if signal.getsignal(signal.SIGINT) is None:
        # A handler that was not installed by Python: Python could not restore it.
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
