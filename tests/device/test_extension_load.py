"""`load` and `load_inline` of the backend's `cpp_extension`, and of PyTorch's under the device name `cuda`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from clipping import CHECK, HEADER, KERNEL
from workshop import write_files

pytestmark = pytest.mark.slow


def python(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with an own cache of PyTorch for built extensions."""
    own = {"TORCH_EXTENSIONS_DIR": str(folder / "built"), "MAX_JOBS": "2", **environment}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=False,
    )


LOAD = f"""
import sys, torch
if sys.argv[1] == "simt":
    from torch_simt.utils.cpp_extension import CUDA_HOME, load
else:
    from torch.utils.cpp_extension import CUDA_HOME, load
DEVICE = sys.argv[1]
assert CUDA_HOME and CUDA_HOME in torch.utils.cpp_extension.include_paths("cuda")[-1] or DEVICE == "simt"
module = load("_C", ["clip.cu"], extra_cuda_cflags=["-DUNUSED"], verbose=True)
{CHECK}
again = load("_C", ["clip.cu"], extra_cuda_cflags=["-DUNUSED"], verbose=True)
assert again.__file__ == module.__file__
path = load("plain", ["clip.cu"], is_python_module=False)
assert path.endswith("plain.so"), path
"""


def test_load_compiles_a_source_once(tmp_path: Path) -> None:
    write_files(tmp_path, {"clip.cu": KERNEL, "limits.cuh": HEADER, "program.py": LOAD})
    done = python(tmp_path, "program.py", "simt")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("bin/nvcc ") == 1
    assert "No modifications detected" in done.stderr
    # PyTorch's own function finds the library in another process, because its command line is the same.
    built = next((tmp_path / "built").rglob("_C.so"))
    first = built.stat().st_mtime_ns
    done = python(tmp_path, "-m", "torch_simt.as_cuda", "program.py", "cuda")
    assert done.returncode == 0, done.stdout + done.stderr
    assert built.stat().st_mtime_ns == first
    write_files(tmp_path, {"limits.cuh": HEADER.replace("1.f", "2.f")})
    done = python(tmp_path, "-m", "torch_simt.as_cuda", "program.py", "cuda")
    assert "torch.equal" in done.stderr, done.stdout + done.stderr


INLINE = """
import io, contextlib, torch
from torch.utils.cpp_extension import load_inline

SOURCE = '''
__global__ void times_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * FACTOR;
}
at::Tensor times(at::Tensor x) {
  TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
  auto y = torch::empty_like(x);
  int n = x.numel();
  times_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
'''
BINDING = '''
at::Tensor times(at::Tensor x);
TORCH_LIBRARY(inlined, m) { m.def("times(Tensor x) -> Tensor", times); }
'''
options = dict(functions={"times": "x * FACTOR"}, extra_cuda_cflags=["-DFACTOR=3"], extra_cflags=["-O0"])
module = load_inline("inlined", [BINDING], [SOURCE], **options)
x = torch.randn(1000, device="cuda")
assert module.times.__doc__.endswith("x * FACTOR\\n"), module.times.__doc__
assert torch.equal(module.times(x), x * 3)
try:
    module.times(x.cpu())
except RuntimeError as error:
    assert "x must be a CUDA tensor" in str(error)
else:
    raise AssertionError("an error is missing")
assert load_inline("inlined", [BINDING], [SOURCE], **options).__file__ == module.__file__
assert torch.equal(torch.ops.inlined.times(x), x * 3)
"""


def test_load_inline_under_the_name_cuda(tmp_path: Path) -> None:
    write_files(tmp_path, {"program.py": INLINE})
    done = python(tmp_path, "-m", "torch_simt.as_cuda", "program.py")
    assert done.returncode == 0, done.stdout + done.stderr


WITHOUT_KERNELS = """
import pickle, torch
from torch.utils.cpp_extension import load_inline

SOURCE = '''
#include <c10/cuda/CUDAFunctions.h>
#include <torch/csrc/cuda/memory_snapshot.h>
void record(bool enabled) { torch::cuda::_record_memory_history(enabled, true, 10, true, true); }
py::bytes snapshot() { return torch::cuda::_memory_snapshot_pickled(); }
int current() { return c10::cuda::current_device(); }
'''
module = load_inline("host_only", [SOURCE], functions=["record", "snapshot", "current"])
module.record(True)
x = torch.ones(12345, device="cuda")
blocks = [
    block for segment in pickle.loads(module.snapshot())["segments"] for block in segment["blocks"]
    if block["requested_size"] == x.nbytes and block["state"] == "active_allocated"
]
module.record(False)
assert len(blocks) == 1 and "ones" in str(blocks[0]["frames"]), blocks
assert module.current() == 0
"""


def test_sources_without_kernels_call_functions_of_the_backend(tmp_path: Path) -> None:
    # load_inline names no library of CUDA, if no source is for CUDA.
    write_files(tmp_path, {"program.py": WITHOUT_KERNELS})
    done = python(tmp_path, "-m", "torch_simt.as_cuda", "program.py")
    assert done.returncode == 0, done.stdout + done.stderr


WITHOUT_PORTER = """
import importlib.util, torch
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name.startswith("porter") else find_spec(name, *more)
from torch.utils import cpp_extension
from torch.utils.cpp_extension import load

assert "torch/include" in cpp_extension.include_paths()[0]
module = load("_C", ["host.cpp"])
assert module.answer() == 42
try:
    load("other", ["clip.cu"])
except RuntimeError as error:
    assert "porter, which is not installed\\n  help: " in str(error), error
else:
    raise AssertionError("an error is missing")
"""
HOST = """\
#include <Python.h>
static PyObject* answer(PyObject*, PyObject*) { return PyLong_FromLong(42); }
static PyMethodDef methods[] = {{"answer", answer, METH_NOARGS, ""}, {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_C", nullptr, -1, methods};
PyMODINIT_FUNC PyInit__C(void) { return PyModule_Create(&module); }
"""


def test_without_porter_only_extensions_for_the_cpu_build(tmp_path: Path) -> None:
    write_files(tmp_path, {"clip.cu": KERNEL, "host.cpp": HOST, "program.py": WITHOUT_PORTER})
    # PATH without the program porter, but with ninja and the compiler.
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "ninja").symlink_to(Path(sys.executable).with_name("ninja"))
    path = f"{tools}{os.pathsep}/usr/bin{os.pathsep}/bin"
    done = python(tmp_path, "-m", "torch_simt.as_cuda", "program.py", PATH=path, CUDA_HOME="")
    assert done.returncode == 0, done.stdout + done.stderr
