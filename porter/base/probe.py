"""Run short commands of other programs (compilers, interpreters) with limits on time and output."""

from __future__ import annotations

import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_TIMEOUT = 50.0
"""Time limit of a program in seconds; an interpreter on a network disk starts slowly."""
_MAX_OUTPUT = 1 << 20
"""Largest output in bytes; the list of a compiler's macros has 15 kB."""


class ProgramOutput(NamedTuple):
    """Exit status and output of a program."""

    code: int
    """Exit status."""
    stdout: str
    stderr: str

    @property
    def complaint(self) -> str:
        """Reason of a failure: the last line of stderr, or the exit code if stderr is empty."""
        lines = self.stderr.strip().splitlines()
        return lines[-1] if lines else f"exit {self.code}"


def ask(command: Sequence[str], environment: Mapping[str, str] | None = None) -> ProgramOutput:
    """Run a program and return its output.

    Raises OSError when the program does not start, runs for more than 50 s or writes more than 1 MiB.
    """
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
            output = _read(process)
            code = process.wait(_TIMEOUT)
        except (TimeoutError, subprocess.TimeoutExpired):
            raise TimeoutError(0, f"no answer within {_TIMEOUT:g} s") from None
        finally:
            process.kill()
    return ProgramOutput(code, *output)


def _read(process: subprocess.Popen[bytes]) -> tuple[str, str]:
    assert process.stdout and process.stderr
    output = {process.stdout: b"", process.stderr: b""}
    until = time.monotonic() + _TIMEOUT
    with selectors.DefaultSelector() as selector:
        for pipe in output:
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
                output[pipe] += data
                if len(output[pipe]) > _MAX_OUTPUT:
                    raise OSError(0, f"output of more than {_MAX_OUTPUT} bytes")
    stdout, stderr = (text.decode("utf-8", "replace") for text in output.values())
    return stdout, stderr
