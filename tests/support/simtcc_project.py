"""A project of three CUDA sources, and the type of the fixture that compiles such projects (`tests/cli/simtcc`)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

Simtcc = Callable[..., subprocess.CompletedProcess[str]]

PROGRAM = {
    "src/main.cu": """\
#include <cstdio>
#include "scale.cuh"

int main() {
  float* x;
  cudaMallocManaged(&x, 64 * sizeof(float));
  for (int i = 0; i < 64; i++) x[i] = i;
  scale<<<2, 32>>>(x, 3.f, 64);
  cudaError_t status = cudaDeviceSynchronize();
  printf("%s %g %s\\n", cudaGetErrorString(status), x[63], __FILE__);
}
""",
    "include/scale.cuh": """\
#pragma once
#include "detail/step.inl"
extern __device__ float other(float x);
__global__ void scale(float* x, float a, int n);
""",
    "include/detail/step.inl": "__device__ inline float twice(float x) { return x + x; }\n",
    "src/scale.cu": """\
#include "scale.cuh"
__global__ void scale(float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = other(twice(x[i]) * a);
}
""",
    "src/other.cu": "__device__ float other(float x) { return x + STEP; }\n",
}


def toolkit_folder() -> Path:
    """Folder that `porter toolkit` makes for target `simt`."""
    program = [sys.executable, "-m", "porter", "toolkit", "--target", "simt"]
    done = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=True)
    return Path(done.stdout.strip())
