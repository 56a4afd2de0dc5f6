"""Driver of ninja, for builds of a port and of the runtime `simt`.

Progress goes to a callback, and failures are returned as data; nothing is printed.
"""

from __future__ import annotations

import contextlib
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import Interrupted
from porter.base.fs import cannot_write, refuse_links_out, waiting_lock
from porter.base.stop_signals import Terminated
from porter.toolchain import ccache
from porter.toolchain.discovery import plain

Progress = Callable[[int, int, str], None]
"""Callback with the number of finished steps, the number of all steps, and the last step."""

_MARK = "porter-step "
_STATUS = re.compile(rf"{_MARK}(\d+)/(\d+) (.*)")
_FAILED = re.compile(r"FAILED: (?:\[code=(\d+)\] )?(.*)")


class Failed(NamedTuple):
    """Failed command of a ninja run."""

    output: str
    """Output file of the command, as in the build graph."""
    command: str
    code: int
    """Exit status of the command. Always 1 with ninja before 1.13, which does not report the status."""
    said: str
    """Output of the command."""


class NinjaOutcome(NamedTuple):
    """Result of a run of ninja."""

    code: int
    """Exit status of ninja: 0 when all targets are up to date."""
    done: int
    """Number of commands that succeeded."""
    failed: tuple[Failed, ...]
    said: str
    """Messages of ninja itself, for example `no work to do` or an error in the build file."""


def ninja_command(folder: Path, *arguments: str) -> list[str]:
    """Command that runs ninja in a folder."""
    import ninja

    return [str(Path(ninja.BIN_DIR) / "ninja"), "-C", str(folder), *arguments]


def run_ninja(
    folder: Path,
    targets: Sequence[str] = (),
    *,
    jobs: int | None = None,
    keep_going: bool = False,
    progress: Progress | None = None,
) -> NinjaOutcome:
    """Bring targets of `build.ninja` in `folder` up to date; without `targets`, the default targets.

    After a failed command, ninja starts no new command unless `keep_going` is True. Raises Interrupted on Ctrl-C;
    finished files are kept.
    """
    command = ninja_command(folder, *targets)
    command += ["-j", str(jobs)] if jobs is not None else []
    command += ["-k", "0"] if keep_going else []
    environment = {**plain(), **ccache.environment(folder), "NINJA_STATUS": f"{_MARK}%f/%t "}
    reader = _Reader(progress or (lambda done, total, what: None))
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                reader.take(line.rstrip("\n"))
        except KeyboardInterrupt as stop:
            # Ctrl-C reaches ninja too, but SIGTERM does not. ninja stops its compilers and removes unfinished files.
            if isinstance(stop, Terminated):
                process.terminate()
            process.wait()
            raise Interrupted("stopped; finished files are kept") from None
    return reader.outcome(process.returncode)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Context that locks a build folder, so that only one build at a time writes its ninja log. Waits for the lock.

    Creates the folder if it is missing. Raises SourceError when the folder cannot be created, or when a symbolic link
    in the folder points outside the folder.
    """
    with contextlib.ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(waiting_lock(folder / ".lock"))
        except OSError as error:
            raise cannot_write(error, folder) from None
        refuse_links_out(folder)
        yield


class _Reader:
    """Parser of ninja's output lines: finished steps, output of failed steps, and messages of ninja itself."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.done = 0
        self.own: list[str] = []
        self.failures: list[list[str]] = []
        self.into = self.own
        """List that receives the next lines of output."""

    def take(self, line: str) -> None:
        if step := _STATUS.fullmatch(line):
            self.done += 1
            self.into = []
            self.progress(int(step[1]), int(step[2]), step[3])
        elif line.startswith("FAILED: "):
            self.into = [line]
            self.failures.append(self.into)
        elif line.startswith("ninja: "):
            self.into = self.own
            self.own.append(line)
        else:
            self.into.append(line)

    def outcome(self, code: int) -> NinjaOutcome:
        failed = tuple(_failed(lines) for lines in self.failures)
        return NinjaOutcome(code, self.done - len(failed), failed, "\n".join(self.own))


def _failed(lines: list[str]) -> Failed:
    head = _FAILED.match(lines[0])
    assert head is not None
    command = lines[1] if len(lines) > 1 else ""
    return Failed(head[2].strip(), command, int(head[1] or 1), "\n".join(lines[2:]).rstrip())
