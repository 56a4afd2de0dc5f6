"""Asks other programs what they are, and gives up on one that says too much or nothing."""

from __future__ import annotations

import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_PATIENCE = 50.0
"""Seconds for an answer: an interpreter on a network's disk takes its time."""
_MOST = 1 << 20
"""Bytes of an answer; the macros of a compiler are 15 kB."""


class ProgramOutput(NamedTuple):
    """Output of a program."""

    code: int
    stdout: str
    stderr: str

    @property
    def complaint(self) -> str:
        """Reason of a failure: the last line of output, or the exit code."""
        lines = self.stderr.strip().splitlines()
        return lines[-1] if lines else f"exit {self.code}"


def ask(command: Sequence[str], environment: Mapping[str, str] | None = None) -> ProgramOutput:
    """Run a program to its end. Raises OSError when it does not start, goes on for ever or says too much."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
    except ValueError as error:  # a NUL character in an argument
        raise OSError(0, str(error)) from None
    with process:
        try:
            said = _read(process)
            code = process.wait(_PATIENCE)
        except (TimeoutError, subprocess.TimeoutExpired):
            raise TimeoutError(0, f"it gives no answer in {_PATIENCE:g} s") from None
        finally:
            process.kill()
    return ProgramOutput(code, *said)


def _read(process: subprocess.Popen[bytes]) -> tuple[str, str]:
    assert process.stdout and process.stderr
    said = {process.stdout: b"", process.stderr: b""}
    until = time.monotonic() + _PATIENCE
    with selectors.DefaultSelector() as selector:
        for pipe in said:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                pipe = process.stdout if key.fileobj is process.stdout else process.stderr
                data = pipe.read1(1 << 16)  # type: ignore[attr-defined]  # a BufferedReader
                if not data:
                    selector.unregister(pipe)
                said[pipe] += data
                if len(said[pipe]) > _MOST:
                    raise OSError(0, f"it says more than {_MOST} bytes")
    stdout, stderr = (text.decode("utf-8", "replace") for text in said.values())
    return stdout, stderr
