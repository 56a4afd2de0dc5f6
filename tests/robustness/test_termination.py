"""Stopped commands: Ctrl-C and SIGTERM end the children of a command and remove its temporary files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from port_tree import write
from repository import TEST_DATA

STOPS = [signal.SIGINT, signal.SIGTERM]
RELEASE = "2.6.0"
PATIENCE = 60.0
"""Maximum number of seconds until a state is reached."""


@pytest.fixture
def slow_tree(tmp_path: Path) -> Path:
    """A header tree whose torchgen never ends."""
    files = {
        "version.txt": f"{RELEASE}\n",
        "c10/cuda/CUDAStream.h": "#pragma once\n",
        "aten/src/ATen/native/native_functions.yaml": "[]\n",
        "aten/src/ATen/native/tags.yaml": "[]\n",
        "torchgen/__init__.py": "import time\ntime.sleep(1000)\n",
        "torchgen/gen.py": "import time\ntime.sleep(1000)\n",
        "torch/version.py": f"__version__ = '{RELEASE}+cu124'\ncuda = '12.4'\n",
    }
    marker = {
        "schema": 2,
        "kind": "header tree",
        "release": RELEASE,
        "wheel": "torch.whl",
        "sha256": "",
        "parts": {"c10": len(files) - 1},
        "files": len(files) - 1,
        "metadata": {"version": RELEASE, "requires_python": ">=3.9"},
    }
    root = tmp_path / "headers"
    for name, text in {**files, "header_tree.json": json.dumps(marker)}.items():
        write(root / name, text)
    return root


def until(reached: Callable[[], object]) -> None:
    """Wait for a state."""
    end = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < end, "the state was not reached"
        time.sleep(0.02)


def session(leader: int) -> list[int]:
    """Running processes of a session."""
    return [pid for pid, (_, owner) in processes().items() if owner == leader]


def processes() -> dict[int, tuple[int, int]]:
    """Process -> its parent and its session."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            fields = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            found[int(place.name)] = int(fields[1]), int(fields[3])
    return found


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """Temporary folder of the command."""
    place = tmp_path / "scratch"
    place.mkdir()
    return place


@pytest.fixture
def proving(slow_tree: Path, scratch: Path) -> Iterator[subprocess.Popen[str]]:
    """`porter release prove` of two targets, whose registrations never end."""
    command = [sys.executable, "-m", "porter", "release", "prove", RELEASE, "-j", "2", "--again"]
    command += ["--tree", f"{RELEASE}={slow_tree}", "--target", "musa", "--target", "hip"]
    process = subprocess.Popen(
        command,
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    yield process
    for pid in session(process.pid):
        os.kill(pid, signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize("stop", STOPS)
def test_a_stopped_prove_leaves_nothing(
    proving: subprocess.Popen[str], scratch: Path, stop: signal.Signals
) -> None:
    # porter itself, a worker for each target, and their torchgen.
    until(lambda: len(session(proving.pid)) >= 5 and any(scratch.iterdir()))
    proving.send_signal(stop)
    said = proving.communicate(timeout=PATIENCE)[1]
    assert proving.returncode == 130, said
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith("error: interrupted")
    # A child may end a moment after porter.
    until(lambda: session(proving.pid) == [])
    assert not [*scratch.iterdir()]


VERIFY = """
import sys
from pathlib import Path
from porter.base import stop_signals
from porter.cli import exit_codes
from porter.verify import worker_process
from porter.verify.operators import OperatorSelection, verify
stop_signals.install()
worker_process.SUITE = Path(sys.argv[1])
where = worker_process.BackendLocation(sys.executable, "torch_toy", "toy")
asked = OperatorSelection(ops=("good", "linalg.hang"), jobs=2, limit=600.0)
try:
    verify(where, Path(sys.argv[2]), asked)
except BaseException as error:
    code = exit_codes.report_error(error)
    stop_signals.end_children()
    sys.exit(code)
"""


@pytest.mark.parametrize("stop", STOPS)
def test_a_stopped_verify_ends_its_processes_and_keeps_true_results(
    tmp_path: Path, stop: signal.Signals
) -> None:
    command = [sys.executable, "-c", VERIFY, str(TEST_DATA / "suite_stub"), str(tmp_path)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    results = tmp_path / "9.9.9" / "verify" / "results.jsonl"

    def children() -> list[int]:
        return [pid for pid, (parent, _) in processes().items() if parent == process.pid]

    def seen() -> list[str]:
        return results.read_text().splitlines() if results.is_file() else []

    # The checks of `good`, and the first one of `linalg.hang` for two dtypes; the second one never ends.
    until(lambda: len(seen()) == 1 + 6)  # the first line is the setting
    suite = children()
    assert len(suite) == 2
    process.send_signal(stop)
    said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 130, said
    assert said == "error: stopped; results so far are kept: run again to continue\n"
    assert not processes().keys() & set(suite)
    assert not [line for line in seen() if "crash" in line]


BUILD = """
import sys
from pathlib import Path
from porter.base import stop_signals
from porter.cli import exit_codes
from porter.toolchain import ninja
stop_signals.install()
try:
    ninja.run_ninja(Path(sys.argv[1]), jobs=2)
except BaseException as error:
    sys.exit(exit_codes.report_error(error))
"""


def test_a_terminated_build_ends_its_compilers(tmp_path: Path) -> None:
    compilers = "rule slow\n  command = sleep 1000\nbuild one: slow\nbuild two: slow\n"
    write(tmp_path / "build.ninja", compilers)
    process = subprocess.Popen(
        [sys.executable, "-c", BUILD, str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    # ninja, and a shell or a compiler for each file.
    until(lambda: len(session(process.pid)) >= 4)
    process.terminate()
    said = process.communicate(timeout=PATIENCE)[1]
    assert (process.returncode, said) == (130, "error: stopped; finished files are kept\n")
    assert session(process.pid) == []
