"""Standard streams whose errors never stop a command: closed streams are opened, failed writes dropped and reported.

A port takes minutes. It must not stop half way when the reader of its output exits (`porter run | head -1`).
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import sys
from typing import NamedTuple


class _Sink(io.FileIO):
    """Output to a file descriptor. The first failure is kept, and all later output is dropped."""

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
            # The descriptor is non-blocking: wait until the reader has made room.
            select.select([], [self.fileno()], [])
        return len(data)


class StandardStreams(NamedTuple):
    """The standard output and error of this process."""

    stdout: _Sink
    stderr: _Sink

    def finish(self) -> OSError | None:
        """Flush both streams. Returns the error that made stdout incomplete; None if there is none, or if the reader
        exited."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        failure = self.stdout.failure
        return None if isinstance(failure, BrokenPipeError) else failure


def install() -> StandardStreams:
    """Replace `sys.stdout` and `sys.stderr` by streams that never fail, and open /dev/null
    for each of the descriptors 0 to 2 that is closed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free descriptor is this one. Without this, the answer would be written into a file opened
            # later.
            os.open(os.devnull, os.O_RDWR)
    # For a stream that is closed at the start, Python sets None, contrary to its type annotations.
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
