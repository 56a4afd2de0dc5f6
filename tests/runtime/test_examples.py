"""CUDA programs of examples/cuda: ported to `simt` by the command line, built, and run on the CPU."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from repository import ROOT
from simt_programs import compile_ported

from porter.cli.main import call

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "examples" / "cuda"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.cu"))


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Port of the whole folder, made once."""
    out = tmp_path_factory.mktemp("examples")
    assert call(["port", str(EXAMPLES), "--target", "simt", "--out", str(out)]) == 0
    return out / "simt"


def test_there_is_a_program_of_each_kind() -> None:
    assert NAMES == [
        "bitonic_sort",
        "compiled_at_run_time",
        "graph_nodes",
        "histogram",
        "matmul",
        "monte_carlo_pi",
        "nbody",
        "reduction",
        "saxpy",
        "scan",
        "stencil",
        "streams_events",
        "texture_rotation",
        "transpose",
        "vector_add",
        "wmma_pipeline",
    ]
    listed = re.findall(r"^\| `(\w+)\.cu` \|", (EXAMPLES / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == NAMES


def test_nothing_is_left_to_do_by_hand(port: Path) -> None:
    report = json.loads((port / "report.json").read_text())
    left = {reason: count for reason, count in report["residue"].items() if count}
    assert left.keys() <= {"intended", "own"}


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """Environment in which programs compile kernels at run time by this checkout's simtcc."""
    driver = tmp_path / "simtcc"
    code = "from porter.toolkit.program import simtcc; simtcc()"
    driver.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{code}' \"$@\"\n")
    driver.chmod(0o755)
    own = {"SIMT_RTC_COMPILER": str(driver), "SIMT_RTC_CACHE": str(tmp_path / "cache")}
    return {**os.environ, **own}


@pytest.mark.parametrize("name", NAMES)
def test_a_program(name: str, port: Path, tmp_path: Path, variables: dict[str, str]) -> None:
    program = compile_ported(port / "src" / f"{name}.cu", tmp_path / name)
    done = subprocess.run(
        [program], capture_output=True, text=True, timeout=120, check=False, env=variables
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(rf"{name}: ok \(.+\)\n", done.stdout)


def test_a_program_that_is_wrong_says_so(port: Path, tmp_path: Path) -> None:
    """The check at the end of a program can fail: a kernel with an error fails it."""
    text = (port / "src" / "transpose.cu").read_text()
    barrier = text.index("__syncthreads();")
    broken = port / "src" / "transpose_without_barrier.cu"
    broken.write_text(text[:barrier] + text[barrier + len("__syncthreads();") :])
    program = compile_ported(broken, tmp_path / "broken")
    done = subprocess.run([program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("transpose: wrong")
