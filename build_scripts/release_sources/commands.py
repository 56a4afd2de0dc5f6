"""Runs git and apt without questions to the user. Error messages contain the programs' own messages."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from release_sources.errors import FetchError


def environment() -> dict[str, str]:
    """Environment variables for a command: English messages, no questions, no variables of a calling git."""
    # If a git hook runs this program, git has set GIT_DIR and similar variables for the hook's repository.
    local = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX")
    kept = {name: value for name, value in os.environ.items() if name not in local}
    mute = {"GIT_TERMINAL_PROMPT": "0", "GIT_SSH_COMMAND": "ssh -oBatchMode=yes"}
    return mute | kept | {"LC_ALL": "C"}


def execute(
    argv: Sequence[str],
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command and return its result, even if the command fails.

    Raises FetchError if the command is missing or exceeds its time limit.
    """
    try:
        return subprocess.run(
            argv,
            cwd=cwd,
            env=env or environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
        )
    except FileNotFoundError as error:
        raise FetchError(f"{argv[0]} is not on this machine") from error
    except subprocess.TimeoutExpired as error:
        raise FetchError(f"{' '.join(argv)}: no answer within {timeout} s") from error


def output(
    argv: Sequence[str],
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    timeout: float | None = None,
) -> str:
    """Standard output of a command. Raises FetchError if the command fails."""
    done = execute(argv, cwd, env, timeout)
    if done.returncode:
        raise failed(argv, done.returncode, done.stderr)
    return done.stdout


def failed(argv: Sequence[str], code: int, stderr: str) -> FetchError:
    """Create the FetchError for a command that failed with the exit code `code`."""
    return FetchError(f"{' '.join(argv)}: exit code {code}", last_words(stderr))


def last_words(stderr: str) -> str:
    """Lines of a program's stderr that state the reason for its failure."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    return "\n".join([line for line in lines if re.match(r"E:|fatal:|error:", line)] or lines[-3:])
