"""`porter simt`: what it prints compiles, links and runs a program."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest
from support_simt import libsimt

from porter.cli.main import call

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
    assert "  help: the command again, for more: " in said
