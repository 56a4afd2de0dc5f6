"""Build stage: built and unchanged files, and reports of failures."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_build import KERNEL, NATIVE, SHOWN, Tiny, fake_compiler, install_torch

from porter.base.errors import BuildError, PorterError, SourceError, UsageError
from porter.builder.link_check import check
from porter.builder.symbol_table import SymbolTable
from porter.model.rules import SourceFlags
from porter.toolchain.discovery import find_torch
from porter.toolchain.ninja import ninja_command

LIBRARY = "lib/libtorch_acme_kernels.so"


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Interpreter with a stand-in for PyTorch 2.6.0."""
    return install_torch(tmp_path_factory.mktemp("site"))


@pytest.fixture
def tiny(tmp_path: Path, python: Path) -> Tiny:
    """Port of one host source and one kernel."""
    return Tiny(tmp_path / "acme" / "2.6.0", python)


def called(tiny: Tiny, library: Path, function: str) -> int:
    """Return value of a library's function, in a separate process that has loaded PyTorch's libraries first."""
    torch = find_torch(str(tiny.python)).lib / "libtorch_cpu.so"
    text = (
        f"import ctypes; ctypes.CDLL({str(torch)!r}, ctypes.RTLD_GLOBAL)\n"
        f"print(ctypes.CDLL({str(library)!r}).{function}())"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    return int(done.stdout)


def commands_of(tiny: Tiny, name: str) -> list[str]:
    """Commands that ninja runs for an object."""
    text = subprocess.run(
        ninja_command(tiny.folder / "build", "-t", "commands"),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [line for line in text.splitlines() if line.endswith(name)]


def test_a_build_makes_the_library_and_says_what_is_in_it(tiny: Tiny) -> None:
    result = tiny.build()
    # Its registrations and what they were asked for.
    assert tiny.emitted == ["Abs.cu.o", "Host.cpp.o"]
    assert sorted(result.built) == [
        tiny.kernel("Abs"),
        "c10/cuda/Host.cpp",
        "register/RegisterAcme_0.cpp",
    ]
    assert tiny.steps == [*result.built, LIBRARY]
    library = tiny.folder / "build" / LIBRARY
    assert result.libraries == (library,)
    # It shows what bears the target's name, and hides the rest.
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True)
    assert [line.split()[-1] for line in lines.stdout.splitlines()] == ["torch_acme_registered"]
    written = json.loads((tiny.folder / "build" / "result.json").read_text())
    assert written["built"] == list(result.built)
    assert written["libraries"] == ["libtorch_acme_kernels.so"]


def test_the_library_finds_its_neighbours_and_names_no_folder_of_this_machine(tiny: Tiny) -> None:
    file = f"namespace at::native {{ {SHOWN} const char* %s_cuda() {{ return __FILE__; }} }}\n"
    tiny.write({tiny.kernel("Abs"): file % "abs"})
    glue = tiny.folder / "backend" / "src" / "csrc" / "Hooks.cpp"
    glue.parent.mkdir(parents=True)
    glue.write_text(file % "hooks")
    library = tiny.build().libraries[0]
    content = library.read_bytes()
    assert b"\0aten/src/ATen/native/acme/Abs.cu\0" in content
    assert b"\0backend/src/csrc/Hooks.cpp\0" in content
    assert str(tiny.folder).encode() not in content
    dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True).stdout
    paths = [line for line in dynamic.splitlines() if "RUNPATH" in line or "RPATH" in line]
    assert [line.partition("[")[2] for line in paths] == ["$ORIGIN:$ORIGIN/lib]"]


def test_nothing_new_makes_nothing(tiny: Tiny) -> None:
    tiny.build()
    before = {path: path.stat().st_mtime_ns for path in tiny.folder.rglob("*.o")}
    again = tiny.build()
    assert (again.compiled, tiny.steps) == (0, [])
    assert {path: path.stat().st_mtime_ns for path in tiny.folder.rglob("*.o")} == before


def test_a_changed_kernel_makes_its_object_and_the_library(tiny: Tiny) -> None:
    tiny.write({tiny.kernel("Mul"): KERNEL.format(name="mul")})
    tiny.build()
    tiny.write({tiny.kernel("Abs"): "// changed\n" + KERNEL.format(name="abs")})
    tiny.build()
    assert tiny.steps == [tiny.kernel("Abs"), LIBRARY]


