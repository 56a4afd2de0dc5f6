"""`porter simt`: a program compiles, links and runs with the printed flags."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest
from simt_programs import libsimt

from porter.cli.main import call
from porter.simt.sources import plugin_files

PROGRAM = """
#include <simt_runtime.h>
#include <cstdio>
__global__ void twice(int* value) { *value *= 2; }
int main() {
  int* value;
  simtMallocManaged(&value, sizeof *value);
  *value = 21;
  SIMT_LAUNCH((twice), (1), (1), (0), (0), value);
  if (simtDeviceSynchronize() == simtSuccess) std::printf("%d\\n", *value);
}
"""


@pytest.mark.slow  # builds the runtime
def test_flags_compile_and_run_a_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "twice.cu"
    source.write_text(PROGRAM)
    assert call(["simt", "flags", "--out", str(libsimt().parent)]) == 0
    flags = shlex.split(capsys.readouterr().out)
    program = tmp_path / "twice"
    subprocess.run(["g++", *flags, str(source), "-o", str(program)], check=True)
    assert subprocess.run([program], capture_output=True, check=True).stdout == b"42\n"


def test_flags_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["simt", "flags", "--warp-size", "64", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == 1
    assert "-DSIMT_WARP_SIZE=64" in document["compile"]
    assert "-lsimt" in document["link"]


@pytest.mark.slow  # builds the runtime
def test_build_prints_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    library = libsimt()
    assert call(["simt", "build", "--out", str(library.parent)]) == 0
    assert capsys.readouterr().out == f"{library}\n"


def test_a_compiler_that_fails_is_told_with_its_message(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert (
        call(["simt", "build", "--compiler", "/bin/false", "--out", str(tmp_path), "-j", "1"]) == 7
    )
    said = capfd.readouterr().err
    assert said.startswith(f"error: {tmp_path}/build.ninja: libsimt.so could not be built\n")
    assert "FAILED: " in said
    assert "  help: for more output, run " in said


@pytest.mark.slow
def test_paths_with_blanks_and_signs_of_the_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """porter, its runtime and the build may have any path: ninja and the shell receive the paths unchanged."""
    runtime = tmp_path / "one porter's $HOME" / "simt"
    for path, text in {
        "include/simt_runtime.h": "#pragma once\nint answer();\n",
        **{f"plugin/{one.name}": one.read_text() for one in plugin_files()},
        "src/own.h": '#include "simt_runtime.h"\n',
        "src/answer.cpp": """\
#include "own.h"
__attribute__((visibility("default"))) int answer() { return 42; }
""",
    }.items():
        (runtime / path).parent.mkdir(parents=True, exist_ok=True)
        (runtime / path).write_text(text)
    monkeypatch.setattr("porter.base.resources.folder", lambda name: runtime.parent)
    out = tmp_path / "the build"
    assert call(["simt", "build", "--out", str(out)]) == 0, capsys.readouterr().err
    assert capsys.readouterr().out == f"{out}/libsimt.so\n"

    source = tmp_path / "main.cu"
    source.write_text("#include <simt_runtime.h>\nint main() { return answer(); }\n")
    assert call(["simt", "flags", "--out", str(out)]) == 0
    flags, warning = capsys.readouterr()
    assert "eval" in warning
    program = tmp_path / "main"
    subprocess.run(["bash", "-c", f"g++ {flags.strip()} {source} -o {program}"], check=True)
    assert subprocess.run([program], check=False).returncode == 42
