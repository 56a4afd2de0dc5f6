"""Runs cases, each in a separate folder and a separate process, forked from a process that has loaded porter."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import re
import resource
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, NoReturn

from badinput import leftovers
from badinput.case import FINDINGS, INTERRUPTED, OK, Case, prepare

LIMIT = 60.0
"""Time limit of a command, in seconds."""
_MEMORY = 8 << 30
"""Limit on the address space of a command, in bytes. Without it, an endless file could exhaust the machine's memory."""
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
_FIRST = ("error: ", "warning: ", "note: ", "fetching PyTorch ", "waiting for another fetch")
"""Permitted beginnings of the first line on stderr: messages, and the progress of a fetch."""
_MODULES = (
    *("run", "verify", "device_tests", "port", "op", "scan", "explain", "diff", "report"),
    *("mapping", "target", "release", "regenerate", "simt", "doctor"),
    *("abi", "overlay", "prove", "upgrade", "check"),
)


class Outcome(NamedTuple):
    """Result of a case."""

    case: Case
    code: int | None
    """Exit code; None if the command exceeded the time limit."""
    seconds: float
    wrong: tuple[str, ...]
    """Faults of the command: wrong exit code, traceback and others; empty if the case passes."""
    said: str
    """Text on stderr."""


class _Running(NamedTuple):
    case: Case
    folder: Path
    before: Mapping[str, leftovers.FileState]
    begun: float
    signalled: list[bool]


def preload() -> None:
    """Import the modules that commands import only when needed, so that the forked processes share them."""
    for name in _MODULES:
        importlib.import_module(f"porter.cli.{name}")
    for name in (
        "mapping.load",
        "mapping.compile",
        "mapping.check",
        "mapping.inventory",
        "port.file",
        "report.cuda_project_report",
        "report.diff",
        "report.report_query",
        "custom_ops.build",
        "custom_ops.new_project",
        "pipeline.stages",
        "verify.operators",
        "verify.device_tests",
        "simt.build",
    ):
        importlib.import_module(f"porter.{name}")
    gc.freeze()


def run(
    cases: Iterable[Case], world: Path, scratch: Path, cache: Path, jobs: int
) -> Iterator[Outcome]:
    """Run cases, `jobs` of them in parallel. Yields the outcomes in order of completion."""
    running: dict[int, _Running] = {}
    waiting = iter(enumerate(cases))
    more = True
    while more or running:
        while more and len(running) < jobs:
            number, case = next(waiting, (0, None))
            if case is None:
                more = False
                break
            folder = scratch / str(number)
            home = folder / "home"
            shutil.copytree(world, home, symlinks=True)
            prepare(home, case.files)
            (folder / "tmp").mkdir()
            before = leftovers.files(home)
            pid = _begin(case, home, folder, cache)
            running[pid] = _Running(case, folder, before, time.monotonic(), [False])
        yield from _ended(running)


def _ended(running: dict[int, _Running]) -> Iterator[Outcome]:
    for pid, one in list(running.items()):
        seconds = time.monotonic() - one.begun
        done, status = os.waitpid(pid, os.WNOHANG)
        late = not done and seconds > LIMIT
        if not done and not late:
            if one.case.signal and seconds >= one.case.after and not one.signalled[0]:
                one.signalled[0] = True
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, one.case.signal)
            continue
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        if late:
            os.waitpid(pid, 0)
        del running[pid]
        code = None if late else os.waitstatus_to_exitcode(status)
        yield _judged(one, code, seconds)
        shutil.rmtree(one.folder, ignore_errors=True)
    time.sleep(0.002)


def _begin(case: Case, home: Path, folder: Path, cache: Path) -> int:
    sys.stdout.flush()
    # Blocks the signal of Ctrl-C until the command begins.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    pid = os.fork()
    if pid:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    else:
        try:
            _be(case, home, folder, cache)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(99)
    return pid


