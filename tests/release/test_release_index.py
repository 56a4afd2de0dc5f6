"""Header tree from the package index of this machine's pip, compared with the sources."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from machine import SCRIPT

from porter.cli.main import call
from porter.release import facts, known

pytestmark = pytest.mark.release
RELEASE = "2.6.0"
MADE_HERE = {"header_tree.json", "version.txt", "torch/version.py"}
"""Files of a header tree that the sources lack, or that differ."""
BUILT = "torch/include/"
"""Headers of a header tree that a build of PyTorch generated, or copied from a library in `third_party`."""
BUILT_FROM = {
    "torch/include/ATen/": "aten/src/ATen/",
    "torch/include/THC/": "aten/src/THC/",
    "torch/include/c10/": "c10/",
    "torch/include/torch/": "torch/",
}
"""Maps a folder of installed headers to the folder of the sources."""
CMAKE_PACKAGE = "torch/share/cmake/Torch/TorchConfig.cmake"
BY_CMAKE = {
    CMAKE_PACKAGE: "cmake/TorchConfig.cmake.in",
    "torch/include/ATen/Config.h": "aten/src/ATen/Config.h.in",
    "torch/include/ATen/cuda/CUDAConfig.h": "aten/src/ATen/cuda/CUDAConfig.h.in",
    "torch/include/c10/cuda/impl/cuda_cmake_macros.h": "c10/cuda/impl/cuda_cmake_macros.h.in",
    "torch/include/c10/macros/cmake_macros.h": "c10/macros/cmake_macros.h.in",
    "torch/include/torch/csrc/api/include/torch/version.h": "torch/csrc/api/include/torch/version.h.in",
}
"""File that CMake generates -> its template in the sources."""
BY_TORCHGEN = re.compile(
    r"torch/include/ATen/ops/\w+\.h"
    r"|torch/include/ATen/\w*(Functions|Functions_inl|Operators|RegistrationDeclarations|VmapGeneratedPlumbing)\.h"
    r"|torch/include/ATen/core/(TensorBody|aten_interned_strings|enum_tag)\.h"
    r"|torch/include/torch/csrc/autograd/generated/\w+\.h"
)
"""Files that torchgen and tools/autograd generate."""
THIRD_PARTY = re.compile(r"torch/include/((kineto|pybind11|tensorpipe)/.+|[\w-]+\.h)")
"""Headers of libraries that PyTorch's sources contain as submodules, or do not contain."""


@pytest.fixture(scope="module")
def headers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Header tree of RELEASE; skips the tests if no index of pip answers."""
    cache = tmp_path_factory.mktemp("headers")
    argv = [sys.executable, str(SCRIPT), RELEASE, "--from", "wheel", "--cache", str(cache)]
    done = subprocess.run(argv, env=os.environ, capture_output=True, text=True, check=False)
    if done.returncode == 4 and "does not answer" in done.stderr:
        pytest.skip(f"no package index: {done.stderr}")
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def test_every_file_is_the_one_of_the_sources(headers: Path, releases: dict[str, Path]) -> None:
    if RELEASE not in releases:
        pytest.skip(f"PORTER_TEST_RELEASES does not name {RELEASE}")
    sources = releases[RELEASE]
    files = [path for path in headers.rglob("*") if path.is_file()]
    names = {path.relative_to(headers).as_posix() for path in files} - MADE_HERE
    built = {name for name in names if name.startswith(BUILT)} | {CMAKE_PACKAGE}
    assert len(names - built) > 1700
    assert not {name for name in names - built if not same(headers / name, sources / name)}


def test_headers_that_a_build_made_are_apart(headers: Path, releases: dict[str, Path]) -> None:
    """Files below torch/include are generated, belong to a library, or equal the sources."""
    if RELEASE not in releases:
        pytest.skip(f"PORTER_TEST_RELEASES does not name {RELEASE}")
    sources = releases[RELEASE]
    built = [path for path in headers.glob(f"{BUILT}**/*") if path.is_file()]
    names = {path.relative_to(headers).as_posix() for path in built} | {CMAKE_PACKAGE}
    in_sources = {name for name in names if (sources / source_of(name)).is_file()}
    assert in_sources == {
        "torch/include/ATen/ops/from_blob.h",
        "torch/include/ATen/ops/tensor.h",
        "torch/include/THC/THCAtomics.cuh",
        "torch/include/THC/THCDeviceUtils.cuh",
        "torch/include/torch/csrc/utils/generated_serialization_types.h",
    }
    assert not {n for n in in_sources if not same(headers / n, sources / source_of(n))}
    by_cmake = {name for name in names if name in BY_CMAKE}
    assert by_cmake == set(BY_CMAKE)
    assert not {name for name in BY_CMAKE.values() if not (sources / name).is_file()}
    made = {name for name in names if BY_TORCHGEN.fullmatch(name)}
    assert len(made) > 6900  # from 2,000 operators
    assert not {
        name for name in names - in_sources - by_cmake - made if not THIRD_PARTY.fullmatch(name)
    }


def source_of(name: str) -> str:
    """Path in the sources of a header below torch/include. The path of a library's header is returned unchanged."""
    for built, source in BUILT_FROM.items():
        if name.startswith(built):
            return source + name.removeprefix(built)
    return name


def same(path: Path, other: Path) -> bool:
    """True if two files have the same bytes; False if `other` does not exist."""
    return other.is_file() and path.read_bytes() == other.read_bytes()


def test_the_listed_facts_are_those_of_the_wheel(headers: Path) -> None:
    listed = known.read().find(RELEASE)
    assert listed
    assert facts.read(headers)._replace(wheel="") == listed.facts._replace(wheel="")


@pytest.mark.parametrize("target", ["simt", "musa", "hip", "maca"])
def test_a_header_tree_ports_without_findings(headers: Path, target: str, tmp_path: Path) -> None:
    where = ["--pytorch-src", str(headers), "--target", target, "--out", str(tmp_path)]
    assert call(["run", *where, "--until", "port", "--no-page"]) == 0


def test_operators_are_registered_from_a_header_tree(headers: Path, tmp_path: Path) -> None:
    where = ["--pytorch-src", str(headers), "--target", "simt", "--out", str(tmp_path)]
    assert call(["run", *where, "--until", "register", "--no-page"]) == 0
    assert (tmp_path / "simt" / f"{RELEASE}-headers" / "register" / "ops.json").is_file()
