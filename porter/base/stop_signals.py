"""Signals that stop a command: Ctrl-C (SIGINT) and SIGTERM, each as a KeyboardInterrupt, and their deferral."""

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
    """Make SIGTERM raise Terminated in the main thread, once: later ones are ignored."""
    signal.signal(signal.SIGTERM, _terminate)


def end_children() -> None:
    """After SIGTERM: kill the processes that the command has started and that still run."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        process_tree.kill_children()


def _terminate(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # For `end_children`: a killed child may have children of its own, which this process adopts.
    process_tree.adopt_orphans()
    raise Terminated


@contextlib.contextmanager
def defer_stop_signals() -> Iterator[None]:
    """Defer SIGINT and SIGTERM until the block ends; the previous handlers then receive the signals.

    In other threads than the main thread the block runs unchanged: Python handles signals in the main thread only.
    Blocking the signals for the main thread has no effect: the system can deliver a signal to any other thread (for
    example one of a BLAS library), and Python's handler still runs in the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def remember(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    # A handler that was not installed by Python is None: Python could not restore it.
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
