"""Small CUDA programs, ported to hip and compiled by the compiler of AMD's SDK for the host, gfx90a and gfx1030.

Programs without calls of HIP's libraries run on the host, too.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from porter.cli.main import call
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.rules import Profile
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


LANES = """#include <cuda_runtime.h>
#include <cinttypes>
#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

struct Pair {
  float largest;
  double sum;
};

__device__ Pair merged(Pair a, Pair b) { return {a.largest + b.largest, a.sum + b.sum}; }

__global__ void values(Pair* pairs, __half* halves, __half2* two, __nv_bfloat16* other, __nv_bfloat162* more) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  pairs[0] = cg::reduce(tile, pairs[1], merged);
  halves[0] = cg::reduce(tile, halves[1], [](__half a, __half b) { return a + b; });
  halves[1] = htanh(halves[2]);
  two[0] = h2tanh(two[1]);
  other[0] = htanh(other[1]);
  more[0] = h2tanh(more[1]);
}

__global__ void lanes(unsigned long long* masks, const float* keys, unsigned* counts, int* all) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto same = cg::labeled_partition(tile, all[threadIdx.x]);
  counts[0] = cg::reduce(same, counts[1], cg::plus<unsigned>());
  if (same.thread_rank() == 0) counts[1] = cg::labeled_partition(cg::coalesced_threads(), masks[0]).size();
  masks[0] = __match_any_sync(0xffffffffu, keys[threadIdx.x]);
  masks[1] = __match_any_sync(__activemask(), masks[threadIdx.x]);
  masks[2] = __match_all_sync(~0u, counts[threadIdx.x], all);
  all[1] = __dp4a(all[2], all[3], 0);
  counts[1] = __dp4a(counts[2], counts[3], counts[4]);
  all[2] = __dp4a(make_char4(1, 2, 3, 4), make_char4(1, 2, 3, 4), all[3]);
  atomicAdd_block(counts, 1u);
  atomicCAS_block(all, 1, 2);
  __nanosleep(100);
  all[3] = __ffs(__ballot_sync(~0u, all[4])) + __ffs(all[5]);
  counts[5] = __vmaxs4(counts[6], 0) + __vsads2(counts[7], counts[8]) + __vavgs4(counts[7], counts[8]);
  counts[6] = __vsetles4(counts[7], counts[8]);
}

__device__ double atomicMax(double* to, double value) { return *to > value ? *to : value; }
__device__ float atomicMin(float* to, float value) { return *to < value ? *to : value; }

template <class T>
struct Cast {
  template <int n>
  static __device__ void apply(T* to, const float* from) { *to = from[n]; }
};

template <class T>
__global__ void own(T* to, const float* from) {
  atomicMax(to, T(1));
  Cast<T>::apply<4>(to, from);
}

void run(double* to, const float* from, int blocks) {
  dim3 grid{blocks + 1L};
  own<<<grid, 1>>>(to, from);
  printf("%"PRId64, static_cast<int64_t>(blocks));
}

cudaError_t prefetch(const void* p, size_t bytes, int device, cudaMemLocation to, cudaStream_t stream) {
  if (cudaMemPrefetchAsync(p, bytes, to, 0, stream) != cudaSuccess) return cudaErrorUnknown;
  return cudaMemPrefetchAsync(p, bytes, device, stream);
}
"""
WORDS = """#include <cuda_runtime.h>
#include <cstdio>
const unsigned inputs[] = {0, 1, 0x7fff7f80, 0x80008081, 0xffff01fe, 0x12345678, 0x9abcdef0, 0x80ff7f00, 0xffffffff};
int main() {
  for (unsigned a : inputs)
    for (unsigned b : inputs) {
      CALLS
    }
}
"""
FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "abs": lambda x, y: abs(x),
    "absdiff": lambda x, y: abs(x - y),
    "add": lambda x, y: x + y,
    "avgs": lambda x, y: (x + y + (x + y >= 0)) >> 1,
    "avgu": lambda x, y: (x + y + 1) >> 1,
    "eq": lambda x, y: x == y,
    "ge": lambda x, y: x >= y,
    "gt": lambda x, y: x > y,
    "hadd": lambda x, y: (x + y) >> 1,
    "le": lambda x, y: x <= y,
    "lt": lambda x, y: x < y,
    "max": max,
    "min": min,
    "ne": lambda x, y: x != y,
    "neg": lambda x, y: -x,
    "sad": lambda x, y: abs(x - y),
    "sub": lambda x, y: x - y,
}
"""Maps a part of the name of one of CUDA's SIMD intrinsics to the function of two elements (CUDA Math API)."""
NAME = re.compile(
    r"__v(?P<result>cmp|set|)(?P<function>absdiff|abs|neg|add|sub|max|min|sad|avg|hadd|eq|ne|ge|gt|le|lt)"
    r"(?P<saturated>ss|us|)(?P<sign>[su]?)(?P<count>[24])"
)


