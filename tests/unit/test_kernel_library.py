"""The library of instrumented kernels, made from a build with two sources, and the merge of operators' findings."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from porter.base.errors import BuildError, SourceError, UsageError
from porter.checks.findings import Finding, Frame, Place
from porter.checks.kernel_library import KernelLibrary, _Build
from porter.model.manifest import Manifest, PortedFile, to_text
from porter.verify.checked import _merged

A, B = "aten/A.cu", "aten/B.cu"


@pytest.fixture
def port(tmp_path: Path) -> Path:
    """Build of two sources. The runtime's functions that hooks.cpp calls are in a library beside them."""
    build = tmp_path / "build"
    (build / "obj").mkdir(parents=True)
    (build / "a.cpp").write_text('extern "C" int a(int* x) { return *x; }\n', "utf-8")
    (build / "b.cpp").write_text('extern "C" int b(int* x) { return *x + 1; }\n', "utf-8")
    for name in "ab":
        command = ["g++", "-fPIC", "-c", f"{name}.cpp", "-o", f"obj/{name}.o"]
        subprocess.run(command, cwd=build, check=True)
    return tmp_path


def _library(port: Path, name: str = "instrumented") -> KernelLibrary:
    build = port / "build"
    commands = {
        f"obj/{name}.o": ["g++", "-fPIC", "-c", str(build / f"{name}.cpp"), "-o", f"obj/{name}.o"]
        for name in "ab"
    }
    link = ["g++", "-shared", "-fPIC", "-o", "lib/libtorch_toy_kernels.so", "obj/a.o", "obj/b.o"]
    return KernelLibrary(port, name, _Build(build, commands, link), {A: "obj/a.o", B: "obj/b.o"})


def _undefined(library: Path) -> str:
    command = ["nm", "-D", "--undefined-only", str(library)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _instrumented_object(library: KernelLibrary, name: str) -> bool:
    return (library.folder / "obj" / f"{name}.o").exists()


@pytest.mark.slow
def test_chosen_sources_are_instrumented_and_the_others_are_kept(port: Path) -> None:
    library = _library(port)
    place = library.make([B], 1)
    assert (_instrumented_object(library, "a"), _instrumented_object(library, "b")) == (False, True)
    assert "simtrt5check6access" in _undefined(place)
    changed = place.stat().st_mtime_ns
    library.make([B], 1)
    assert place.stat().st_mtime_ns == changed
    library.make([A, B], 1)
    assert _instrumented_object(library, "a")


@pytest.mark.slow
def test_an_offset_leads_to_the_source_of_its_object(port: Path) -> None:
    library = _library(port, "recording")
    place = library.make((), 1)
    symbols = subprocess.run(["nm", str(place)], capture_output=True, text=True, check=True).stdout
    at = {
        line.split()[-1]: int(line.split()[0], 16)
        for line in symbols.splitlines()
        if len(line.split()) == 3
    }
    assert library.sources_at()([at["a"]]) == [A]
    assert library.sources_at()([at["b"], at["b"] + 1]) == [B]
    assert library.sources_at()([0]) == []


@pytest.mark.slow
def test_a_source_that_does_not_compile_is_an_error(port: Path) -> None:
    (port / "build" / "b.cpp").write_text("no code\n", "utf-8")
    with pytest.raises(BuildError, match="'no' does not name a type"):
        _library(port).make([B], 1)


def test_a_place_in_a_ported_file_is_named_by_the_upstream_path(port: Path) -> None:
    path, to = "aten/native/cuda/Reduce.cuh", "aten/native/acme/Reduce.cuh"
    file = PortedFile(path, to, "kernels", "a" * 64, "b" * 64, 1, {}, (), ())
    (port / "manifest.json").write_text(
        to_text(Manifest("acme", "2.6.0", "", "", {path: file})), "utf-8"
    )
    upstream = _library(port).upstream_paths()
    for shown in (f"../src/{to}", f"{port}/src/{to}", f"{port}/build/../src/{to}"):
        assert upstream(shown) == path
    assert upstream("torch/include/ATen/Atomic.h") == "torch/include/ATen/Atomic.h"
    assert upstream(f"{port}/build/include/ATen/Atomic.h") == "include/ATen/Atomic.h"


def test_globs_without_a_source_are_refused(port: Path) -> None:
    assert _library(port).matching(["aten/*.cu"]) == [A, B]
    with pytest.raises(UsageError, match=r"'\*\.cpp' matches no source"):
        _library(port).matching(["*.cu", "*.cpp"])


def test_a_folder_without_a_build_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        KernelLibrary.of(tmp_path, "instrumented")


def _finding(line: int, kind: str = "race", times: int = 1) -> Finding:
    places = (Place("read of 4 bytes", "kernel k", (Frame("a.cu", line, f"f<{times}>"),)),)
    return Finding(kind, "shared", "text", "", times, places)


def test_findings_at_equal_lines_are_one_finding_with_all_its_cases() -> None:
    found = [
        (_finding(1), "sum float32 forward"),
        (_finding(1, times=5), "sum int64 forward"),
        (_finding(2), "sum float32 forward"),
        (_finding(1, "init"), "sum float32 out"),
    ]
    merged = _merged(iter(found))
    assert [(one.finding.kind, one.finding.times, len(one.cases)) for one in merged] == [
        ("race", 6, 2),
        ("race", 1, 1),
        ("init", 1, 1),
    ]