def test_a_changed_header_makes_what_includes_it(tiny: Tiny) -> None:
    header = tiny.folder / "src" / "c10" / "acme" / "Sizes.h"
    header.write_text("constexpr int size = 1;\n")
    tiny.write({tiny.kernel("Mul"): "#include <c10/acme/Sizes.h>\nint mul = size;\n"})
    tiny.build()
    header.write_text("constexpr int size = 2;\n")
    tiny.build()
    assert tiny.steps == [tiny.kernel("Mul"), LIBRARY]


def test_what_kernels_begin_with_is_compiled_once_and_anew_when_it_changes(tiny: Tiny) -> None:
    path, absent = f"{NATIVE}/cuda/Loops.cuh", f"{NATIVE}/cuda/Absent.cuh"
    tiny.rules = tiny.rules._replace(precompiled=(path, absent))
    loops = "#pragma once\nnamespace at::native { constexpr int size = %d; }\n"
    use = "namespace at::native { int abs_cuda() { return size; } }\n"
    tiny.write({path: loops % 1, tiny.kernel("Abs"): use})
    tiny.build()
    assert tiny.steps[0] == "kernels.h"
    # What is compiled of it is what g++ takes: it does without the header itself.
    header = tiny.folder / "build" / "precompiled" / "kernels.h"
    (command,) = commands_of(tiny, "Abs.cu.o")
    header.rename(header.with_name("away"))
    subprocess.run(command, shell=True, cwd=tiny.folder / "build", check=True)
    header.with_name("away").rename(header)

    tiny.write({path: loops % 2})
    tiny.build()
    assert tiny.steps == ["kernels.h", tiny.kernel("Abs"), LIBRARY]
    # Any other launcher gets sources as they are, which this one is not made for.
    with pytest.raises(BuildError, match="'size' was not declared"):
        tiny.build(launcher="env")


def test_ccache_goes_by_what_kernels_begin_with(tiny: Tiny, tmp_path: Path) -> None:
    path = f"{NATIVE}/cuda/Loops.cuh"
    tiny.rules = tiny.rules._replace(precompiled=(path,))
    tiny.write({path: "#pragma once\nconstexpr int size = 1;\n"})
    # What it was told, each time.
    told, ccache = tmp_path / "told", tmp_path / "ccache"
    ccache.write_text(
        f'#!/bin/sh\necho "$CCACHE_PCH_EXTSUM $CCACHE_SLOPPINESS" >>{told}\nexec "$@"\n'
    )
    ccache.chmod(0o755)
    tiny.build(launcher=str(ccache))
    assert set(told.read_text().splitlines()) == {"true pch_defines,time_macros"}
    made = tiny.folder / "build" / "precompiled" / "kernels.h.gch"
    total = made.with_name("kernels.h.gch.sum")
    first, was = total.read_text(), made.stat().st_mtime_ns
    # Compiled again from the same text it is another file, and all the same to ccache.
    made.unlink()
    tiny.build(launcher=str(ccache))
    assert made.stat().st_mtime_ns > was
    assert total.read_text() == first
    tiny.write({path: "#pragma once\nconstexpr int size = 2;\n"})
    tiny.build(launcher=str(ccache))
    assert total.read_text() != first


