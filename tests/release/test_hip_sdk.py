"""Sources of the port to hip, compiled by the compiler of AMD's SDK for the host, gfx90a and gfx1030."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from release_trees import named_releases

from porter.builder import guard_macros
from porter.builder import stage as build_stage
from porter.builder.build_context import BuildSettings
from porter.builder.stage import OpenBuild
from porter.mapping import build_sets, rule_cache
from porter.mapping.library import MappingLibrary
from porter.toolchain import vendor_sdk

SDK = "PORTER_TEST_ROCM"
"""Environment variable with the folder that `build_scripts/fetch_sdk rocm` prints."""
SOURCES = (
    "c10/cuda/CUDACachingAllocator.cpp",
    "c10/cuda/CUDAStream.cpp",
    "aten/src/ATen/cuda/CUDABlas.cpp",
    "aten/src/ATen/cuda/CUDASparseDescriptors.cpp",
    "aten/src/ATen/native/cuda/linalg/CUDASolver.cpp",
    "aten/src/ATen/native/cuda/SpectralOps.cpp",
    "aten/src/ATen/native/cuda/AmpKernels.cu",
    "aten/src/ATen/native/cuda/Copy.cu",
    "aten/src/ATen/native/cuda/DistributionNormal.cu",
    "aten/src/ATen/native/cuda/Embedding.cu",
    "aten/src/ATen/native/cuda/Nonzero.cu",
    "aten/src/ATen/native/cuda/SegmentReduce.cu",
)
"""Sources that use the runtime, hipBLAS, hipSPARSE, hipSOLVER, hipFFT, hipCUB, rocThrust and hipRAND."""
SHUFFLES = """#include <hip/hip_runtime.h>
#include <c10/util/Half.h>
__global__ void shuffles(c10::Half* out) {
  c10::Half x = out[threadIdx.x];
  x = __shfl(x, 0);
  x = __shfl_up(x, 1);
  x = __shfl_down(x, 1, 16);
  out[threadIdx.x] = __shfl_xor(x, 1);
}
"""
pytestmark = [pytest.mark.release, pytest.mark.slow]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenBuild]:
    """Build of the port to hip, with the commands that compile it with AMD's SDK."""
    sdk, tree = os.environ.get(SDK), named_releases().get("2.6.0")
    if not sdk or not tree:
        pytest.skip(
            f"{SDK} names no SDK, or no tree of 2.6.0 is named; build_scripts/test fetches both"
        )
    if not importlib.util.find_spec("torch"):
        pytest.skip("PyTorch is not installed; build_scripts/test installs it")
    out = tmp_path_factory.mktemp("hip")
    words = [
        "run",
        "--pytorch-src",
        str(tree),
        "--target",
        "hip",
        "--until",
        "register",
        "--no-page",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "porter", *words, "--out", str(out)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    folder = out / "hip" / "2.6.0"
    library = MappingLibrary.find(())
    rules = rule_cache.checked_rule_set(library, "hip", "2.6.0")
    rules = rules._replace(profile=vendor_sdk.apply(rules.profile, Path(sdk)))
    profile = guard_macros.with_header(rules, folder / "build").profile
    settings = BuildSettings(kernels=",".join(SOURCES), compiler=profile.compiler)
    with build_stage.opened(folder, profile, build_sets.read(library, profile), settings) as opened:
        yield opened


@pytest.mark.parametrize("path", SOURCES)
def test_source_compiles_for_the_host_and_two_devices(build: OpenBuild, path: str) -> None:
    (unit,) = (unit for unit in build.context.plan.units if unit.path == path)
    words = build.context.commands.compile(unit)
    assert {"--offload-arch=gfx90a", "--offload-arch=gfx1030"} <= set(words)
    done = subprocess.run(
        [*words, "-fsyntax-only"],
        check=False,
        capture_output=True,
        text=True,
        cwd=build.context.out,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_shuffles_accept_half_of_pytorch(build: OpenBuild, tmp_path: Path) -> None:
    source = tmp_path / "shuffles.hip"
    source.write_text(SHUFFLES)
    commands = build.context.commands
    done = subprocess.run(
        [*commands.compiler, *commands.flags, "-fsyntax-only", str(source)],
        check=False,
        capture_output=True,
        text=True,
        cwd=build.context.out,
    )
    assert done.returncode == 0, done.stderr[-3000:]
