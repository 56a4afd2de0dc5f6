"""Known changes of layouts, as written into the wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.abi import known_layouts
from porter.abi.known_layouts import KnownLayouts, LayoutStep
from porter.base.errors import MappingError
from porter.model.class_layout import ClassLayout, Field, LayoutDifference, ReleaseLayouts

STEPS = (
    LayoutStep("2.8.0", "2.9.1", ("A", "B")),
    LayoutStep("2.9.1", "2.10.0", ("B", "C")),
    LayoutStep("2.10.0", "2.11.0", ()),
)


def test_differences_are_those_of_all_steps_between() -> None:
    known = KnownLayouts((), STEPS)
    assert known.differences("2.8.0") == {
        "2.9.1": LayoutDifference(2, "A"),
        "2.10.0": LayoutDifference(3, "A"),
        "2.11.0": LayoutDifference(3, "A"),
    }
    assert set(known.differences("2.11.0")) == {"2.8.0", "2.9.1"}
    assert known.differences("2.9.0") == {}


def test_a_written_file_is_read_again(tmp_path: Path) -> None:
    known = KnownLayouts(("c10/A.h",), STEPS)
    (tmp_path / "layouts.json").write_text(known_layouts.text(known))
    assert known_layouts.read(tmp_path / "layouts.json") == known


def test_a_class_of_another_size_comes_first() -> None:
    def release(name: str, size: int, offset: int) -> ReleaseLayouts:
        field = Field("a", offset, 8)
        moved = ClassLayout("Moved", "c10/M.h", 8, (), (field,), (), ("a.cpp", "b.cpp"))
        grown = ClassLayout("Grown", "c10/G.h", size, (), (), (), ("a.cpp",))
        return ReleaseLayouts(name, "g++ 12.2", True, (moved, grown), ())

    known = known_layouts.of([release("2.10.0", 16, 8), release("2.9.1", 8, 0)])
    assert known.headers == ("c10/G.h", "c10/M.h")
    assert known.steps == (LayoutStep("2.9.1", "2.10.0", ("Grown", "Moved")),)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"headers": [], "steps": [{}]}'])
def test_a_damaged_file_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "layouts.json").write_text(text)
    with pytest.raises(MappingError, match="is damaged"):
        known_layouts.read(tmp_path / "layouts.json")


def test_the_shipped_file_knows_the_logger_of_2_10() -> None:
    known = known_layouts.read()
    (step,) = [step for step in known.steps if step.after == "2.10.0"]
    assert "c10::MessageLogger" in step.classes
    assert "2.10.0" in known.differences("2.9.1")
    assert "c10/core/TensorImpl.h" in known.headers
