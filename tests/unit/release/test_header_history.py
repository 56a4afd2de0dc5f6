"""Headers that upstream moved or removed are found again by the names that they defined."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.base.errors import MappingError
from porter.cpp.defined_names import defined_names
from porter.model.moved_header import HeaderState, MovedHeader
from porter.release import header_history
from porter.report import moved_headers


def write(tree: Path, path: str, text: str) -> None:
    place = tree / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def test_names_that_a_header_defines() -> None:
    text = """
    #define A(x) x
    class TORCH_API B : public Base {
     public:
      void member() {}
    };
    struct Declared;
    enum class C { red };
    using D = B;
    template <class T> struct E {};
    namespace n { inline int f(int x) { return g(x); } }
    """
    assert {"A", "B", "C", "D", "E", "f"} <= defined_names(text)
    assert not {"Declared", "Base", "red", "g"} & defined_names(text)


def test_a_lost_header_is_found_by_most_of_its_names(tmp_path: Path) -> None:
    write(tmp_path, "c10/cuda/New.h", "struct A {};\nstruct B {};\n")
    write(tmp_path, "c10/cuda/Few.h", "struct A {};\n")
    write(tmp_path, "aten/src/ATen/xpu/Other.h", "struct A {};\nstruct B {};\nstruct C {};\n")
    write(tmp_path, "c10/core/impl/Moved.h", "struct Renamed;\n")
    lost = {"c10/cuda/Old.h": ("A", "B", "C"), "c10/core/Moved.h": (), "c10/cuda/Gone.h": ("Z",)}
    assert header_history.new_places(tmp_path, lost) == {
        "c10/cuda/Old.h": ("c10/cuda/New.h",),
        "c10/core/Moved.h": ("c10/core/impl/Moved.h",),
        "c10/cuda/Gone.h": (),
    }


def test_an_unknown_newer_release_is_searched(tmp_path: Path) -> None:
    history = header_history.read()
    path, names = "c10/cuda/CUDAStream.h", history.names["c10/cuda/CUDAStream.h"]
    assert "CUDAStream" in names
    for other in history.names:
        if other != path:
            write(tmp_path, other, "")
    write(tmp_path, "c10/device/Streams.h", "".join(f"struct {name} {{}};\n" for name in names))
    newest = history.releases[-1]
    major, minor, _ = newest.split(".")
    (found,) = header_history.moved(tmp_path, f"{major}.{int(minor) + 1}.0", set())[-1:]
    to = ("c10/device/Streams.h",)
    assert found == MovedHeader(path, HeaderState.GONE, to, newest, to)
    assert header_history.moved(tmp_path, newest, set())[-1].last != newest


def test_what_known_releases_lost() -> None:
    gone = header_history.read().gone
    assert gone["c10/core/impl/cow/COWDeleter.h"] == ("2.2.2", ("c10/core/impl/COWDeleter.h",))
    assert gone["aten/src/ATen/cuda/CUDAGreenContext.h"] == ("2.13.0", ())


def test_only_what_was_just_lost_is_warned_of() -> None:
    lost = MovedHeader("a.h", HeaderState.GONE, ("b.h",), "2.8.0", ("b.h",))
    headers = (
        lost,
        lost._replace(path="old.h", last="2.7.1"),
        lost._replace(path="followed.h", unported=()),
        lost._replace(path="shim.h", state=HeaderState.SHIM),
        MovedHeader("none.h", HeaderState.GONE, (), "2.8.0"),
    )
    assert list(moved_headers.warnings(headers, "2.8.0")) == [
        "a.h was last in 2.8.0; b.h has its definitions and is not ported",
        "none.h was last in 2.8.0; no header of this release has its definitions",
    ]


@pytest.mark.parametrize("text", ["", "[]", '{"gone": []}', '{"gone": {}, "names": {"a": 1}}'])
def test_a_damaged_history_is_an_error(text: str, tmp_path: Path) -> None:
    write(tmp_path, "headers.json", text)
    with pytest.raises(MappingError, match="not a history of headers"):
        header_history.read(tmp_path / "headers.json")
