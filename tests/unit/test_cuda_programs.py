"""CUDA programs below a folder, and the compilations that `make` prints (`build_scripts/cuda_programs.py`)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cuda_programs import Compilation, compilations, printed_by_make, programs

CMAKE = "project(sum LANGUAGES CXX CUDA)\nadd_executable(sum main.cu)\n"
MAKEFILE = """CFLAGS = -std=c++17 -I../common -DN=4
main: main.o parts
\tnvcc main.o -o main
parts:
\t$(MAKE) -C parts
%.o: %.cu
\tnvcc $(CFLAGS) -c $< -o $@
"""


def write(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_programs_have_build_files_or_a_main_function(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "set/Makefile": "all:\n",
            "set/make/Makefile": "all:\n",
            "set/make/main.cu": "",
            "set/below/Makefile": "all:\n",
            "set/below/src/kernels/main.cu": "",
            "set/cmake/CMakeLists.txt": CMAKE,
            "set/source/one.cu": "int main() {}\n",
            "set/source/part.cu": "void f() {}\n",
        },
    )
    found = [(one.name, one.kind) for one in programs(tmp_path / "set")]
    assert found == [
        ("below", "make"),
        ("cmake", "cmake"),
        ("make", "make"),
        ("source/one", "source"),
    ]


def test_kept_options_are_folders_macros_and_new_standards(tmp_path: Path) -> None:
    write(tmp_path, {"p/main.cu": "", "p/b.cu": "", "host/a.cpp": "", "p/c.c": ""})
    folder = tmp_path / "p"
    line = (
        "nvcc -std=c++20 -Xcompiler -Wall,-DX -I ../host -Iinc -D A=1 -DB='\"b c\"' -UC -isystem /boost "
        "--define-macro=D -include pre.h -O3 -arch=sm_60 -c main.cu b.cu -o main.o"
    )
    words = (
        "-std=c++20",
        f"-I{tmp_path}/host",
        f"-I{folder}/inc",
        "-DA=1",
        '-DB="b c"',
        "-UC",
        "-isystem",
        "/boost",
        "-DD",
        "-include",
        f"{folder}/pre.h",
    )
    assert compilations(line, folder) == [
        Compilation(folder / "main.cu", words),
        Compilation(folder / "b.cu", words),
    ]


def test_commands_run_in_the_folders_that_make_and_cd_enter(tmp_path: Path) -> None:
    write(tmp_path, {"p/sub/a.cu": "", "p/b.cu": "", "p/other/c.cpp": ""})
    folder = tmp_path / "p"
    printed = (
        f"make[1]: Entering directory '{folder}/sub'\n"
        "echo it's odd\n"
        "X=1 /usr/local/cuda/bin/nvcc -std=c++11 \\\n -I. -c a.cu\n"
        f"make[1]: Leaving directory '{folder}/sub'\n"
        "mkdir -p obj; nvcc -c b.cu -o obj/b.o && cd other && g++-12 -I. -c c.cpp\n"
        "nvcc -DSECOND -c b.cu; nvcc -c missing.cu; ar r x.a b.o\n"
    )
    assert compilations(printed, folder) == [
        Compilation(folder / "sub/a.cu", (f"-I{folder}/sub",)),
        Compilation(folder / "b.cu", ()),
        Compilation(folder / "other/c.cpp", (f"-I{folder}/other",)),
    ]


def test_make_prints_the_compilations_of_a_makefile_and_of_those_below(tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    write(
        tmp_path,
        {
            "Makefile": MAKEFILE,
            "main.cu": "",
            "main.o": "",
            "parts/Makefile": "all:\n\tnvcc -c part.cu\n",
            "parts/part.cu": "",
        },
    )
    found = printed_by_make(tmp_path)
    assert sorted(found) == [
        Compilation(tmp_path / "main.cu", (f"-I{tmp_path.parent}/common", "-DN=4")),
        Compilation(tmp_path / "parts/part.cu", ()),
    ]
    assert printed_by_make(tmp_path / "absent") == []
