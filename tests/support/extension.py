"""Small extension of PyTorch, and its expected port to the target `toy`."""

from __future__ import annotations

from pathlib import Path

from repository import TEST_MAPPINGS
from workshop import write_files

from porter.cli.main import call

PORT_TO_TOY = ["port", "--mappings", str(TEST_MAPPINGS), "-t", "toy", "--out", "out"]

EXTENSION = {
    "csrc/scale.cu": """\
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime.h>
#include <ext/math.cuh>
#include <torch/extension.h>

#include "../csrc/include/ext/launch.cuh"
#include "./cuda_helpers.h"

__global__ void scale_kernel(const float* in, float* out, float k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = twice(in[i]) * k;
}

at::Tensor scale_cuda(const at::Tensor& x, double k) {
  TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
  auto y = at::empty_like(x);
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  scale_kernel<<<blocks(x.numel()), 256, 0, stream>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), k, x.numel());
  cudaFrobnicate(nullptr);
  return y;
}
""",
    "csrc/include/ext/math.cuh": "__device__ inline float twice(float x) { return x + x; }\n",
    "csrc/include/ext/launch.cuh": "inline int blocks(long n) { return (n + 255) / 256; }\n",
    "csrc/cuda_helpers.h": "#pragma once\n",
    "csrc/bind.cpp": """\
#include <torch/extension.h>
at::Tensor scale_cuda(const at::Tensor&, double);
""",
    "setup.py": "from torch.utils.cpp_extension import CUDAExtension\n"
    'CUDAExtension("ext._C", ["csrc/scale.cu", "csrc/bind.cpp"])\n',
    "ext/__init__.py": "from ext._C import scale_cuda\n",
}
"""Typical extension of PyTorch: kernels, an include folder, bindings, setup.py."""

PORTED_SCALE = """\
#include <ATen/toy/TOYContext.h>
#include <c10/toy/TOYStream.h>
#include <toy_runtime.h>
#include <ext/math.tyh>
#include <torch/extension.h>

#include "include/ext/launch.tyh"
#include "./cuda_helpers.h"

__global__ void scale_kernel(const float* in, float* out, float k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = twice(in[i]) * k;
}

at::Tensor scale_cuda(const at::Tensor& x, double k) {
  TORCH_CHECK(x.is_privateuseone(), "x must be a CUDA tensor");
  auto y = at::empty_like(x);
  toyStream_t stream = at::toy::getCurrentTOYStream();
  TOY_LAUNCH((scale_kernel), (blocks(x.numel())), (256), (0), (stream),
      x.data_ptr<float>(), y.data_ptr<float>(), k, x.numel());
  cudaFrobnicate(nullptr);
  return y;
}
"""
"""Expected port of csrc/scale.cu to `toy`, written by hand according to the rules in tests/mappings and mappings."""


def port_to_toy(*args: str | Path) -> int:
    """Run `porter port` from the current folder to `out`; returns the exit code."""
    return call([*PORT_TO_TOY, *map(str, args)])


def write_extension(folder: Path) -> Path:
    """Write the extension into a folder, with one file that is not text."""
    write_files(folder, EXTENSION)
    (folder / "ext" / "weights.bin").write_bytes(b"\x00\x01\x02")
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
