"""Headers that upstream emptied, and the headers that have their definitions now."""

from __future__ import annotations

from pathlib import Path

import pytest
from port_tree import make_tree, write

from porter.model.rules import Folder, Origin, Selection
from porter.port.moved_definitions import is_shim, new_place
from porter.port.select import select

_HERE = Origin("selection.yaml", 1)


@pytest.mark.parametrize(
    "text",
    [
        "#include <torch/headeronly/util/Half.h>\n",
        '#if !defined(A) && \\\n  !defined(B)\n#include <a/X.h>\n#else\n#error "not here"\n#endif  // A\n',
        "#pragma once\n// struct Old {};\n#include <c10/X.h>\nnamespace at::cuda {\nusing c10::X;\n}\n",
        '/* gone\n#define A\n*/\n# include "X.h"',
    ],
)
def test_a_header_of_includes_and_using_declarations_is_a_shim(text: str) -> None:
    assert is_shim(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#pragma once\n",
        "#include <X.h>\n#define A 1\n",
        "#include <X.h>\nusing A = B;\n",
        "#include <X.h>\nnamespace at { struct A; }\n",
        "#include <X.h>\nint f();\n",
    ],
)
def test_a_header_that_declares_something_is_none(text: str) -> None:
    assert not is_shim(text)


def test_the_new_place_has_the_same_stem_and_exists() -> None:
    text = "#include <c10/Half.h>\n#include <new/HalfTypes.h>\n#include <ATen/gone/Half.h>\n#include <new/Half.h>\n"
    known = {"new/Half.h", "new/HalfTypes.h", "c10/Half.h"}
    assert new_place("c10/Half.h", text, known.__contains__) == "new/Half.h"
    assert new_place("c10/Half-inl.h", text, {"new/Half.h"}.__contains__) == "new/Half.h"
    assert new_place("c10/Half.h", text, {"c10/Half.h"}.__contains__) is None


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "pytorch")


def chosen(tree: Path, *folders: Folder) -> dict[str, str]:
    return {file.path: file.reason for file in select(tree, Selection(folders))}


def test_definitions_are_followed_from_place_to_place(tree: Path) -> None:
    write(tree / "c10/util/Half.h", "#include <new/Half.h>\nstruct Rest;\n")
    write(tree / "new/Half.h", "#include <newer/Half.h>\n#include <new/Other.h>\n")
    write(tree / "newer/Half.h", "struct Half {};\n")
    write(tree / "new/Other.h", "struct Other {};\n")
    named = Folder("c10/util", ("h",), "device code", _HERE, ("Half.h",))
    assert chosen(tree, named) == {
        "c10/util/Half.h": "device code",
        "new/Half.h": "has the definitions of c10/util/Half.h: device code",
        "newer/Half.h": "has the definitions of c10/util/Half.h: device code",
    }


def test_of_a_whole_folder_only_shims_are_followed(tree: Path) -> None:
    write(tree / "c10/cuda/Moved.h", "#include <new/Moved.h>\n")
    write(tree / "c10/cuda/Stays.h", "#include <new/Stays.h>\nstruct Stays {};\n")
    for name in ("Moved.h", "Stays.h"):
        write(tree / "new" / name, "struct A {};\n")
    found = chosen(tree, Folder("c10/cuda", ("h",), "all", _HERE))
    assert {path for path in found if path.startswith("new/")} == {"new/Moved.h"}


def test_a_header_outside_the_tree_is_not_followed(tree: Path, tmp_path: Path) -> None:
    write(tmp_path / "Out.h", "struct Out {};\n")
    (tree / "new").mkdir()
    (tree / "new/Out.h").symlink_to(tmp_path / "Out.h")
    write(tree / "c10/cuda/Out.h", "#include <new/Out.h>\n")
    assert "new/Out.h" not in chosen(tree, Folder("c10/cuda", ("h",), "all", _HERE))
