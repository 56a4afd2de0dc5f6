"""CUDA programs that call cuSOLVER's sparse part: ported to `simt`, built, and run on the CPU."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from simt_programs import compile_ported

from porter.cli.main import call

pytestmark = pytest.mark.slow

PROGRAMS = Path(__file__).parent / "sparse_solvers"
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.cu"))


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Port of the whole folder, made once."""
    out = tmp_path_factory.mktemp("sparse_solvers")
    assert call(["port", str(PROGRAMS), "--target", "simt", "--out", str(out)]) == 0
    return out / "simt"


def test_every_name_is_supported(port: Path) -> None:
    report = json.loads((port / "report.json").read_text())
    left = {reason: count for reason, count in report["residue"].items() if count}
    assert left.keys() <= {"intended", "own"}


@pytest.mark.parametrize("name", NAMES)
def test_a_program(name: str, port: Path, tmp_path: Path) -> None:
    program = compile_ported(port / "src" / f"{name}.cu", tmp_path / name)
    done = subprocess.run([program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(rf"{name}: ok \(.+\)\n", done.stdout)
