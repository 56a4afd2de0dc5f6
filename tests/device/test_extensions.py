"""Packages that extend PyTorch for CUDA, built without edits for the installed backend, and run on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from workshop import write_files

pytestmark = pytest.mark.slow

KERNEL = """\
#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include "limits.cuh"

__global__ void clip_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = clip(x[i]);
}

at::Tensor clip_cuda(at::Tensor x) {
  TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
  auto y = at::empty_like(x);
  int n = x.numel();
  auto stream = at::cuda::getCurrentCUDAStream();
  clip_kernel<<<(n + 255) / 256, 256, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""
BINDING = """\
#include <torch/library.h>
#include <ATen/ATen.h>
#include <Python.h>
#ifdef WITH_CUDA
#include <cuda.h>
at::Tensor clip_cuda(at::Tensor x);
#endif
at::Tensor clip(at::Tensor x) {
#ifdef WITH_CUDA
  if (x.device().is_cuda()) return clip_cuda(x);
#endif
  return x.clamp(-1, 1);
}
TORCH_LIBRARY(clipping, m) { m.def("clip(Tensor x) -> Tensor", clip); }
extern "C" PyObject* PyInit__C(void) {
  static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_C", nullptr, -1, nullptr};
  return PyModule_Create(&module);
}
"""
SETUP = """\
import os

import torch
from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension

assert torch.cuda.is_available() and CUDA_HOME is not None
setup(
    name="clipping",
    version="1.0",
    packages=["clipping"],
    ext_modules=[
        CUDAExtension(
            "clipping._C",
            ["csrc/bind.cpp", "csrc/clip.cu"],
            include_dirs=[os.path.abspath("csrc/include")],
            define_macros=[("WITH_CUDA", None)],
            extra_compile_args={"cxx": ["-O1"], "nvcc": ["-O3", "--use_fast_math", "-arch=sm_80"]},
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
"""
LATE_SETUP = """\
from setuptools import setup

setup(name="clipping", version="1.0", packages=["clipping"], package_data={"clipping": ["*.cu"]})
"""
"""The package compiles its kernels at its first import, by `torch.utils.cpp_extension.load`."""
PACKAGE = {
    "setup.py": SETUP,
    "clipping/__init__.py": 'import torch\nfrom . import _C\nDEVICE = "cuda"\n',
    "csrc/clip.cu": KERNEL,
    "csrc/bind.cpp": BINDING,
    "csrc/include/limits.cuh": "__device__ inline float clip(float x) { return fminf(fmaxf(x, -1.f), 1.f); }\n",
}
USE = """\
import torch, clipping
x = torch.randn(1000)
y = torch.ops.clipping.clip(x.to("simt"))
assert y.device.type == "simt", y.device
assert torch.equal(y.cpu(), x.clamp(-1, 1))
assert torch.equal(torch.ops.clipping.clip(x), x.clamp(-1, 1))
"""


def build(folder: Path, package: str, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "porter", "extension", "build", package, "--target", "simt"]
    command += ["--out", "wheels", "-j", "1", *more]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_an_unmodified_package_becomes_a_wheel(tmp_path: Path) -> None:
    write_files(tmp_path / "clipping", PACKAGE)
    done = build(tmp_path, "clipping", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    place = tmp_path / "wheels/clipping-1.0"
    assert {path.name for path in place.iterdir()} == {told["wheel"], "report.json", "report.md"}
    (library,) = told["libraries"]
    assert library["uses_device"]
    assert told["python_lines"] == [
        {"path": "clipping/__init__.py", "line": 3, "text": 'DEVICE = "cuda"'}
    ]
    assert told["port"]["edits"] > 5
    with zipfile.ZipFile(place / told["wheel"]) as wheel:
        wheel.extractall(tmp_path / "site")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    used = subprocess.run(
        [sys.executable, "-c", USE], env=environment, capture_output=True, text=True, check=False
    )
    assert used.returncode == 0, used.stderr
    # The sources of the package are untouched.
    assert not (tmp_path / "clipping/build").exists()
    assert (tmp_path / "clipping/csrc/clip.cu").read_text() == KERNEL


@pytest.mark.parametrize(
    ("changes", "code", "said"),
    [
        (
            {"csrc/clip.cu": "#include <cuda.h>\n\nint f() {\n  return cudaMalloc(3);\n}\n"},
            7,
            [
                "error: csrc/clip.cu:4: the package does not compile\n",
                "csrc/clip.cu:4: note: porter: cudaMalloc became simtMalloc (simt/",
            ],
        ),
        (
            {"csrc/clip.cu": '#include "left_out.cuh"\n'},
            7,
            [
                "help: the package's sources do not contain left_out.cuh: if the header is the package's own"
            ],
        ),
        (
            {"setup.py": "raise ValueError('no licence')\n"},
            7,
            ["error: clipping: the package's own build failed\n", "ValueError: no licence"],
        ),
        (
            {"setup.py": "import torch\nimport no_such_module\n"},
            7,
            [
                "help: install what the build needs, in the environment of --python: pip install no_such_module"
            ],
        ),
        (
            {"setup.py": LATE_SETUP, "clipping/clip.cu": KERNEL},
            7,
            [
                "error: clipping: the package has no library to build: it compiles its CUDA sources when",
                "help: pip install --no-deps ./clipping, and run programs by: python -m torch_simt.as_cuda",
            ],
        ),
    ],
)
def test_a_package_that_does_not_build(
    tmp_path: Path, changes: dict[str, str], code: int, said: list[str]
) -> None:
    sources = {**PACKAGE, **changes}
    # Only the kernel is compiled: the error must not depend on the binding, which takes long.
    if "setup.py" not in changes:
        sources["setup.py"] = SETUP.replace('"csrc/bind.cpp", ', "")
    write_files(tmp_path / "clipping", sources)
    done = build(tmp_path, "clipping")
    assert done.returncode == code, done.stderr
    for text in said:
        assert text in done.stderr
    assert "Traceback (most recent call last)" not in done.stderr.split("\n")[0]
    assert not (tmp_path / "wheels").exists()


@pytest.mark.parametrize(
    ("files", "given", "code", "said"),
    [
        ({"pack.tar.gz": "no archive"}, "pack.tar.gz", 4, "error: pack.tar.gz: is no sdist: "),
        (
            {"pack/a.cu": "int x;"},
            "pack",
            4,
            "error: pack: contains neither setup.py nor pyproject.toml\n",
        ),
        (
            {"pack/setup.py": "", "pack/a.cpp": "int x;"},
            "pack",
            4,
            "error: pack: the package contains no CUDA source\n  help: install it as it is: pip install ./pack\n",
        ),
        ({"pack/setup.py": ""}, "pack", 4, "error: pack: the package contains no CUDA source\n"),
        ({}, "no/such/folder", 4, "error: no/such/folder: no such file or folder\n"),
    ],
)
def test_material_that_is_no_package(
    tmp_path: Path, files: dict[str, str], given: str, code: int, said: str
) -> None:
    write_files(tmp_path, files)
    done = build(tmp_path, given)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert not (tmp_path / "wheels").exists()


def run_with_toolkit(toolkit: Path, program: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "TORCH_SIMT_AS_CUDA_TOOLKIT": str(toolkit)}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def succeed_with_toolkit(folder: Path, program: str) -> None:
    """Run a program with a toolkit in `folder` whose nvcc it does not call. Fails if the program does."""
    write_files(folder, {"toolkit/bin/nvcc": ""})
    done = run_with_toolkit(folder / "toolkit", program)
    assert done.returncode == 0, done.stderr


def test_a_folder_that_is_no_toolkit_is_an_error_when_torch_is_imported(tmp_path: Path) -> None:
    done = run_with_toolkit(tmp_path / "toolkit", "import torch")
    assert done.returncode != 0
    assert f"names no toolkit: {tmp_path}/toolkit/bin/nvcc is missing\n  help: set " in done.stderr


def test_a_package_that_builds_without_ninja_is_compiled_in_parallel(tmp_path: Path) -> None:
    program = (
        "import contextlib, os, torch; from setuptools import Distribution, Extension\n"
        "from torch.utils.cpp_extension import BuildExtension as B, CUDA_HOME\n"
        "assert CUDA_HOME.endswith('toolkit'), CUDA_HOME\n"
        "assert B.with_options(use_ninja=False)(Distribution()).use_ninja\n"
        "assert B(Distribution()).use_ninja\n"
        # ninja runs in another folder. No source exists, so that nothing is compiled.
        "one = Extension('x', [], include_dirs=['inc'])\n"
        "build = B(Distribution({'ext_modules': [one]}))\n"
        "build.finalize_options()\n"
        "with contextlib.suppress(AttributeError): build.build_extensions()\n"
        "assert one.include_dirs[0] == os.path.abspath('inc'), one.include_dirs\n"
    )
    succeed_with_toolkit(tmp_path, program)


def test_a_build_of_pytorch_without_cuda_is_reported_as_built_for_cuda(tmp_path: Path) -> None:
    program = (
        "import torch\n"
        "torch._C._has_cuda = torch._C.has_cuda = False  # as in a build for the CPU\n"
        "assert torch.backends.cuda.is_built()\n"
        "assert torch.has_cuda  # inplace-abn selects its sources by this name\n"
    )
    succeed_with_toolkit(tmp_path, program)
