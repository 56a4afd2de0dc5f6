"""CUDA programs that launch kernels by untyped addresses, ported and run on `simt`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from simt_programs import libsimt

from porter.cli.main import call
from porter.simt.build import link_flags, program_flags

pytestmark = pytest.mark.slow

MAIN = """
#include <cstdio>
#include <cuda_runtime.h>

struct Scale { float by; short add; };
enum class Mode : char { kAdd = 1, kSubtract = 2 };

__global__ void scale(float* x, int n, Scale how, Mode mode) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * how.by + (mode == Mode::kAdd ? how.add : -how.add);
}
template <typename T, int N, typename... A>
__global__ void __launch_bounds__(64) fill(T* x, A... a) {
  x[threadIdx.x] = T(N) + (T(0) + ... + T(a));
}
namespace {
__global__ void hidden(float* x) { *x = 42; }
}
extern "C" __global__ void plain_c(float* x) { *x = 43; }
template <class T> __global__ void special(T* x) { *x = 1; }
template <> __global__ void special<double>(double* x) { *x = 2.5; }
#define MADE(name, value) __global__ void name(float* x) { *x = value; }
MADE(made, 44)
__global__ void adds(float* x, float value) { *x += value; }
__global__ void adds(float* x, double value, int) { *x += value; }

extern void* elsewhere();
struct Entry { const char* name; void* kernel; };
static Entry table[] = {{"hidden", (void*)hidden}, {"plain_c", (void*)&plain_c}, {"made", (void*)made}};

void show(cudaError_t error, const float* x) {
  cudaDeviceSynchronize();
  std::printf("%d %g\\n", (int)error, *x);
}

int main() {
  float* x;
  cudaMallocManaged(&x, 256);
  *x = 3;
  int n = 8;
  Scale how{2.0f, 1};
  Mode mode = Mode::kSubtract;
  void* arguments[] = {&x, &n, &how, &mode};
  void (*typed)(float*, int, Scale, Mode) = scale;
  const void* kernel = (const void*)typed;
  show(cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, 0), x);
  double half = 0.5;
  int two = 2;
  void* more[] = {&x, &half, &two};
  show(cudaLaunchCooperativeKernel((void*)fill<float, 3, double, int>, dim3(1), dim3(4), more, 0, 0), x);
  for (Entry& entry : table) show(cudaLaunchKernel(entry.kernel, 1, 1, arguments, 0, 0), x);
  show(cudaLaunchKernel(reinterpret_cast<void*>(&special<float>), 1, 1, arguments, 0, 0), x);
  show(cudaLaunchKernel((void*)special<double>, 1, 1, arguments, 0, 0), x);
  std::printf("%g\\n", *(double*)x);
  show(cudaLaunchKernel(elsewhere(), 1, 1, arguments, 0, 0), x);
  show(cudaLaunchKernel(kernel, 1, 1, arguments, 60000, 0), x);
  cudaGetLastError();
  cudaFuncAttributes attributes;
  int blocks = 0, size = 0;
  std::printf("%d %d %d %d\\n", (int)cudaFuncGetAttributes(&attributes, kernel),
              (int)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536),
              (int)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0),
              (int)cudaOccupancyMaxPotentialBlockSize(&blocks, &size, kernel));
  show(cudaLaunchKernel(kernel, 1, 1, arguments, 60000, 0), x);
  cudaGetLastError();
  void (*second)(float*, double, int) = adds;
  show(cudaLaunchKernel((void*)second, 1, 1, more, 0, 0), x);
}
"""
OTHER = """
#include <cuda_runtime.h>
static __global__ void far_away(float* x) { *x = 77; }
void* elsewhere() { return (void*)far_away; }
"""
EXPECTED = """\
0 5
0 5.5
0 42
0 43
0 44
0 1
0 0
2.5
0 77
1 77
0 0 0 0
0 153
98 153
"""
"""One line for each launch: error, and the number that the kernel writes. Only cudaFuncSetAttribute grants 60,000
bytes of dynamic shared memory; the last kernel is overloaded.
"""


def test_a_host_pointer_of_a_kernel_is_enough(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "main.cu").write_text(MAIN)
    (project / "other.cu").write_text(OTHER)
    assert call(["port", str(project), "--target", "simt", "--out", str(tmp_path / "out")]) == 0
    ported = sorted((tmp_path / "out" / "simt" / "src").glob("*.cu"))
    program = tmp_path / "program"
    flags = [*link_flags(libsimt().parent), *program_flags()]
    subprocess.run(["g++", "-O2", *flags, *map(str, ported), "-o", str(program)], check=True)
    ran = subprocess.run([program], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == EXPECTED
    assert "simtLaunchKernel: nothing is known" in ran.stderr
    assert "adds(float*, double, int)" in ran.stderr
    assert "SIMT_KERNEL" in ran.stderr
