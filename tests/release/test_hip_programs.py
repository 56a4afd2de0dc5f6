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
#include <cooperative_groups/reduce.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>
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

__host__ __device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, 0); }
__host__ __device__ void operator/=(float3& a, const float3& b) { a.x /= b.x; }

__global__ void more(const __grid_constant__ float2 x, float* sums, unsigned* counts, unsigned long bits) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  float2 square = x * make_float2(1, 2);
  float3 three = make_float3(1, 2, 3);
  three /= make_float3(4, 5, 6);
  sums[threadIdx.x] = cg::reduce(tile, square.x + three.x, cg::plus<float>());
  sums[0] = cg::reduce(tile, sums[1], cg::greater<float>{});
  __stcs(sums + 2, __ldcs(sums + 3));
  counts[0] = __ffsll(bits) + __nv_atomic_load_n(counts + 1, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_store_n(counts, 1u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  counts[1] = __nv_atomic_fetch_max(counts, 1u, __NV_ATOMIC_RELAXED);
}

const char* product(cublasHandle_t handle, const __half* a, __half* c) {
  return cublasGetStatusString(
      cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, a, a, 1, a, 1, a, c, 1));
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
