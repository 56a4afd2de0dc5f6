"""Compiler and PyTorch of a build: discovery, and rejection of unusable ones."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from tiny_build import RELEASE, fake_compiler, install_torch

from porter.base.errors import BuildError, SourceError
from porter.toolchain.discovery import default_launcher, find_compiler, find_torch
from porter.toolchain.jobs import HEAVY_BYTES, UNIT_BYTES, Jobs, jobs_for


def test_no_compiler() -> None:
    with pytest.raises(BuildError) as raised:
        find_compiler("no-such-c++")
    assert "'no-such-c++' is not found" in str(raised.value)
    assert "CXX" in raised.value.problems[0].help


@pytest.mark.parametrize(
    ("macros", "found"),
    [
        ("#define __GNUC__ 8\n#define __GNUC_MINOR__ 4", "g++ 8.4"),
        ("#define __GNUC__ 4\n#define __clang_major__ 7\n#define __clang_minor__ 0", "clang 7.0"),
    ],
)
def test_a_compiler_that_is_too_old(tmp_path: Path, macros: str, found: str) -> None:
    compiler = tmp_path / "cxx"
    compiler.write_text(f"#!/bin/sh\ncat <<END\n{macros}\nEND\n")
    compiler.chmod(0o755)
    with pytest.raises(BuildError, match=re.escape(f"too old: {found}")):
        find_compiler(str(compiler))


def test_a_compiler_that_does_not_work(tmp_path: Path) -> None:
    compiler = tmp_path / "cxx"
    compiler.write_text("#!/bin/sh\necho 'no licence' >&2\nexit 3\n")
    compiler.chmod(0o755)
    with pytest.raises(BuildError, match="does not work: no licence"):
        find_compiler(str(compiler))


def test_a_compiler_with_arguments(tmp_path: Path) -> None:
    compiler = find_compiler(f"{fake_compiler(tmp_path / 'cxx', 'exit 1')} -m64")
    assert compiler.command == (str(tmp_path / "cxx"), "-m64")
    assert compiler.name.startswith("g++ ")


@pytest.mark.parametrize("abi", [0, 1])
def test_the_abi_is_taken_from_the_installed_libraries(tmp_path: Path, abi: int) -> None:
    torch = find_torch(str(install_torch(tmp_path, abi=abi)), RELEASE)
    assert (torch.cxx11_abi, torch.version) == (bool(abi), "2.6.0+cpu")
    assert torch.root == tmp_path / "torch"


def test_an_abi_that_cannot_be_told_is_not_guessed(tmp_path: Path) -> None:
    python = install_torch(tmp_path)
    shutil.copy(tmp_path / "torch" / "lib" / "libtorch_cpu.so", tmp_path / "torch/lib/libc10.so")
    with pytest.raises(BuildError, match="ABI"):
        find_torch(str(python), RELEASE)


def test_a_pytorch_of_another_version(tmp_path: Path) -> None:
    python = install_torch(tmp_path, version="2.5.1")
    with pytest.raises(SourceError) as raised:
        find_torch(str(python), RELEASE)
    (problem,) = raised.value.problems
    assert problem.text == "PyTorch 2.5.1+cpu is installed, but 2.6.0 is being ported"
    assert "torch==2.6.0" in problem.help


def test_no_pytorch_even_in_a_folder_that_has_its_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    with pytest.raises(SourceError, match="no PyTorch is installed"):
        find_torch(str(bare), RELEASE)


def test_no_interpreter(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not start"):
        find_torch(str(tmp_path / "python"), RELEASE)


def test_a_launcher_that_is_not_there() -> None:
    with pytest.raises(BuildError, match="'no-such-cache' is not found"):
        default_launcher("no-such-cache --option")
    assert default_launcher("") == ""


def test_jobs_are_limited_by_processors_and_by_memory() -> None:
    plenty = 64 * HEAVY_BYTES
    assert jobs_for(8, plenty) == Jobs(8, 8)
    assert jobs_for(8, 4 * UNIT_BYTES) == Jobs(4, 2)
    assert jobs_for(8, UNIT_BYTES // 2) == Jobs(1, 1)
