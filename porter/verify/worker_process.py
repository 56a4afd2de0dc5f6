"""Runs suite programs in processes. A crash or hang of a process becomes the status of the check that ran."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from porter.base.errors import SourceError
from porter.model.verify import CRASH, HANG, Case, CheckResult, CheckUnit
from porter.toolchain.discovery import no_interpreter

SUITE = Path(__file__).with_name("suite")
"""Folder of the suite programs. They run in the backend's Python environment and do not import porter."""
_BEGIN = 300.0
"""Time limit, in seconds, for loading PyTorch and its operator database."""
_END = 60.0
"""Time limit, in seconds, in which a process must end after its last answer."""
BEGUN = "\x1e"
"""Character (ASCII record separator) that a suite process writes to stderr when a check begins."""
_LONGEST = 1 << 26
"""Largest size of one answer in bytes."""
_SAID = 8000
"""Number of bytes at the end of a process's output on stderr that are stored."""


class BackendLocation(NamedTuple):
    """Python interpreter and name of the installed backend."""

    python: str
    """Path of the Python interpreter."""
    package: str
    """Name of the package: `torch_<target>`."""
    device: str


class NoAnswer(Exception):
    """Exception for a process that ended, or that did not answer in time."""


class SuiteProcess:
    """Running process of a suite program. Only one thread may use the object."""

    def __init__(
        self, where: BackendLocation, program: str, *arguments: str, limit: float = _BEGIN
    ) -> None:
        """Start the suite program in folder `program` of `SUITE`. `limit` is the time limit of one answer in seconds.

        Raises SourceError if the interpreter does not start.
        """
        self.limit = limit
        # stderr goes into a pipe of its own, so that its last lines can explain a crash.
        self.errors_read, errors_write = os.pipe()
        os.set_blocking(self.errors_read, False)
        try:
            self.process = subprocess.Popen(
                [
                    *(where.python, "-P", "-m", program),
                    *("--device", where.device, "--package", where.package, *arguments),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors_write,
                env=_environment(where),
                start_new_session=True,
            )
        except OSError as error:
            os.close(self.errors_read)
            raise no_interpreter(where.python, f"does not start: {error.strerror}") from None
        finally:
            os.close(errors_write)
        self.pending = b""
        self.ended = False
        self.said = b""

    def ask(self, what: dict[str, Any]) -> None:
        """Send a request to the process. Raises NoAnswer if the process has ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(what).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            self.ended = True
            raise NoAnswer from None

    def answer(self) -> dict[str, Any]:
        """Next answer of the process.

        Raises NoAnswer if the answer does not arrive in time or is invalid, or if the process ends.
        """
        assert self.process.stdout is not None
        answers = self.process.stdout.fileno()
        until = time.monotonic() + self.limit
        while b"\n" not in self.pending:
            wait = until - time.monotonic()
            ready, _, _ = select.select([answers, self.errors_read], [], [], max(0.0, wait))
            if self.errors_read in ready:
                self._hear()
            if answers in ready:
                data = os.read(answers, 1 << 16)
                if not data:
                    self.ended = True
                    raise NoAnswer
                self.pending += data
                if len(self.pending) > _LONGEST:
                    raise NoAnswer
            elif wait <= 0:
                raise NoAnswer
        line, _, self.pending = self.pending.partition(b"\n")
        try:
            answer: dict[str, Any] = json.loads(line)
        except ValueError:
            raise NoAnswer from None
        return answer

    def code(self) -> int | None:
        """Exit code of the process; None if it is still running."""
        if not self.ended:
            return self.process.poll()
        # After a process closes its pipes, it may still free its memory or dump core.
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(_END)
        return None

    def end(self) -> str:
        """Stop the process and all its children. Returns the last output on stderr."""
        self.kill()
        self.process.wait()
        self._hear()
        os.close(self.errors_read)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        return self.said.decode("utf-8", "replace").strip()

    def kill(self) -> None:
        """Kill the process and all its children, which are in the same session."""
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def _hear(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.errors_read, 1 << 16):
                self.said = (self.said + data)[-_SAID:]


class Checker:
    """Checks units in a suite process. The object starts a new process after a crash or hang."""

    def __init__(self, where: BackendLocation, command: Sequence[str], limit: float) -> None:
        """`command`: name and arguments of the suite program. `limit`: time limit of one check in seconds."""
        self.where = where
        self.command = command
        self.limit = limit
        self.running: SuiteProcess | None = None
        self.stopped = False

    def check(self, unit: CheckUnit) -> Iterator[CheckResult]:
        """Results of a unit's checks, as they arrive. Raises SourceError if no process can be started."""
        left = list(unit.checks)
        while left:
            process = self._process()
            begun = ""
            # Before the first answer, the process may load test files, for which the time limit is `_BEGIN`.
            process.limit = _BEGIN
            try:
                process.ask({"op": unit.op, "dtype": unit.dtype, "checks": left})
                while "done" not in (answer := process.answer()):
                    process.limit = self.limit
                    if "begin" in answer:
                        begun = answer["begin"]
                        continue
                    left.remove(begun)
                    case = Case(unit.op, unit.dtype, begun)
                    yield CheckResult(case, answer["status"], answer["note"], answer["seconds"])
                    if answer.get("over"):
                        self.close()
                        break
                else:
                    return
            except NoAnswer:
                self.running = None
                status, note, seconds = self._died(process)
                if not left:
                    return
                # If the process crashed between two checks, the crash is attributed to the next check.
                begun = begun if begun in left else left[0]
                left.remove(begun)
                yield CheckResult(Case(unit.op, unit.dtype, begun), status, note, seconds)

    def close(self) -> None:
        """Stop the process if one is running."""
        if self.running is not None:
            self.running.end()
            self.running = None

    def stop(self) -> None:
        """Kill the running process, and every process that this object starts later.

        Any thread may call this function. The thread that runs `check` must still call `close`.
        """
        self.stopped = True
        if process := self.running:
            process.kill()

    def _process(self) -> SuiteProcess:
        if self.running is None:
            self.running = process = SuiteProcess(self.where, *self.command)
            if self.stopped:
                process.kill()
            try:
                begin(process, self.where)
            except SourceError:
                # `begin` has already stopped the process.
                self.running = None
                raise
        return self.running

    def _died(self, process: SuiteProcess) -> tuple[str, str, float]:
        code = process.code()
        if code is None:
            process.end()
            return HANG, f"no answer in {process.limit:g} s", process.limit
        said = process.end().rpartition(BEGUN)[2].splitlines()
        last = next((line for line in reversed(said) if line.strip()), "")
        how = signal.Signals(-code).name if code < 0 else f"exit {code}"
        return CRASH, f"{how}: {last}"[:300], 0.0


def begin(process: SuiteProcess, where: BackendLocation) -> dict[str, Any]:
    """Wait until a process is ready, and return its first answer. Raises SourceError if the process fails to start."""
    try:
        answer = process.answer()
    except NoAnswer:
        text, help = cause(process.end(), where)
        text = f"{where.package} cannot be checked: {text}"
        raise SourceError(text, where.python, help) from None
    if "error" in answer:
        process.end()
        help = f"install its wheel: {where.python} -m pip install {where.package}-*.whl"
        raise SourceError(answer["error"], where.python, help)
    return answer


def cause(output: str, where: BackendLocation) -> tuple[str, str]:
    """Reason why a process ended, found in its last output `output`, and advice, which may be empty."""
    said = output.splitlines()
    # In a chain of exceptions, the first one caused the others.
    errors = [line for line in said if re.match(r"\w+(\.\w+)*Error: ", line)]
    text = next(iter(errors), said[-1] if said else "the process ended without output")
    help = next((line.strip() for line in said if line.strip().startswith("help: ")), "")
    # Advice only if a whole package is missing: if a part of a package is missing, installing it again would not help.
    if not help and (absent := re.search(r"No module named '(\w+)'", text)):
        help = f"install it: {where.python} -m pip install {absent[1]}; or choose an interpreter with --python"
    return text, help.removeprefix("help: ")


def _environment(where: BackendLocation) -> dict[str, str]:
    """Environment of a suite process. It limits the process to one thread, because the processes share the cores."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(SUITE), os.environ.get("PYTHONPATH")))),
        "OMP_NUM_THREADS": "1",
        # This variable affects only porter's own runtime `simt`.
        f"{where.package.removeprefix('torch_').upper()}_NUM_THREADS": "1",
        "PYTHONWARNINGS": "ignore",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
