"""Command lines of nvcc and g++, read as requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.base.errors import UsageError
from porter.toolkit.command_line import Input, Step, expanded, read_gxx, read_nvcc


def test_a_compilation_as_pytorch_writes_it() -> None:
    request = read_nvcc(
        [
            *("-I/x/include", "-isystem", "/y", "-c", "-c", "/p/k.cu", "-o", "/p/k.o"),
            *(
                "-D__CUDA_NO_HALF_OPERATORS__",
                "--expt-relaxed-constexpr",
                "--compiler-options",
                "'-fPIC'",
            ),
            *(
                "-DV=1",
                "-gencode=arch=compute_70,code=sm_70",
                "-gencode",
                "arch=compute_80,code=sm_80",
                "-std=c++17",
            ),
        ]
    )
    assert request.step is Step.COMPILE
    assert request.inputs == (Input("/p/k.cu", "cu"),)
    assert request.output == "/p/k.o"
    assert request.options == (
        *(
            "-I/x/include",
            "-isystem",
            "/y",
            "-D__CUDA_NO_HALF_OPERATORS__",
            "-fPIC",
            "-DV=1",
            "-std=c++17",
        ),
    )
    assert request.ignored == (
        "--expt-relaxed-constexpr",
        "-gencode=arch=compute_70,code=sm_70",
        "-gencode arch=compute_80,code=sm_80",
    )


@pytest.mark.parametrize(
    "words",
    [
        ["-I", "a,b", "-O", "3", "-std", "c++17", "--define-macro", "N=1"],
        ["--include-path=a", "-I=b", "-O3", "--std=c++17", "-D", "N=1"],
    ],
)
def test_an_option_has_several_spellings(words: list[str]) -> None:
    assert read_nvcc([*words, "x.cu"]).options == ("-Ia", "-Ib", "-O3", "-std=c++17", "-DN=1")


def test_values_for_host_compiler_and_linker() -> None:
    request = read_nvcc(
        ["-Xcompiler", "-Wall,-fopenmp", "-Xlinker=-rpath,/l", "a.cu", "b.o", "-lm", "-shared"]
    )
    assert request.options == ("-Wall", "-fopenmp")
    assert request.link == ("-fopenmp", "-shared")
    texts = [one.text for one in request.inputs]
    assert texts == ["-Xlinker", "-rpath", "-Xlinker", "/l", "a.cu", "b.o", "-lm"]


def test_the_language_of_files_without_a_suffix() -> None:
    request = read_nvcc(["-x", "cu", "kernel.inl", "-c"])
    assert request.sources == (Input("kernel.inl", "cu"),)


def test_option_files(tmp_path: Path) -> None:
    (tmp_path / "more").write_text("-DA='x y' -c\n")
    (tmp_path / "all").write_text(f"--options-file {tmp_path}/more k.cu")
    request = read_nvcc([f"@{tmp_path}/all"])
    assert (request.step, request.options, request.inputs) == (
        Step.COMPILE,
        ("-DA=x y",),
        (Input("k.cu", "cu"),),
    )


@pytest.mark.parametrize(
    ("words", "text", "help"),
    [
        (
            ["--expt-relaxed-constexp", "x.cu"],
            "unknown option '--expt-relaxed-constexp'",
            "did you mean",
        ),
        (["x.cu", "-o"], "option '-o' needs a value", ""),
        (["-x", "fortran"], "option '-x': unknown language 'fortran'", "use cu, c++ or c"),
        (
            ["-optix-ir", "x.cu"],
            "option '-optix-ir': the target has no separate files of device code",
            "compile",
        ),
        (["--options-file", "/no/such"], "the option file cannot be read", ""),
    ],
)
def test_a_wrong_command_line(words: list[str], text: str, help: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_nvcc(words)
    (problem,) = raised.value.problems
    assert problem.text.startswith(text)
    assert help in problem.help


def test_an_option_of_gxx_on_nvccs_command_line() -> None:
    assert read_nvcc(["-fPIC", "-Wno-unused", "x.cu"]).options == ("-fPIC", "-Wno-unused")
    assert read_nvcc(["--forward-unknown-to-host-compiler", "--param=x=1", "x.cu"]).options == (
        "--param=x=1",
    )


def test_a_link_by_gxx() -> None:
    request = read_gxx(
        ["-shared", "-Wl,-O1", "a.o", "-L/t", "-lc10_cuda", "-o", "e.so", "-pthread"]
    )
    assert request.step is Step.LINK
    assert [one.text for one in request.inputs] == ["-Wl,-O1", "a.o", "-lc10_cuda"]
    assert request.link == ("-shared", "-L/t", "-pthread")


def test_a_compilation_by_gxx() -> None:
    request = read_gxx(
        ["-Wall", "-g", "-O3", "-I", "inc", "-MMD", "-MF", "x.d", "-c", "x.cpp", "-ox.o"]
    )
    assert request.inputs == (Input("x.cpp", "c++"),)
    assert (request.depend, request.depend_file, request.output) == ("-MMD", "x.d", "x.o")
    assert request.options == ("-Wall", "-g", "-O3", "-Iinc")


def test_escapes_of_an_option_file_are_those_of_gcc(tmp_path: Path) -> None:
    # CMake writes the first one for the run path of a library.
    written = r"""-Wl,-rpath,"\$ORIGIN:/x" "a\\$b" "-DX=\"v\"" c\ d \$Y"""
    (tmp_path / "words").write_text(written)
    assert expanded([f"@{tmp_path}/words"]) == [
        "-Wl,-rpath,$ORIGIN:/x",
        r"a\$b",
        '-DX="v"',
        "c d",
        "$Y",
    ]
