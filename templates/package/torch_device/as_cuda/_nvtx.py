"""Functions of `torch.cuda.nvtx`. Their ranges are ranges of `torch.profiler`, and appear in its traces."""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Iterator
from typing import Any

from torch.autograd.profiler import record_function

_thread = threading.local()
_started: dict[int, record_function] = {}
_numbers = itertools.count(1)


def _stack() -> list[record_function]:
    """Open ranges of this thread."""
    stack: list[record_function] | None = getattr(_thread, "stack", None)
    if stack is None:
        stack = _thread.stack = []
    return stack


def _open(message: object) -> record_function:
    opened = record_function(str(message))
    opened.__enter__()
    return opened


def _close(opened: record_function) -> None:
    opened.__exit__(None, None, None)


def range_push(msg: object) -> int:
    """Open a range inside this thread's open ranges. Returns the number of ranges around it."""
    stack = _stack()
    stack.append(_open(msg))
    return len(stack) - 1


def range_pop() -> int:
    """Close this thread's range that was opened last. Returns the number of ranges around it, or -2 without a range."""
    stack = _stack()
    if not stack:
        return -2
    _close(stack.pop())
    return len(stack)


def range_start(msg: object) -> int:
    """Open a range that any thread may close. Returns the range's number, for `range_end`."""
    number = next(_numbers)
    _started[number] = _open(msg)
    return number


def range_end(range_id: int) -> None:
    """Close a range of `range_start`. An unknown number has no effect."""
    opened = _started.pop(range_id, None)
    if opened is not None:
        _close(opened)


def mark(msg: object) -> None:
    """Record a range without duration."""
    _close(_open(msg))


@contextlib.contextmanager
def range(msg: str, *args: Any, **kwargs: Any) -> Iterator[None]:
    """Context manager for a range; the name is `msg.format(*args, **kwargs)`."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
