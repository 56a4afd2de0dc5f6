"""`simtcc`: programs that load modules, libraries and compiled kernels at run time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from simt_programs import libsimt
from simtcc_project import Simtcc, toolkit_folder
from workshop import write_files

pytestmark = pytest.mark.slow

COMPILED_AGAIN = r"""
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <string>

extern "C" __global__ void k(int* p) { *p = 3; }

int run(const char* text) {
  nvrtcProgram program;
  size_t size = 0;
  nvrtcCreateProgram(&program, text, "k.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS) return -1;
  nvrtcGetPTXSize(program, &size);
  std::string image(size, 0);
  nvrtcGetPTX(program, &image[0]);
  CUmodule module;
  CUfunction function;
  CUdeviceptr p;
  cuModuleLoadData(&module, image.data());
  cuModuleGetFunction(&function, module, "k");
  cuMemAlloc(&p, 4);
  void* arguments[] = {&p};
  if (cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr)) return -2;
  int value = 0;
  cuMemcpyDtoH(&value, p, 4);
  return value;
}

int main() {
  printf("%d\n", run("extern \"C\" __global__ void k(int* p) { *p = 41; }"));
}
"""


def test_a_program_of_nvrtc_has_a_kernel_of_the_same_name(
    simtcc: Simtcc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIMT_RTC_COMPILER", str(Path(sys.executable).with_name("simtcc")))
    write_files(tmp_path, {"again.cu": COMPILED_AGAIN})
    done = simtcc("again.cu", "-lcuda", "-lnvrtc", "-run")
    assert (done.stderr, done.stdout) == ("", "41\n")


MODULE = r"""
#include <cuda.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main() {
  CUmodule first, second;
  CUfunction add;
  CUdeviceptr p, variable;
  size_t size = 0;
  int count = 3, value = 0;
  cuInit(0);
  printf("%d %d\n", cuModuleLoad(&first, "none.ptx"), cuModuleLoad(&first, "module.cpp"));
  // Programs read PTX as a text.
  std::ifstream text("add.ptx");
  const std::string ptx{std::istreambuf_iterator<char>(text), {}};
  if (cuModuleLoadData(&first, std::string(ptx.c_str()).c_str())) return 1;
  const std::string half(ptx, 0, ptx.size() / 2);
  if (cuModuleLoadData(&first, half.c_str()) != CUDA_ERROR_INVALID_IMAGE) return 1;
  if (cuModuleLoad(&first, "add.ptx")) return 1;
  std::ifstream file("add.fatbin", std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  if (cuModuleLoadData(&second, image.data())) return 2;
  cuMemAlloc(&p, sizeof(int));
  for (CUmodule module : {first, second, second}) {
    if (cuModuleGetFunction(&add, module, "add")) return 3;
    cuMemsetD32(p, 0, 1);
    void* arguments[] = {&p, &count};
    if (cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr)) return 4;
    cuMemcpyDtoH(&value, p, sizeof value);
    printf("%d ", value);
  }
  cuModuleGetGlobal(&variable, &size, second, "calls");
  cuMemcpyDtoH(&value, variable, sizeof value);
  printf("%zu %d\n", size, value);

  // Arguments in one buffer, each at a multiple of its alignment.
  struct { CUdeviceptr p; int count; } packed{p, 5};
  size_t bytes = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  printf("%d ", cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  cuMemcpyDtoH(&value, p, sizeof value);
  bytes = 8;
  printf("%d %d\n", value, cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));

  // The linker and its options.
  char log[8] = "text";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  CUlinkState state;
  void* linked;
  if (cuLinkCreate(2, options, values, &state)) return 5;
  char other[] = "// PTX of another compiler, which is longer than the header of a shared library";
  if (cuLinkAddData(state, CU_JIT_INPUT_PTX, other, sizeof other, "no", 0, 0, 0) != CUDA_ERROR_INVALID_IMAGE) return 6;
  if (cuLinkAddFile(state, CU_JIT_INPUT_PTX, "add.ptx", 0, 0, 0) || cuLinkComplete(state, &linked, &size)) return 7;
  if (cuModuleLoadDataEx(&first, linked, 2, options, values) || cuLinkDestroy(state) || *log) return 8;
  CUfunction again;
  if (cuModuleGetFunction(&again, first, "add")) return 9;

  // Launches of CUDA 3: the function holds its configuration.
  cuFuncSetBlockShape(add, 1, 1, 1);
  cuParamSetv(add, 0, &p, sizeof p);
  cuParamSeti(add, 8, 2);
  printf("%d ", cuLaunchGrid(add, 1, 1));
  cuParamSetSize(add, 12);
  printf("%d ", cuLaunchGrid(add, 1, 1));
  cuMemcpyDtoH(&value, p, sizeof value);
  printf("%d\n", value);

  int blocks = 0, threads = 0;
  cuOccupancyMaxPotentialBlockSize(&blocks, &threads, add, [](int size) -> size_t { return size; }, 0, 128);
  printf("%d %d\n", threads, blocks > 0);
}
"""


LOADED = """
import ctypes as c
runtime, driver = c.CDLL("libcudart.so.12"), c.CDLL("libcuda.so.1")
management, blas = c.CDLL("libnvidia-ml.so.1"), c.CDLL("libcublas.so.12")
p, q, handle, device = c.c_void_p(), c.c_uint64(), c.c_void_p(), c.c_void_p()
size, given, copied = c.c_size_t(16), (c.c_int * 4)(1, 2, 3, 4), (c.c_int * 4)()
results = [
    runtime.cudaMalloc(c.byref(p), size),
    runtime.cudaMemcpy(p, given, size, 1),
    runtime.cudaMemcpy(copied, p, size, 2),
    driver.cuInit(0),
    driver.cuMemAlloc_v2(c.byref(q), size),
    driver.cuMemcpyDtoD_v2(q, c.c_uint64(p.value), size),
    driver.cuMemFree_v2(q),
    management.nvmlInit_v2(),
    management.nvmlDeviceGetHandleByIndex_v2(0, c.byref(device)),
    blas.cublasCreate_v2(c.byref(handle)),
    blas.cublasDestroy_v2(handle),
]
print(set(results), list(copied))
"""


def test_programs_load_libraries_by_cudas_file_names(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
    write_files(tmp_path, {"loaded.py": LOADED})
    done = subprocess.run(
        [sys.executable, "loaded.py"],
        cwd=tmp_path,
        env={**os.environ, "LD_LIBRARY_PATH": str(toolkit_folder() / "lib64")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stderr, done.stdout) == ("", "{0} [1, 2, 3, 4]\n")


def test_modules_in_files(simtcc: Simtcc, tmp_path: Path) -> None:
    kernel = """\
__device__ int calls;
extern "C" __global__ void add(int* p, int count) { *p += count + 10 * ++calls; }
"""
    write_files(tmp_path, {"add.cu": kernel, "module.cpp": MODULE})
    for option in ("-ptx", "-fatbin"):
        done = simtcc(option, "-arch=sm_80", "add.cu")
        assert (done.returncode, done.stderr) == (0, "")
    done = simtcc("module.cpp", "-lcuda", "-run")
    assert (done.stderr, done.stdout) == ("", "301 200\n13 13 23 4 2\n0 58 1\n0 0 152\n128 1\n")
