"""`simtcc`: nvcc's command line, errors, and the cache."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from simtcc_project import PROGRAM, Simtcc
from workshop import write_files

pytestmark = pytest.mark.slow


def test_several_files_with_device_functions_in_another_file(
    simtcc: Simtcc, tmp_path: Path
) -> None:
    write_files(tmp_path, PROGRAM)
    flags = (
        "-arch=sm_80",
        "-rdc=true",
        "-Iinclude",
        "-DSTEP=1",
        "-lcudart",
        "-lcublas",
        "-lineinfo",
    )
    done = simtcc(*flags, "src/main.cu", "src/scale.cu", "src/other.cu", "-o", "program")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    told = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=False)
    assert told.stdout == "no error 379 src/main.cu\n"


def test_separate_steps_and_dependencies(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, PROGRAM)
    for name in ("main", "scale", "other"):
        done = simtcc("-dc", "-MMD", "-Iinclude", "-DSTEP=1", f"src/{name}.cu", "-o", f"{name}.o")
        assert (done.returncode, done.stderr) == (0, "")
    rule = (tmp_path / "main.d").read_text().replace("\\\n", "").split()
    own = [word for word in rule if str(tmp_path) in word or word.startswith("src")]
    assert rule[0] == "main.o:"
    assert own == [
        "src/main.cu",
        f"{tmp_path}/include/scale.cuh",
        f"{tmp_path}/include/detail/step.inl",
    ]
    assert simtcc("-dlink", "main.o", "scale.o", "other.o", "-o", "device.o").returncode == 0
    done = simtcc("main.o", "scale.o", "other.o", "device.o", "-run")
    assert done.stdout == "no error 379 src/main.cu\n"


def test_an_error_names_the_users_line_and_the_rule(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "a.cu": '#include "b.cuh"\nint f() { return g(); }\n',
            "b.cuh": "#include <cublas_v2.h>\ninline int g() {\n  cudaFrobnicate();\n  return cudaMalloc(3);\n}\n",
        },
    )
    done = simtcc("-c", "a.cu")
    assert done.returncode == 1
    assert "b.cuh:3:3: error: " in done.stderr
    assert "b.cuh:3: note: porter: cudaFrobnicate is foreign" in done.stderr
    assert "b.cuh:4: note: porter: cudaMalloc became simtMalloc (simt/" in done.stderr
    assert "porter-" not in done.stderr
    assert "toolkit/ported" not in done.stderr
    assert not (tmp_path / "a.o").exists()


def test_an_error_explains_a_header_that_nobody_has(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.cu": '#include "kernels_cuda.h"\n'})
    done = simtcc("-c", "a.cu")
    assert done.returncode == 1
    assert (
        "a.cu:1: note: porter: kernels_cuda.h is foreign: the header is neither the project's"
        in done.stderr
    )


def test_the_compute_capability_is_selectable(
    simtcc: Simtcc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "#include <cstdio>\n"
        "__global__ void ask(int* x) { *x = __CUDA_ARCH__; }\n"
        "int main() {\n"
        "  int* x;\n"
        "  cudaMallocManaged(&x, sizeof(int));\n"
        "  ask<<<1, 1>>>(x);\n"
        "  cudaDeviceSynchronize();\n"
        "  cudaDeviceProp device;\n"
        "  cudaGetDeviceProperties(&device, 0);\n"
        '  std::printf("%d %d.%d\\n", *x, device.major, device.minor);\n'
        "}\n"
    )
    (tmp_path / "a.cu").write_text(source, encoding="utf-8")
    for chosen, printed in ((None, "700 7.0\n"), ("8.6", "860 8.6\n")):
        if chosen:
            monkeypatch.setenv("SIMT_COMPUTE_CAPABILITY", chosen)
        done = simtcc("a.cu", "-o", "a")
        assert done.returncode == 0, done.stderr
        ran = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True)
        assert ran.stdout == printed
    monkeypatch.setenv("SIMT_COMPUTE_CAPABILITY", "sm_80")
    done = simtcc("a.cu", "-o", "a")
    assert done.returncode != 0 and "SIMT_COMPUTE_CAPABILITY=sm_80" in done.stderr
    ran = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True)
    assert ran.stdout == "860 7.0\n" and "7.0 is used" in ran.stderr


def test_an_error_in_code_for_newer_gpus_names_the_variable(
    simtcc: Simtcc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "#if __CUDA_ARCH__ < 900\n"
        "__global__ void store(int* x) { *x = __CUDA_ARCH__; }\n"
        "#endif\n"
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 860\n"
        '#error "this program needs sm_86"\n'
        "#endif\n"
    )
    write_files(tmp_path, {"a.cu": source, "b.cu": "int main() { return missing; }\n"})
    done = simtcc("-c", "a.cu")
    assert done.returncode != 0
    assert done.stderr.endswith(
        "a.cu: note: porter: the file compares __CUDA_ARCH__ with 860, and the macro is 700; "
        "SIMT_COMPUTE_CAPABILITY=8.6 selects another compute capability\n"
    )
    assert "SIMT_COMPUTE_CAPABILITY" not in simtcc("-c", "b.cu").stderr
    monkeypatch.setenv("SIMT_COMPUTE_CAPABILITY", "8.6")
    assert simtcc("-c", "a.cu").returncode == 0


def test_a_change_of_a_header_and_a_damaged_cache(
    simtcc: Simtcc, cache: Path, tmp_path: Path
) -> None:
    write_files(
        tmp_path,
        {"a.cu": '#include "b.h"\nint main() { return VALUE; }\n', "b.h": "#define VALUE 3\n"},
    )
    assert simtcc("a.cu", "-run").returncode == 3
    (tmp_path / "b.h").write_text("#define VALUE 4\n")
    assert simtcc("a.cu", "-run").returncode == 4
    for place in cache.glob(f"toolkit/ported/*{tmp_path}/*"):
        place.write_bytes(place.read_bytes()[:10])
    done = simtcc("a.cu", "-run")
    assert (done.returncode, done.stderr) == (4, "")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "error: no input files\n"),
        (("-c", "no_such.cu"), 4, "error: no_such.cu: cannot be read: No such file or directory\n"),
        (("-c", "wide.cu"), 4, "is UTF-16"),
        (("-c", "a.cu", "b.cu", "-o", "x.o"), 2, "error: -o needs exactly one source, unless"),
    ],
)
def test_a_wrong_call(
    simtcc: Simtcc, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "wide.cu").write_bytes("int x;".encode("utf-16"))
    done = simtcc(*arguments)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_release_that_build_systems_recognise(simtcc: Simtcc, tmp_path: Path) -> None:
    for option in ("--version", "-V"):
        done = simtcc(option, cache=tmp_path / "empty")
        assert "\nCuda compilation tools, release 12.4, V12.4.0\n" in done.stdout
    # CMake waits 10 seconds for the version, less than the build of a runtime takes.
    assert not (tmp_path / "empty/toolkit").exists()


def test_preprocessed_host_code(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, PROGRAM)
    for name in ("main", "scale", "other"):
        done = simtcc("-cuda", "-Iinclude", "-DSTEP=1", f"src/{name}.cu")
        assert (done.returncode, done.stderr) == (0, "")
    done = simtcc("main.cu.cpp.ii", "scale.cu.cpp.ii", "other.cu.cpp.ii", "-run")
    assert (done.returncode, done.stdout) == (0, "no error 379 src/main.cu\n"), done.stderr
