"""Signals that stop a command: Ctrl-C (SIGINT) and SIGTERM. Each raises a KeyboardInterrupt and can be deferred."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from porter.base import process_tree


class Terminated(KeyboardInterrupt):
    """Raised on SIGTERM. Unlike Ctrl-C in a terminal, SIGTERM reaches only porter, not its child processes."""


def install() -> None:
    """Make the first SIGTERM raise Terminated in the main thread. Later SIGTERM signals are ignored."""
    signal.signal(signal.SIGTERM, _terminate)


def end_children() -> None:
    """Kill all descendants of this process if SIGTERM arrived; otherwise do nothing."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        process_tree.kill_children()


def _terminate(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # A child may end before its own children. This process adopts them, so that `end_children` can kill them.
    process_tree.adopt_orphans()
    raise Terminated


@contextlib.contextmanager
def defer_stop_signals() -> Iterator[None]:
    """Defer SIGINT and SIGTERM until the `with` block ends. The first deferred signal is then raised again.

    In a thread other than the main thread, no signal is deferred: Python handles signals in the main thread only.
    Blocking the signals for the main thread (pthread_sigmask) would not suffice: the system can deliver a signal to
    another thread, for example a thread of a BLAS library, and Python's handler still runs in the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def remember(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    # For a handler that was not installed by Python, getsignal returns None. Python could not restore such a handler.
    numbers = [
        number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is not None
    ]
    before = [(number, signal.signal(number, remember)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])
