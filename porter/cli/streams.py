"""Standard streams whose errors never stop a command.

A port takes minutes. It must not stop half way when the reader of its output exits (`porter run | head -1`). Therefore,
a closed stream is opened on /dev/null, and all output after a failed write is dropped; `StandardStreams.finish` returns
the error.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import sys
from typing import NamedTuple


class _Sink(io.FileIO):
    """Output to a file descriptor. After a write fails, `failure` is its error, and all later output is dropped."""

    failure: OSError | None = None

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        while self.failure is None:
            try:
                written = super().write(data)
            except OSError as error:
                self.failure = error
                break
            if written is not None:
                return written
            # The descriptor is non-blocking, and its buffer is full: wait until the reader has taken data.
            select.select([], [self.fileno()], [])
        return len(data)


class StandardStreams(NamedTuple):
    """The standard output and error of this process."""

    stdout: _Sink
    stderr: _Sink

    def finish(self) -> OSError | None:
        """Flush both streams. Returns the error that made stdout incomplete.

        Returns None if stdout is complete or if the reader of stdout exited.
        """
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        failure = self.stdout.failure
        return None if isinstance(failure, BrokenPipeError) else failure


def install() -> StandardStreams:
    """Replace `sys.stdout` and `sys.stderr` by streams that never fail.

    If one of the descriptors 0 to 2 is closed, it is opened on /dev/null. Returns the new streams.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # os.open returns the lowest free descriptor, which is `number`. Otherwise, a file that is opened later
            # would get this descriptor, and porter's output would be written into that file.
            os.open(os.devnull, os.O_RDWR)
    # If stdin is closed at the start, Python sets sys.stdin to None, contrary to its type annotation.
    stdin: io.TextIOWrapper | None = sys.stdin  # type: ignore[assignment]
    if stdin is None:
        sys.stdin = open(0, closefd=False, encoding="utf-8")  # noqa: SIM115
    else:
        stdin.reconfigure(errors="backslashreplace")
    stdout, stderr = (_Sink(number, "w", closefd=False) for number in (1, 2))
    sys.stdout = _text(stdout, sys.stdout, "replace")
    sys.stderr = _text(stderr, sys.stderr, "backslashreplace")
    return StandardStreams(stdout, stderr)


def _text(sink: _Sink, before: object, errors: str) -> io.TextIOWrapper:
    encoding, lines = "utf-8", True
    if isinstance(before, io.TextIOWrapper):
        encoding, lines = before.encoding, before.line_buffering
    buffer: io.BufferedWriter = io.BufferedWriter(sink)  # type: ignore[arg-type]
    return io.TextIOWrapper(buffer, encoding, errors, line_buffering=lines)
