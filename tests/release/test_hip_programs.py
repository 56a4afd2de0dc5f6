"""Small CUDA programs, ported to hip and compiled by the compiler of AMD's SDK for the host, gfx90a and gfx1030."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from porter.cli.main import call
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.toolchain import vendor_sdk

SDK = "PORTER_TEST_ROCM"
"""Environment variable with the folder that `build_scripts/fetch_sdk rocm` prints."""
PROGRAM = """#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/system/cuda/execution_policy.h>
#include <cstdlib>

namespace cg = cooperative_groups;

__global__ void warps(int* out, const float* in, cudaTextureObject_t texture) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned long long votes = __ballot_sync(__activemask(), threadIdx.x > 3);
  if (__any_sync(~0u, out[0]) && __all_sync(~0u, out[1] >= 0)) out[2] = __popcll(votes);
  __syncwarp();
  __syncwarp(0xffffffffu);
  out[3] = __shfl_xor_sync(0xffffffffu, out[2], 1) + tile.shfl_down(out[1], 2);
  out[4] = static_cast<int>(Reduce(storage).Sum(in[threadIdx.x]) + tex2D<float>(texture, 0.5f, 0.5f));
  if (out[4] < 0) __trap();
}

static void CUDART_CB done(cudaStream_t, cudaError_t, void*) {}

void run(cudaStream_t stream, cudaTextureObject_t texture) {
  thrust::device_vector<float> values(256, 1.0f);
  thrust::device_vector<int> out(8);
  thrust::fill(thrust::cuda::par.on(stream), values.begin(), values.end(), 2.0f);
  warps<<<1, 256, 0, stream>>>(out.data().get(), values.data().get(), texture);
  size_t bytes = 0;
  CubDebugExit(cub::DeviceReduce::Sum(nullptr, bytes, values.data().get(), values.data().get(), 256, stream));
  cudaStreamAddCallback(stream, done, nullptr, 0);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
}
"""


@pytest.mark.slow
@pytest.mark.release
def test_a_program_compiles_for_the_host_and_two_devices(tmp_path: Path) -> None:
    sdk = os.environ.get(SDK)
    if not sdk:
        pytest.skip(f"{SDK} names no SDK; build_scripts/test fetches it")
    (tmp_path / "program.cu").write_text(PROGRAM)
    command = ["port", str(tmp_path / "program.cu"), "--target", "hip", "--out"]
    assert call([*command, str(tmp_path / "out")]) == 0
    profile = rule_cache.rule_set(MappingLibrary.find(()), "hip", "2.6.0").profile
    profile = vendor_sdk.apply(profile, Path(sdk))
    flags = [flag for flag in profile.compiler_flags if flag != "-DUSE_ROCM"]
    flags += [f"-I{folder}" for folder in profile.build.include]
    source = tmp_path / "out" / "hip" / "src" / "program.hip"
    done = subprocess.run(
        [*shlex.split(profile.compiler), *flags, "-fsyntax-only", str(source)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
