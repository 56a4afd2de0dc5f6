"""Build contract of a port, as JSON and for make, setuptools and CMake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from simt_programs import libsimt
from workshop import write_files

from porter.cli.main import call

PROJECT = {
    "src/sum.cu": "#include <cublas_v2.h>\n#if CUDA_VERSION >= 12000\n__global__ void k() {}\n#endif\n",
    "CMakeLists.txt": "project(sum LANGUAGES CUDA)\nadd_executable(sum src/sum.cu)\n",
}


SIMT_PROJECT = {
    "src/scale.cuh": "#pragma once\nint scaled(int x);\n",
    "src/scale.cu": """\
#include "scale.cuh"
#if CUDART_VERSION < 11000
#error the version macro has no value
#endif
__global__ void scale(int* x) { *x *= 3; }
int scaled(int value) {
  int* x;
  cudaMallocManaged(&x, sizeof *x);
  *x = value;
  scale<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  value = *x;
  cudaFree(x);
  return value;
}
""",
    "src/main.cu": """\
#include <cstdio>
#include "scale.cuh"
int main() { printf("%d\\n", scaled(14)); }
""",
    "src/module.cu": """\
#include <Python.h>
#include "scale.cuh"
static PyObject* run(PyObject*, PyObject*) { return PyLong_FromLong(scaled(14)); }
static PyMethodDef methods[] = {{"run", run, METH_NOARGS, ""}, {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "scale", "", -1, methods};
PyMODINIT_FUNC PyInit_scale() { return PyModule_Create(&module); }
""",
}
BUILDS = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.18)
project(scale LANGUAGES CXX)
find_package(simt_port CONFIG REQUIRED PATHS ported/simt/contract NO_DEFAULT_PATH)
add_executable(program ${simt_port_SRC}/src/main.cu ${simt_port_SRC}/src/scale.cu)
simt_port_sources(program)
target_link_libraries(program PRIVATE simt_port::simt_port)
""",
    "Makefile": """\
include ported/simt/contract/contract.mk
program: $(SIMT_PORT_SRC)/src/main.cu $(SIMT_PORT_SRC)/src/scale.cu
\t$(SIMT_PORT_CXX) $(SIMT_PORT_FLAGS) $^ -o $@ $(SIMT_PORT_LIBS)
""",
    "setup.py": """\
import sys
from setuptools import Extension, setup
sys.path.insert(0, "ported/simt/contract")
import contract
sources = contract.sources(["src/scale.cu", "src/module.cu"])
extension = Extension("scale", sources, **contract.extension_arguments())
setup(name="scale", ext_modules=[extension], cmdclass={"build_ext": contract.BuildExtension})
""",
}
PYTHON = sys.executable


@pytest.mark.slow  # compiles programs
@pytest.mark.parametrize(
    "commands",
    [
        pytest.param(
            (["cmake", "-S", ".", "-B", "b"], ["cmake", "--build", "b"], ["b/program"]), id="cmake"
        ),
        pytest.param((["make", "program"], ["./program"]), id="make"),
        pytest.param(
            (
                [PYTHON, "setup.py", "build_ext", "--inplace"],
                [PYTHON, "-c", "import scale; print(scale.run())"],
            ),
            id="setuptools",
        ),
    ],
)
def test_a_build_system_builds_a_port_by_its_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commands: tuple[list[str], ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
    monkeypatch.setenv("PATH", f"{Path(PYTHON).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    write_files(tmp_path / "project", SIMT_PROJECT)
    write_files(tmp_path, BUILDS)
    assert call(["port", "project", "--target", "simt", "--out", "ported"]) == 0
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "42\n"


@pytest.fixture
def contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of the contract of a port to hip."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "project", PROJECT)
    assert call(["port", "project", "--target", "hip", "--out", "ported"]) == 0
    return tmp_path / "ported/hip/contract"


def test_json_states_flags_files_macros_and_libraries(contract: Path) -> None:
    data = json.loads((contract / "contract.json").read_text())
    assert data["schema"] == 1
    assert data["compiler"] == "hipcc"
    assert data["device_flags"][-2:] == ["-include", "hip/hip_runtime.h"]
    assert "-lhipblas" in data["link"]
    assert data["files"] == {"src/sum.cu": "src/sum.hip"}
    assert data["macros"]["CUDA_VERSION"] == "HIP_COMPAT_VERSION"
    assert "cublas" in data["libraries"]
    assert data["unsupported_libraries"]["cupti"].startswith("ROCm traces with")
    assert "#define HIP_COMPAT_VERSION 603\n" in (contract / "hip_compat.h").read_text()


def test_make_and_setuptools_see_the_same_flags(contract: Path, tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "include ported/hip/contract/contract.mk\nall:\n\t@echo $(HIP_PORT_CXX) $(HIP_PORT_FLAGS) $(HIP_PORT_LIBS)\n"
    )
    said = subprocess.run(
        ["make", "-s"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    data = json.loads((contract / "contract.json").read_text())
    words = said.split()
    assert words[0] == "hipcc"
    assert set(data["device_flags"]) | set(data["link"]) < set(words)
    place: dict[str, object] = {"__file__": str(contract / "contract.py")}
    exec((contract / "contract.py").read_text(), place)
    arguments = place["extension_arguments"]()  # type: ignore[operator]
    assert arguments["extra_link_args"] == data["link"]
    assert arguments["extra_compile_args"][-1] == str(contract / "hip_compat.h")
    (source,) = place["sources"](["src/sum.cu"])  # type: ignore[operator]
    assert Path(source).is_file()


def test_a_second_port_keeps_an_equal_contract(contract: Path) -> None:
    before = {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in contract.iterdir()
    }
    assert call(["port", "project", "--target", "hip", "--out", "ported"]) == 0
    (contract.parents[2] / "project/src/sum.cu").write_text("int x;\n")
    assert call(["port", "project", "--target", "hip", "--out", "ported"]) == 0
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in contract.iterdir()}
    assert before == after
    assert set(after) == {
        "contract.json",
        "contract.mk",
        "contract.py",
        "hip_compat.h",
        "hip_port-config.cmake",
    }
