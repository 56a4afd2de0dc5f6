"""`simtcc` as the CUDA compiler of CMake projects and Makefiles."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from simt_programs import libsimt
from simtcc_project import PROGRAM, toolkit_folder
from workshop import write_files

pytestmark = pytest.mark.slow

CMAKE = """\
cmake_minimum_required(VERSION 3.18)
project(program LANGUAGES CUDA)
find_package(CUDAToolkit REQUIRED)
add_library(parts STATIC src/scale.cu src/other.cu)
target_include_directories(parts PUBLIC include)
target_compile_definitions(parts PRIVATE STEP=1)
set_target_properties(parts PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_executable(program src/main.cu)
target_link_libraries(program PRIVATE parts CUDA::cublas)
"""


def built_by_cmake() -> str:
    """Output of `program` of the CMake project in the current folder."""
    for command in (["cmake", "-S", ".", "-B", "b"], ["cmake", "--build", "b"], ["b/program"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def project(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty folder of a project, the current one, with the environment of simtcc."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
    monkeypatch.setenv("PORTER_CACHE", str(cache))
    return tmp_path


def test_cmake_takes_simtcc_as_its_cuda_compiler(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(project, {**PROGRAM, "CMakeLists.txt": CMAKE})
    monkeypatch.setenv("CUDACXX", str(Path(sys.executable).with_name("simtcc")))
    assert built_by_cmake().startswith("no error 379 ")


OPENMP = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.18)
project(program LANGUAGES CXX CUDA)
find_package(OpenMP REQUIRED)
add_executable(program main.cpp count.cu)
target_link_libraries(program PRIVATE OpenMP::OpenMP_CXX)
""",
    "main.cpp": "int count();\nint main() { return count() < 1; }\n",
    "count.cu": """\
#include <omp.h>
__global__ void nothing() {}
int count() {
  nothing<<<1, 1>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? omp_get_num_procs() : 0;
}
""",
}


def test_cmake_links_cpp_and_cuda_sources_with_openmp(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # CMake reads the libraries from the verbose output of the linker.
    write_files(project, OPENMP)
    toolkit = toolkit_folder()
    monkeypatch.setenv("CUDACXX", str(toolkit / "bin/nvcc"))
    monkeypatch.setenv("CXX", str(toolkit / "bin/c++"))
    built_by_cmake()


PACKAGES = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.18)
project(program LANGUAGES CXX CUDA)
find_package(CUB 2.0 REQUIRED CONFIG)
find_package(Thrust REQUIRED CONFIG)
find_package(libcudacxx REQUIRED CONFIG)
thrust_create_target(ThrustOfDevice HOST CPP DEVICE CUDA)
add_executable(program sum.cu)
target_link_libraries(program PRIVATE ThrustOfDevice CUB::CUB libcudacxx::libcudacxx)
""",
    "sum.cu": """\
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
int main() {
  thrust::device_vector<int> ones(100, 1);
  return thrust::reduce(ones.begin(), ones.end()) - 100;
}
""",
}


def test_cmake_finds_the_packages_of_thrust_and_cub(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(project, PACKAGES)
    toolkit = toolkit_folder()
    monkeypatch.setenv("CUDACXX", str(toolkit / "bin/nvcc"))
    monkeypatch.setenv("CMAKE_PREFIX_PATH", str(toolkit))
    built_by_cmake()


MAKEFILE = """\
OBJECTS = main.o scale.o other.o
program: $(OBJECTS)
\tg++ -o $@ $(OBJECTS) -L$(CUDA)/lib64/stubs -lcuda -L$(CUDA)/lib64 -lcudart -lcublas -Wl,-rpath=$(CUDA)/lib64
main.o: src/main.cpp
\tg++ -std=c++11 -Iinclude -I$(CUDA)/include -c $<
%.o: src/%.cu
\tnvcc -rdc=true -Iinclude -DSTEP=1 -c $< -o $@
"""


MAIN = """\
#include <cublas_v2.h>
#include <cstdio>
void run(float* x);
int main() {
  float* x;
  cudaMallocManaged(&x, 64 * sizeof(float));
  x[63] = 63;
  run(x);
  cudaError_t status = cudaDeviceSynchronize();
  printf("%s %g\\n", cudaGetErrorString(status), x[63]);
}
"""


def test_a_makefile_that_calls_compilers_by_name(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The toolkit's folder `compilers` stands first on PATH. The program finds libsimt.so in CUDA's folder."""
    scale = f"{PROGRAM['src/scale.cu']}void run(float* x) {{ scale<<<2, 32>>>(x, 3.f, 64); }}\n"
    files = {**PROGRAM, "src/scale.cu": scale, "src/main.cpp": MAIN, "Makefile": MAKEFILE}
    write_files(project, files)
    folder = toolkit_folder()
    monkeypatch.setenv("PATH", f"{folder}/compilers{os.pathsep}{os.environ['PATH']}")
    for command in (["make", f"CUDA={folder}"], ["./program"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "no error 379\n"
    # A toolkit that is made under this PATH calls the system's compiler.
    monkeypatch.setenv("PORTER_CACHE", str(project / "another"))
    assert "compilers" not in (toolkit_folder() / "toolkit.json").read_text()
