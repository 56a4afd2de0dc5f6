"""What the command does whatever it is asked: pipes that close, exit codes of a process."""

from __future__ import annotations

import subprocess
import sys

import pytest


def run(arguments: str, *, read: int | None) -> tuple[int, str]:
    """Exit code and stderr of `porter`, whose output is read up to so many bytes and then no more."""
    command = [sys.executable, "-m", "porter", *arguments.split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        if read is not None:
            process.stdout.read(read)
            process.stdout.close()
        else:
            process.stdout.read()
        stderr = process.stderr.read().decode()
    return process.returncode, stderr


@pytest.mark.parametrize("read", [0, 1])
@pytest.mark.parametrize(
    "arguments",
    ["--help", "--version", "run --help", "mapping show --target simt", "target list", "mapping"],
)
def test_a_reader_that_goes_is_no_failure(arguments: str, read: int) -> None:
    code, stderr = run(arguments, read=read)

    assert "Traceback" not in stderr and "BrokenPipe" not in stderr
    # Without a subcommand the help is an answer to a mistake, and goes to stderr.
    assert code == (2 if arguments == "mapping" else 0)


def test_a_mistake_is_told_and_is_the_exit_code() -> None:
    code, stderr = run("nope", read=None)

    assert code == 2
    assert stderr.startswith("error: No such command")
