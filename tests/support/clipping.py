"""Small package `clipping` with one kernel, written for CUDA. Its source includes no header of PyTorch, so that it
compiles in a second."""

from __future__ import annotations

import tarfile
from pathlib import Path

from workshop import write_files

KERNEL = """\
#include <Python.h>
#include <cuda_runtime.h>
#include "limits.cuh"

__global__ void clip_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = clip(x[i]);
}

static PyObject* run(PyObject*, PyObject* args) {
  unsigned long long x, y;
  int n;
  if (!PyArg_ParseTuple(args, "KKi", &x, &y, &n)) return nullptr;
  clip_kernel<<<(n + 255) / 256, 256>>>((const float*)x, (float*)y, n);
  cudaError_t status = cudaDeviceSynchronize();
  return PyUnicode_FromString(cudaGetErrorString(status));
}

static PyMethodDef methods[] = {{"run", run, METH_VARARGS, ""}, {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_C", nullptr, -1, methods};
PyMODINIT_FUNC PyInit__C(void) { return PyModule_Create(&module); }
"""
HEADER = "__device__ inline float clip(float x) { return fminf(fmaxf(x, -1.f), 1.f); }\n"
SETUP = """\
import torch
from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CUDAExtension

assert torch.cuda.is_available() and CUDA_HOME is not None
setup(
    name="clipping",
    version="1.0",
    packages=["clipping"],
    ext_modules=[CUDAExtension("clipping._C", ["csrc/clip.cu"])],
    cmdclass={"build_ext": BuildExtension},
)
"""
WRONG_KERNEL = KERNEL.replace("int n;", "int n = cudaMalloc(3);")
WRONG_LINE = 1 + WRONG_KERNEL[: WRONG_KERNEL.index("cudaMalloc(3)")].count("\n")
CHECK = """
x = torch.randn(1000, device=DEVICE)
y = torch.empty_like(x)
assert module.run(x.data_ptr(), y.data_ptr(), 1000) == "no error"
assert torch.equal(y.cpu(), x.cpu().clamp(-1, 1))
"""
"""Python statements that run the kernel of `module` on the device `DEVICE`."""


def write_sdist(folder: Path, kernel: str = KERNEL) -> Path:
    """Write the package's sdist into a folder."""
    files = {
        "PKG-INFO": "Metadata-Version: 2.1\nName: clipping\nVersion: 1.0\n",
        "setup.py": SETUP,
        "clipping/__init__.py": "from ._C import run\n",
        "csrc/clip.cu": kernel,
        "csrc/limits.cuh": HEADER,
    }
    write_files(folder / "clipping-1.0", files)
    sdist = folder / "clipping-1.0.tar.gz"
    with tarfile.open(sdist, "w:gz") as archive:
        archive.add(folder / "clipping-1.0", "clipping-1.0")
    return sdist