def _be(case: Case, home: Path, folder: Path, cache: Path) -> NoReturn:
    """Run a case's command in the current process, a forked child, in the same way as a shell."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    os.chdir(home)
    os.environ["PORTER_CACHE"] = str(cache)
    os.environ["TMPDIR"] = str(folder / "tmp")
    for name, value in case.env.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    if case.gone:
        shutil.rmtree(home)
    if case.stdin.startswith("="):
        (folder / "stdin").write_text(case.stdin[1:], encoding="utf-8", errors="surrogateescape")
    stdin = str(folder / "stdin") if case.stdin.startswith("=") else case.stdin
    for number, place, flags in (
        (0, stdin, os.O_RDONLY),
        (1, case.stdout or str(folder / "stdout"), os.O_WRONLY | os.O_CREAT),
        (2, case.stderr or str(folder / "stderr"), os.O_WRONLY | os.O_CREAT),
    ):
        if place == "closed":
            with contextlib.suppress(OSError):
                os.close(number)
        else:
            handle = os.open(place, flags)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
    args = [os.fsdecode(arg) for arg in case.args]
    if case.fresh:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.execv(sys.executable, [sys.executable, "-m", "porter", *args])
    sys.stdin, sys.stdout, sys.stderr = (
        None if place == "closed" else open(number, mode, closefd=False, errors=errors)  # noqa: SIM115
        for number, place, mode, errors in (
            (0, case.stdin, "r", "strict"),
            (1, case.stdout, "w", "strict"),
            (2, case.stderr, "w", "backslashreplace"),
        )
    )
    main: Callable[[list[str]], None] = importlib.import_module("porter.cli.main").main
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    except KeyboardInterrupt:
        # The signal arrived before the command began, so that the case tested nothing.
        os.write(2, b"error: interrupted before the command began\n")
        os._exit(130)
    main(args)
    os._exit(99)


def _judged(one: _Running, code: int | None, seconds: float) -> Outcome:
    stdout, stderr = (_read(one.folder / name) for name in ("stdout", "stderr"))
    wrong = (*_wrong(one.case, code, stdout, stderr), *_left(one, code))
    return Outcome(one.case, code, seconds, wrong, stderr.decode("utf-8", "replace"))


def _left(one: _Running, code: int | None) -> Iterator[str]:
    """Yield a fault for each remaining temporary or staging file, and each input that a failed command changed."""
    for name in sorted(os.listdir(one.folder / "tmp")):
        yield f"it left {name!r} in the temporary folder"
    after = leftovers.files(one.folder / "home")
    yield from (f"it left {name!r}" for name in leftovers.staged(one.before, after))
    # A command that is interrupted at its end, or cannot write to stdout, may already have written its results.
    failed = code not in (None, OK, FINDINGS, INTERRUPTED) and not one.case.stdout
    if failed and not one.case.gone:
        changed = set(leftovers.changed(one.before, after)) - one.case.writes
        yield from (f"it changed {name!r}" for name in sorted(changed))


def _wrong(case: Case, code: int | None, stdout: bytes, stderr: bytes) -> Iterator[str]:
    if code is None:
        yield f"no end in {LIMIT:g} s"
        return
    if code not in case.codes:
        yield f"exit code {code}, not {' or '.join(map(str, sorted(case.codes)))}"
    if b"Traceback (most recent call last)" in stderr + stdout:
        yield "a traceback"
    for name, said in (("output", stdout), ("error", stderr)):
        if match := _CONTROL.search(said):
            yield f"the character {match[0]!r} in the standard {name}"
    if not case.stderr and code not in (OK, 1):
        yield from _wrong_error(case, stderr.decode("utf-8", "replace"))


def _wrong_error(case: Case, said: str) -> Iterator[str]:
    if not re.search(r"^error: .", said, re.M):
        yield "no line begins with 'error:'"
    # The terminal shows ^C first, so that the message begins on a new line. If the output cannot be written, another
    # message precedes the error.
    if not said.removeprefix("\n").startswith(_FIRST) and not case.stdout:
        yield f"the error output begins with {said[:40]!r}"
    if case.help and not re.search(r"^  help: .", said, re.M):
        yield "no line begins with 'help:'"
    if case.says and not re.search(case.says, said):
        yield f"the error output does not match {case.says!r}"


def _read(place: Path) -> bytes:
    try:
        with place.open("rb") as file:
            return file.read(1 << 22)
    except OSError:
        return b""
