"""Layouts in debug information equal the compiler's."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from porter.abi import class_layouts, debug_sections, dwarf
from porter.abi.class_layouts import FoundClass
from porter.model.class_layout import Base, Field, VirtualFunction

TYPES = """
#include <memory>
#include <vector>
namespace c10 {
struct Plain { char a; double b; int c[3]; static int shared; };
struct Flags { unsigned one : 1; unsigned two : 3; bool rest; };
struct Keyed { virtual ~Keyed(); virtual void begin(int); virtual void end() = 0; };
struct Left : Plain { short d; };
struct Shared : virtual Keyed { int own; };
struct Both : Left, Shared { struct Inner { long x; }; Inner inner; };
template <class T> struct Box { T value; std::unique_ptr<Plain> held; std::vector<Flags> more; };
struct Outer { Box<Both::Inner> box; Left* reached; union { int i; float f; }; struct Later; };
struct Outer::Later { int late; };
}
"""
MAIN = """
#include <cstddef>
#include <cstdio>
int main() {
  std::printf("{\\"size\\": [%zu, %zu, %zu, %zu], \\"offset\\": [%zu, %zu, %zu]}",
    sizeof(c10::Plain), sizeof(c10::Both), sizeof(c10::Shared), sizeof(c10::Outer),
    offsetof(c10::Plain, b), offsetof(c10::Outer, reached), offsetof(c10::Plain, c));
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    folder = tmp_path_factory.mktemp("layouts")
    (folder / "types.h").write_text(TYPES)
    (folder / "unit.cpp").write_text('#include "types.h"\n')
    (folder / "main.cpp").write_text(f'#include "types.h"\n{MAIN}')
    return folder


@pytest.fixture(scope="module")
def classes(folder: Path) -> dict[str, FoundClass]:
    debug = ["-g", "-gdwarf-4", "-gz=none", "-fno-eliminate-unused-debug-types"]
    command = ["g++", *debug, "-femit-class-debug-always", "-c", "unit.cpp", "-o", "unit.o"]
    subprocess.run(command, cwd=folder, check=True)
    info = dwarf.read(debug_sections.read((folder / "unit.o").read_bytes()))
    return class_layouts.read(
        info, lambda file: "types.h" if Path(file).name == "types.h" else None
    )


def test_sizes_and_offsets_are_those_of_a_compiled_program(
    folder: Path, classes: dict[str, FoundClass]
) -> None:
    subprocess.run(["g++", "-w", "main.cpp", "-o", "main"], cwd=folder, check=True)
    told = json.loads(subprocess.run([folder / "main"], check=True, capture_output=True).stdout)
    names = ("c10::Plain", "c10::Both", "c10::Shared", "c10::Outer")
    assert [classes[name].size for name in names] == told["size"]
    plain = {field.name: field.offset // 8 for field in classes["c10::Plain"].fields}
    outer = {field.name: field.offset // 8 for field in classes["c10::Outer"].fields}
    assert [plain["b"], outer["reached"], plain["c"]] == told["offset"]


def test_static_members_are_no_fields(classes: dict[str, FoundClass]) -> None:
    assert classes["c10::Plain"].fields == (
        Field("a", 0, 8),
        Field("b", 64, 64),
        Field("c", 128, 96),
    )


def test_bit_fields_have_offsets_in_bits(classes: dict[str, FoundClass]) -> None:
    assert classes["c10::Flags"].fields == (
        Field("one", 0, 1),
        Field("two", 1, 3),
        Field("rest", 8, 8),
    )


def test_virtual_functions_have_their_slots_where_another_unit_defines_the_first(
    classes: dict[str, FoundClass],
) -> None:
    begin, end = VirtualFunction(2, "begin(int)"), VirtualFunction(3, "end()")
    assert {begin, end} <= set(classes["c10::Keyed"].virtual)


def test_bases_have_offsets_and_virtual_ones_are_told(classes: dict[str, FoundClass]) -> None:
    # The base with a vtable comes first.
    assert classes["c10::Both"].bases == (Base("c10::Left", 16), Base("c10::Shared", 0))
    assert classes["c10::Shared"].bases == (Base("c10::Keyed", -1),)


def test_nested_classes_have_qualified_names(classes: dict[str, FoundClass]) -> None:
    assert classes["c10::Both::Inner"].size == 8
    assert classes["c10::Outer::Later"].size == 4


def test_a_class_reaches_through_pointers_and_template_arguments(
    classes: dict[str, FoundClass],
) -> None:
    box = "c10::Box<c10::Both::Inner>"
    assert classes["c10::Outer"].reaches == {box, "c10::Left"}
    assert classes[box].reaches == {"c10::Both::Inner", "c10::Plain", "c10::Flags"}


def test_classes_of_other_libraries_are_left_out(classes: dict[str, FoundClass]) -> None:
    assert not [name for name in classes if name.startswith("std::")]


@pytest.mark.parametrize("data", [b"", b"\x7fELF\x02\x01", b"text of no object file"])
def test_other_files_are_an_error(data: bytes) -> None:
    with pytest.raises(ValueError):
        dwarf.read(debug_sections.read(data.ljust(64, b"\0")))
