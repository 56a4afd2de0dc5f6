"""Runs of programs that are written for CUDA, on target simt: libraries, environment, time limit, use of the device."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

HOOKS = Path(__file__).with_name("as_cuda_programs")


class Outcome(NamedTuple):
    """Result of a run."""

    result: str
    """`passed`, or the kind of failure."""
    seconds: float
    on_cpu: Mapping[str, int] = {}
    """Numbers of calls of operators that ran on the CPU because the device has no kernel."""
    output: str = ""
    """End of the output of a run that did not pass."""

    @property
    def passed(self) -> bool:
        """True if the run succeeded, and used the device unless the program needs none."""
        return self.result == "passed"


def install(site: Path, requirements: Sequence[str]) -> None:
    """Install libraries into `site` without their dependencies, so that PyTorch stays as it is.

    An existing folder with the same requirements stays.
    """
    record = site / "requirements.txt"
    text = "".join(f"{one}\n" for one in requirements)
    if record.is_file() and record.read_text(encoding="utf-8") == text:
        return
    part = site.with_name("site.part")
    shutil.rmtree(part, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    command += ["--disable-pip-version-check", "--target", str(part), *requirements]
    subprocess.run(command, check=True, stdout=sys.stderr)
    (part / "requirements.txt").write_text(text, encoding="utf-8")
    shutil.rmtree(site, ignore_errors=True)
    part.rename(site)


def run(
    commands: Sequence[Sequence[str]],
    *,
    path: Sequence[Path],
    folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
    limit: float = 600,
    uses_device: bool = True,
) -> Outcome:
    """Run commands of Python at the same time, under the device's name `cuda`.

    `path` precedes the module path of the interpreter. The run fails if a command fails, if a command exceeds `limit`
    seconds, or if no process allocates memory on the device although `uses_device` is True.
    """
    with tempfile.TemporaryDirectory() as place:
        record, output = Path(place, "use"), Path(place, "output")
        record.touch()
        environment = {
            **os.environ,
            "HF_HUB_OFFLINE": "1",
            "PROGRAM_DEVICE_USE": str(record),
            "PYTHONPATH": os.pathsep.join(str(one) for one in (HOOKS / "device_use", *path)),
            "PYTHONWARNINGS": "ignore",
            "TORCH_SIMT_AS_CUDA": "1",
            **(variables or {}),
        }
        began = time.monotonic()
        with output.open("wb") as file:
            processes = [
                subprocess.Popen(
                    [sys.executable, *command],
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
                for command in commands
            ]
            try:
                codes = [_wait(one, began + limit) for one in processes]
            finally:
                for one in processes:
                    _end(one)
        seconds = time.monotonic() - began
        allocations, on_cpu = device_use(record.read_text(encoding="utf-8"))
        if None in codes:
            result = f"time limit of {limit:.0f} s"
        elif any(codes):
            result = f"exit code {next(filter(None, codes))}"
        elif uses_device and not allocations:
            result = "did not use the device"
        else:
            return Outcome("passed", seconds, on_cpu)
        text = output.read_text(encoding="utf-8", errors="replace")
        return Outcome(result, seconds, on_cpu, text[-4000:])


def device_use(lines: str) -> tuple[int, dict[str, int]]:
    """Sums over the processes of a run: allocations on the device, and calls of operators that ran on the CPU."""
    allocations, on_cpu = 0, Counter[str]()
    for line in lines.splitlines():
        record = json.loads(line)
        allocations += record["allocations"]
        on_cpu.update(record["on_cpu"])
    return allocations, dict(on_cpu)


def _wait(process: subprocess.Popen[bytes], end: float) -> int | None:
    """Exit code of a process; None if it does not end in time."""
    try:
        return process.wait(max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the processes that a process started, and the process itself."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()