@pytest.fixture
def profile() -> Profile:
    sdk = os.environ.get(SDK)
    if not sdk:
        pytest.skip(f"{SDK} names no SDK; build_scripts/test fetches it")
    profile = rule_cache.rule_set(MappingLibrary.find(()), "hip", "2.6.0").profile
    return vendor_sdk.apply(profile, Path(sdk))


def compile_port(profile: Profile, text: str, folder: Path, options: Sequence[str]) -> str:
    """Port a program to hip, compile the port, and return the compiler's messages if it fails."""
    (folder / "program.cu").write_text(text)
    command = ["port", str(folder / "program.cu"), "--target", "hip", "--out"]
    assert call([*command, str(folder / "out")]) == 0
    flags = [flag for flag in profile.compiler_flags if flag != "-DUSE_ROCM"]
    flags += [f"-I{place}" for place in profile.build.include]
    source = folder / "out" / "hip" / "src" / "program.hip"
    done = subprocess.run(
        [*shlex.split(profile.compiler), *flags, *options, str(source)],
        check=False,
        capture_output=True,
        text=True,
    )
    return done.stderr[-3000:] if done.returncode else ""


@pytest.mark.slow
@pytest.mark.release
@pytest.mark.parametrize("text", [PROGRAM, LANES], ids=["program", "lanes"])
def test_a_program_compiles_for_the_host_and_two_devices(
    profile: Profile, tmp_path: Path, text: str
) -> None:
    assert compile_port(profile, text, tmp_path, ["-fsyntax-only"]) == ""


@pytest.mark.slow
@pytest.mark.release
def test_functions_of_packed_integers_have_cudas_results(profile: Profile, tmp_path: Path) -> None:
    rules = rule_cache.rule_set(MappingLibrary.find(()), "hip", "2.6.0")
    names = sorted(name for name in rules.exact if NAME.fullmatch(name))
    assert len(names) == 82
    unary = ("__vabs2", "__vabs4", "__vabsss", "__vneg")
    calls = (
        f'printf("{name} %u %u %u\\n", a, b, {name}({"a" if name.startswith(unary) else "a, b"}));'
        for name in names
    )
    program = tmp_path / "program"
    options = ["-x", "c++", "-O1", "-o", str(program)]
    text = WORDS.replace("CALLS", "\n      ".join(calls))
    assert compile_port(profile, text, tmp_path, options) == ""
    done = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == 81 * len(names)
    wrong = [line for line in lines if packed(line[0], int(line[1]), int(line[2])) != int(line[3])]
    assert wrong == []


def packed(name: str, a: int, b: int) -> int:
    """Result of one of CUDA's SIMD intrinsics."""
    part = NAME.fullmatch(name)
    assert part
    bits = 32 // int(part["count"])
    one = 1 << bits
    is_signed = (
        part["saturated"] == "ss" or part["sign"] == "s" or part["function"] in ("abs", "neg")
    )
    function = FUNCTIONS[part["function"] + (part["sign"] if part["function"] == "avg" else "")]
    pairs = zip(elements(a, bits, is_signed), elements(b, bits, is_signed), strict=True)
    found = [int(function(x, y)) for x, y in pairs]
    if part["function"] == "sad":
        return sum(found)
    if part["result"] == "cmp":
        found = [-value for value in found]
    if part["saturated"]:
        low, high = (-one // 2, one // 2 - 1) if is_signed else (0, one - 1)
        found = [min(max(value, low), high) for value in found]
    return sum((value % one) << bits * place for place, value in enumerate(found))


def elements(word: int, bits: int, is_signed: bool) -> list[int]:
    """Integers in a word of 32 bits, beginning with the lowest bits."""
    one = 1 << bits
    found = [(word >> place) % one for place in range(0, 32, bits)]
    return [value - one if is_signed and value >= one // 2 else value for value in found]