@pytest.mark.skipif(shutil.which("ccache") is None, reason="ccache is not installed")
def test_ccache_finds_what_begins_with_a_header_that_was_compiled_again(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CCACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("CCACHE_DISABLE", raising=False)
    path = f"{NATIVE}/cuda/Loops.cuh"
    tiny.rules = tiny.rules._replace(precompiled=(path,))
    use = "namespace at::native { int abs_cuda() { return size; } }\n"
    tiny.write({path: "#pragma once\nconstexpr int size = 1;\n", tiny.kernel("Abs"): use})

    def missed() -> int:
        """Number of objects that were not in the cache, for a full build."""
        shutil.rmtree(tiny.folder / "build", ignore_errors=True)
        subprocess.run(["ccache", "--zero-stats"], check=True, stdout=subprocess.DEVNULL)
        built = tiny.build(launcher="ccache").built
        assert "kernels.h" in tiny.steps
        lines = subprocess.check_output(["ccache", "--print-stats"], text=True).splitlines()
        counts = dict(line.split("\t") for line in lines)
        hits = int(counts["direct_cache_hit"]) + int(counts["preprocessed_cache_hit"])
        return len(built) - hits

    assert missed() == 3
    assert missed() == 0
    tiny.write({path: "#pragma once\nconstexpr int size = 2;\n"})
    assert missed() == 1


def test_headers_that_do_not_compile_fail_the_build_whatever_may_be_left_out(tiny: Tiny) -> None:
    path = f"{NATIVE}/cuda/Loops.cuh"
    tiny.rules = tiny.rules._replace(precompiled=(path,))
    tiny.write({path: "// one\n#error no\n"})
    with pytest.raises(BuildError) as raised:
        tiny.build(keep_going=True)
    assert [problem.place for problem in raised.value.problems] == [f"{path}:2"]


def test_another_pytorch_of_the_same_version_makes_everything_anew(
    tiny: Tiny, tmp_path: Path
) -> None:
    tiny.build()
    tiny.python = install_torch(tmp_path / "other")
    assert tiny.build().compiled == 4


def test_what_does_not_compile_is_told_with_upstreams_place(tiny: Tiny) -> None:
    text = "// one\n// two\nint wrong = nothing_of_the_kind;\n"
    tiny.write({tiny.kernel("Zeta"): text})
    with pytest.raises(BuildError) as raised:
        tiny.build(keep_going=False)
    (problem,) = raised.value.problems
    assert problem.place == f"{tiny.kernel('Zeta')}:3"
    assert "'nothing_of_the_kind' was not declared" in problem.text
    assert str(tiny.folder / "src" / "aten") not in problem.text.partition("command: ")[0]
    # The command can be run as it stands, and fails in the same way.
    command = problem.text.partition("command: ")[2]
    done = subprocess.run(
        command, shell=True, cwd=tiny.folder / "build", capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "nothing_of_the_kind" in done.stderr


def test_what_was_built_before_a_failure_is_kept(tiny: Tiny) -> None:
    tiny.write({tiny.kernel("Zeta"): "#error no\n"})
    with pytest.raises(BuildError):
        tiny.build()
    tiny.write({tiny.kernel("Zeta"): KERNEL.format(name="zeta")})
    tiny.build()
    assert tiny.kernel("Abs") not in tiny.steps
    assert tiny.kernel("Zeta") in tiny.steps


def test_keep_going_leaves_out_what_fails_and_what_needs_it(tiny: Tiny) -> None:
    tiny.write(
        {
            tiny.kernel("Bad"): "namespace at::native {\nint bad_cuda() {\n  return ?;\n}\n}\n",
            tiny.kernel("Needs"): (
                "namespace at::native {\nint bad_cuda();\n"
                "int needs_cuda() {\n  return bad_cuda();\n}\n}\n"
            ),
            tiny.kernel("Next"): (
                "namespace at::native {\nint needs_cuda();\n"
                "int next_cuda() {\n  return needs_cuda();\n}\n}\n"
            ),
        }
    )
    result = tiny.build(keep_going=True)
    assert [failure.place for failure in result.failed] == [f"{tiny.kernel('Bad')}:3"]
    assert {left.path: left.reason for left in result.left_out} == {
        tiny.kernel("Needs"): f"needs 'at::native::bad_cuda()', which {tiny.kernel('Bad')} defines",
        tiny.kernel(
            "Next"
        ): f"needs 'at::native::needs_cuda()', which {tiny.kernel('Needs')} defines",
    }
    assert tiny.emitted == ["Abs.cu.o", "Host.cpp.o"]
    assert set(tiny.missing) == {tiny.kernel(name) for name in ("Bad", "Needs", "Next")}
    assert called(tiny, result.libraries[0], "torch_acme_registered") == 1


def test_the_host_side_is_never_left_out(tiny: Tiny) -> None:
    tiny.write({"c10/cuda/Stream.cpp": "#error no\n"})
    with pytest.raises(BuildError) as raised:
        tiny.build(keep_going=True)
    assert raised.value.problems[0].place == "c10/cuda/Stream.cpp:1"


def test_a_symbol_that_nothing_defines_is_told_with_the_source_that_would(tiny: Tiny) -> None:
    tiny.write(
        {
            tiny.kernel("Later"): "namespace at::native {\nvoid later_cuda(int x) {\n}\n}\n",
            tiny.kernel("Abs"): (
                "namespace at::native { void later_cuda(int); void f() { later_cuda(1); } }\n"
            ),
        }
    )
    with pytest.raises(BuildError) as raised:
        tiny.build()
    (problem,) = raised.value.problems
    assert problem.place == tiny.kernel("Abs")
    assert "'at::native::later_cuda(int)'" in problem.text
    assert problem.help == (
        f"build {tiny.kernel('Later')}, which defines the function (not linked: for another day)"
    )


def test_a_symbol_of_libtorch_cuda_alone_is_not_taken_from_there(tiny: Tiny) -> None:
    binding = tiny.folder / "backend" / "src" / "csrc" / "python" / "Module.cpp"
    binding.parent.mkdir(parents=True)
    # Linked as the binding, whose undefined symbols the linker must let pass: the interpreter has some.
    binding.write_text(
        'extern "C" int PyObject_Size(void*);\n'
        "namespace at::native { int only_cuda(); }\n"
        f'extern "C" {SHOWN} int torch_backend_init_module() {{\n'
        "  return at::native::only_cuda() + PyObject_Size(nullptr);\n"
        "}\n"
    )
    with pytest.raises(BuildError) as raised:
        tiny.build()
    (problem,) = raised.value.problems
    assert problem.place == "lib/libtorch_acme_python.so"
    assert problem.text == "needs 'at::native::only_cuda()', which only libtorch_cuda.so defines"


def test_the_binding_and_its_module_are_built_from_the_glue(tiny: Tiny) -> None:
    csrc = tiny.folder / "backend" / "src" / "csrc"
    (csrc / "python").mkdir(parents=True)
    (csrc / "Hooks.cpp").write_text(
        f"namespace at::acme {{ {SHOWN} int hooks() {{ return 7; }} }}\n"
    )
    (csrc / "python" / "Module.cpp").write_text(
        "namespace at::acme { int hooks(); }\n"
        f'extern "C" {SHOWN} long torch_backend_init_module() {{ return at::acme::hooks(); }}\n'
    )
    (csrc / "python" / "stub.c").write_text(
        "long torch_backend_init_module(void);\n"
        f"{SHOWN} long PyInit__C(void) {{ return torch_backend_init_module(); }}\n"
    )
    result = tiny.build()
    torch = find_torch(str(tiny.python))
    names = ["libtorch_acme_kernels.so", "libtorch_acme_python.so", f"_C{torch.suffix}"]
    assert [library.name for library in result.libraries] == names
    assert "Hooks.cpp.o" in tiny.emitted
    assert "Module.cpp.o" not in tiny.emitted
    assert called(tiny, result.libraries[2], "PyInit__C") == 7


def test_a_symbol_that_libtorch_cuda_shows_as_well_is_told(tiny: Tiny, tmp_path: Path) -> None:
    text = f'extern "C" {SHOWN} int torch_acme_twice() {{ return 1; }}\n'
    tiny.write({tiny.kernel("Abs"): text})
    with pytest.raises(
        BuildError, match=r"exports 'torch_acme_twice', which libtorch_cuda\.so exports"
    ):
        tiny.build()
    # Hidden, it is nobody's concern.
    tiny.write({tiny.kernel("Abs"): text.replace("default", "hidden")})
    library = tiny.build().libraries[0]
    torch = find_torch(str(tiny.python))
    outside = frozenset(["_ZN2at7versionEv"])
    assert check({"it": library}, outside, torch, SymbolTable(tmp_path / "symbols"), []) == []
    assert check({"it": library}, frozenset(), torch, SymbolTable(tmp_path / "symbols"), []) != []


@pytest.mark.parametrize(
    ("then", "error", "says"),
    [
        ("kill -9 $$", BuildError, "out of memory"),
        ("echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1", BuildError, "out of memory"),
        ("echo 'a.h:7:1: internal compiler error: in extract_insn' >&2; exit 1", BuildError, "the compiler crashed"),
        ("echo 'x.s: fatal error: No space left on device' >&2; exit 1", SourceError, "the disk is full"),
    ],
)  # fmt: skip
def test_what_no_source_is_to_blame_for_is_told_as_such(
    tiny: Tiny, tmp_path: Path, then: str, error: type[PorterError], says: str
) -> None:
    with pytest.raises(error) as raised:
        tiny.build(compiler=fake_compiler(tmp_path / "cxx", then))
    assert says in raised.value.problems[0].text
    assert raised.value.problems[0].help


def test_only_the_kernels_asked_for_are_built_and_the_others_are_listed(tiny: Tiny) -> None:
    tiny.write({tiny.kernel("Mul"): KERNEL.format(name="mul"), tiny.kernel("Later"): ""})
    result = tiny.build(kernels="M*.cu")
    assert tiny.emitted == ["Mul.cu.o", "Host.cpp.o"]
    assert {left.path: left.reason for left in result.not_built} == {
        tiny.kernel("Abs"): "not selected (--kernels M*.cu)",
        tiny.kernel("Later"): "for another day",
    }
    with pytest.raises(UsageError, match=r"'\*/M\*.cu' matches no source"):
        tiny.build(kernels="*/M*.cu,Mul.cu")
    with pytest.raises(UsageError, match="matches no source"):
        tiny.build(kernels="Sqrt.cu")


def test_another_set_of_kernels_compiles_only_what_is_new(tiny: Tiny) -> None:
    tiny.write({tiny.kernel("Mul"): KERNEL.format(name="mul")})
    tiny.build(kernels="Abs.cu")
    tiny.build(kernels="all")
    assert tiny.kernel("Mul") in tiny.steps
    assert tiny.kernel("Abs") not in tiny.steps


def test_kernels_that_the_register_stage_wrote_are_built_with_the_ports_own(tiny: Tiny) -> None:
    place = tiny.folder / "register" / "Ufunc_add.cu"
    place.parent.mkdir()
    place.write_text(KERNEL.format(name="ufunc_add"))
    tiny.kernels = (place,)
    assert "register/Ufunc_add.cu" in tiny.build().built
    assert "Ufunc_add.cu.o" in tiny.emitted


def test_host_sources_are_compiled_without_what_tells_the_device(tiny: Tiny) -> None:
    tiny.profile = tiny.profile._replace(
        compiler_flags=(*tiny.profile.compiler_flags, "-D__ACMECC__"),
        build=tiny.profile.build._replace(host_flags=("-U__ACMECC__",)),
    )
    tiny.write(
        {
            tiny.kernel("Abs"): "#ifndef __ACMECC__\n#error not for the device\n#endif\n",
            "c10/cuda/Host.cpp": "#ifdef __ACMECC__\n#error not for the host\n#endif\n",
        }
    )
    tiny.build()


def test_a_source_has_flags_of_its_own(tiny: Tiny) -> None:
    tiny.write({tiny.kernel("Abs"): "#ifndef OWN\n#error without its flag\n#endif\n"})
    own = SourceFlags("aten/**/Abs.cu", ("-DOWN=1 2",), "for a test")
    tiny.rules = tiny.rules._replace(flags=(own,))
    tiny.build()
    commands = json.loads((tiny.folder / "build/compile_commands.json").read_text())
    with_flag = [one["file"] for one in commands if "-DOWN=1 2" in one["arguments"]]
    assert [Path(file).name for file in with_flag] == ["Abs.cu"]


def test_editors_find_the_command_of_every_source(tiny: Tiny) -> None:
    tiny.build()
    out = tiny.folder / "build"
    entries = json.loads((out / "compile_commands.json").read_text())
    assert [entry["file"] for entry in entries] == [
        str(tiny.source(tiny.kernel("Abs"))),
        str(tiny.source("c10/cuda/Host.cpp")),
        str(tiny.folder / "register" / "RegisterAcme_0.cpp"),
    ]
    for entry in entries:
        subprocess.run([*entry["arguments"], "-fsyntax-only"], cwd=entry["directory"], check=True)


def test_a_folder_with_a_blank_in_its_name(tmp_path: Path, python: Path) -> None:
    assert Tiny(tmp_path / "my ports $1" / "2.6.0", python).build().compiled == 4
