"""Ports of CUDA programs and their front-end checks (`build_scripts/try_program_ports`): folders, commands, results."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cuda_programs import Compilation
from port_sources import FrontEnd

SCRIPT = Path(__file__).parents[2] / "build_scripts/try_program_ports"
MAKEFILE = "main: main.cu\n\tnvcc -I../shared -DTHREE=3 -c main.cu\n\tnvcc -c other.cu\n"
TEXTS = {
    "set/sum/Makefile": MAKEFILE,
    "set/sum/main.cu": '#include <sum.h>\n#include "part.cu"\nint sum() { return add(THREE, 2); }\n',
    "set/sum/part.cu": '#include "../more/more.h"\n',
    "set/sum/other.cu": "int other() { return cudaSuccess + missing; }\n",
    "set/shared/sum.h": "inline int add(int a, int b) { return a + b; }\n",
    "set/more/more.h": "inline int more() { return 1; }\n",
    "set/plain/one.cu": '#include "part.cuh"\nint main() { return one(); }\n',
    "set/plain/include/part.cuh": "inline int one() { return 1; }\n",
    "sdk/hip/hip_runtime.h": "#pragma once\nenum { hipSuccess };\n",
}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("try_program_ports", str(SCRIPT))
    spec = importlib.util.spec_from_loader("try_program_ports", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "set"


@pytest.fixture
def program_set(script: ModuleType, programs: Path) -> Any:
    if not shutil.which("make") or not shutil.which("g++"):
        pytest.skip("make or g++ is not installed")
    place = programs.parent
    check = FrontEnd(["g++"], ("-x", "c++", f"-I{place}/sdk"), place, ())
    return script.ProgramSet("hip", programs, place / "work", [], check, 1, 60)


def test_folders_outside_of_a_program_are_ported_with_it(
    script: ModuleType, programs: Path
) -> None:
    compiled = [Compilation(programs / "sum/main.cu", (f"-I{programs}/shared", "-I/usr/include"))]
    found = script.ported_folders(programs / "sum", programs, compiled, [])
    assert found == [programs / name for name in ("sum", "shared", "more")]
    assert script.ported_folders(programs / "plain", programs, [], [programs / "more"]) == [
        programs / "plain",
        programs / "more",
    ]


def test_sources_that_others_include_are_no_separate_sources(
    script: ModuleType, programs: Path
) -> None:
    found = script.separate_sources(programs / "sum", (".cu",))
    assert [path.name for path in found] == ["main.cu", "other.cu"]


def test_results_name_the_first_error_of_rejected_sources(
    script: ModuleType, program_set: Any, programs: Path
) -> None:
    folders = script.program_folders(programs, [])
    assert folders == [programs / "plain", programs / "sum"]
    done = program_set.results(folders)
    assert (done.programs, done.sources, done.unmapped, done.not_ported) == (2, 3, [], [])
    rejected = done.rejected[-1]
    assert done.rejected == [rejected]
    assert rejected.source == "sum/other.cu"
    assert rejected.place.endswith("other.hip:2")
    assert "missing" in rejected.error
    assert list(script.report("hip", done)) == [
        f"hip: 1 rejected: {rejected.error}",
        f"  sum/other.cu ({rejected.place})",
    ]


def test_stored_results_are_used_until_the_port_changes(
    script: ModuleType, program_set: Any, programs: Path
) -> None:
    folders = script.program_folders(programs, ["sum"])
    assert len(program_set.results(folders).rejected) == 1
    place = programs.parent / "work/sum/results.json"
    stored = json.loads(place.read_text())
    stored["sum/main.cu"][1] = "stored: error: from the last run\n"
    place.write_text(json.dumps(stored))
    again = program_set.results(folders)
    assert [one.error for one in again.rejected] == ["from the last run", again.rejected[1].error]
    (programs / "sum/other.cu").write_text("int other() { return 0; }\n")
    assert program_set.results(folders).rejected == []


def test_results_of_slow_compilations_are_not_stored(
    script: ModuleType, program_set: Any, programs: Path
) -> None:
    done = program_set._replace(limit=1e-6).results(script.program_folders(programs, ["plain*"]))
    assert [one.error for one in done.rejected] == ["the compiler exceeded 1e-06 seconds"]
    assert program_set.results(script.program_folders(programs, ["plain*"])).rejected == []


def test_a_program_that_cannot_be_ported_is_listed(
    script: ModuleType, program_set: Any, programs: Path
) -> None:
    (programs / "plain/link.cu").symlink_to("/etc")
    done = program_set.results([programs / "plain"])
    assert done.programs == 0
    assert done.not_ported[0].startswith("plain: error: ")


@pytest.mark.parametrize(
    ("messages", "place", "error"),
    [
        ("a.hip:3:5: warning: w\na.hip:4:5: error: e 'x'\nb:1:1: error: f\n", "a.hip:4", "e 'x'"),
        (
            "In file\nd/a.h:1: fatal error: 'mpi.h' file not found\n",
            "d/a.h:1",
            "'mpi.h' file not found",
        ),
        ("clang++: error: unknown argument\n", "", "unknown argument"),
        ("Killed\n", "", "Killed"),
    ],
)
def test_first_errors(script: ModuleType, messages: str, place: str, error: str) -> None:
    assert script.first_error("p/a.cu", messages) == script.Rejected("p/a.cu", place, error)


def test_words_name_the_ported_folders(
    script: ModuleType, program_set: Any, programs: Path
) -> None:
    compiled = [Compilation(programs / "sum/main.cu", (f"-I{programs}/shared",))]
    given = script.ported_folders(programs / "sum", programs, compiled, [])
    ported, _ = program_set.port("sum", given)
    words = [f"-I{programs}/shared", "-DA", f"{programs}/sum/other.cu", "-I/usr/include"]
    place = programs.parent / "work/sum/hip/src"
    assert script.ported_words(ported, words) == [
        f"-I{place}/shared",
        "-DA",
        f"{place}/sum/other.hip",
        "-I/usr/include",
    ]


def test_the_help_text_has_the_commands(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["try_program_ports", "--help"])
    with pytest.raises(SystemExit):
        script.main()
    assert "build_scripts/try_program_ports --work DIR" in capsys.readouterr().out
