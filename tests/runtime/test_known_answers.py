"""CUDA programs print on the host what they print on a GPU of NVIDIA (`build_scripts/record_answers`).

`tests/known_answers/differences.yaml` states the reason for each line that differs.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from known_answers import (
    DIFFERENCES,
    PROGRAMS,
    differences,
    equal,
    known_differences,
    lines,
    recorded,
)
from simt_programs import libsimt

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("program", recorded())
def test_a_program_prints_what_it_prints_on_a_gpu(program: str, tmp_path: Path) -> None:
    source = PROGRAMS / f"{program}.cu"
    options = re.findall(r"^// nvcc: (.*)$", source.read_text(encoding="utf-8"), re.M)
    done = subprocess.run(
        [
            *(sys.executable, "-P", "-c", "from porter.toolkit.program import simtcc; simtcc()"),
            *("-std=c++17", "-I", str(PROGRAMS), str(source), "-o", "program"),
            *" ".join(options).split(),
        ],
        cwd=tmp_path,
        # The programs share a cache: the compiled rules and headers are the same.
        env={**os.environ, "PORTER_SIMT_RUNTIME": str(libsimt().parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    run = subprocess.run(
        [tmp_path / "program"], capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stderr
    record = source.with_suffix(".txt").read_text(encoding="utf-8")
    assert record.startswith("# NVIDIA ")
    found = differences(record, run.stdout)
    known = known_differences(program, found)
    unknown = {name: values for name, values in found.items() if name not in known}
    assert unknown == {}, run.stderr
    assert sorted(name for name in known if name not in found) == [], "lines that no longer differ"


def test_each_program_has_a_record_and_each_difference_a_program() -> None:
    programs = {str(path.relative_to(PROGRAMS).with_suffix("")) for path in PROGRAMS.rglob("*.cu")}
    assert programs == set(recorded())
    assert yaml.safe_load(DIFFERENCES.read_text(encoding="utf-8")).keys() <= programs


def test_lines_differ_by_name_value_and_tolerance() -> None:
    record = "# NVIDIA X\na: 1 2\nb ~1e-3: 1 1000\nc: 3\n"
    assert differences(record, "a: 1 2\nb ~1e-3: 1.0005 1000.5\nc: 3\n") == {}
    assert differences(record, "a: 1 3\nb ~1e-3: 1.002 1000\nd: 3\n") == {
        "a": ("1 2", "1 3"),
        "b": ("1 1000", "1.002 1000"),
        "c": ("3", "no line"),
        "d": ("no line", "3"),
    }
    assert equal("x ~1e-6", "nan inf", "nan inf")
    assert not equal("x ~1e-6", "nan", "0")
    with pytest.raises(ValueError, match="several lines have the name a"):
        lines("a: 1\na: 2\n")
