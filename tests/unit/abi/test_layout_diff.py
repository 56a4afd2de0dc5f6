"""Differences of layouts, and the classes that sources use."""

from __future__ import annotations

from porter.abi import uses
from porter.abi.class_layouts import FoundClass
from porter.abi.compare import compare
from porter.model.class_layout import Base, ClassLayout, Field, ReleaseLayouts, VirtualFunction


def release(name: str, *classes: ClassLayout, cxx11_abi: bool = True) -> ReleaseLayouts:
    return ReleaseLayouts(name, "g++ 12.2", cxx11_abi, classes, ())


def layout(
    name: str,
    size: int = 8,
    fields: tuple[Field, ...] = (),
    functions: tuple[VirtualFunction, ...] = (),
    bases: tuple[Base, ...] = (),
    used: bool = True,
) -> ClassLayout:
    users = ("backend/csrc/Memory.cpp",) if used else ()
    return ClassLayout(name, "c10/A.h", size, bases, fields, functions, users)


def changes(was: ClassLayout, now: ClassLayout) -> tuple[str, ...]:
    found = compare(release("1", was), release("2", now)).changes
    return found[0].changes if found else ()


def test_equal_layouts_are_no_difference() -> None:
    field = (Field("a", 0, 32),)
    done = compare(release("1", layout("A", 8, field)), release("2", layout("A", 8, field)))
    assert (done.compared, done.changes) == (1, ())


def test_sizes_and_fields() -> None:
    was = layout("A", 16, (Field("a", 0, 64), Field("b", 64, 32), Field("gone", 96, 1)))
    now = layout("A", 24, (Field("a", 0, 64), Field("b", 99, 64), Field("more", 64, 8)))
    assert changes(was, now) == (
        "size 16 -> 24",
        "b at 8 -> 12.3",
        "size of b 4 -> 8",
        "gone at 12 is removed",
        "more at 8 is new",
    )


def test_a_function_in_between_moves_the_others() -> None:
    was = (VirtualFunction(2, "a()"), VirtualFunction(3, "b()"), VirtualFunction(4, "c(int)"))
    now = (
        VirtualFunction(2, "a()"),
        VirtualFunction(3, "x()"),
        VirtualFunction(4, "b()"),
        VirtualFunction(5, "c(long int)"),
    )
    assert changes(layout("A", functions=was), layout("A", functions=now)) == (
        "virtual c(int) in slot 4 is removed",
        "virtual x() in slot 3 is new",
        "virtual c(long int) in slot 5 is new",
        "virtual b() move: slot 3 -> 4",
    )


def test_fields_that_move_into_a_base_at_the_same_offset_are_equal() -> None:
    was = layout("A<int>", 16, (Field("data", 0, 64), Field("length", 64, 64)))
    base = layout("B<int>", 16, was.fields)
    now = layout("A<int>", 16, bases=(Base("B<int>", 0),))
    assert not compare(release("1", was), release("2", now, base)).changes


def test_what_a_base_tells_is_not_told_again() -> None:
    old = (layout("Base", 8, (Field("a", 0, 32),)), layout("A", 8, bases=(Base("Base", 0),)))
    new = (layout("Base", 8, (Field("b", 0, 32),)), layout("A", 8, bases=(Base("Base", 0),)))
    derived, base = compare(release("1", *old), release("2", *new)).changes
    assert base.changes == ("a at 0 is removed", "b at 0 is new")
    assert derived.changes == ("base Base differs",)


def test_a_class_that_is_gone_is_a_difference_and_an_instance_is_none() -> None:
    old = release("1", layout("A"), layout("P<int>"))
    (gone,) = compare(old, release("2", layout("P<long>"))).changes
    assert gone.name == "A"


def test_classes_that_no_source_uses_are_not_compared() -> None:
    done = compare(
        release("1", layout("A", 8, used=False)), release("2", layout("A", 9, used=False))
    )
    assert (done.compared, done.changes) == (0, ())


def test_the_abi_of_the_standard_library_counts() -> None:
    done = compare(release("1", cxx11_abi=False), release("2"))
    assert done.changes[0].changes == ("_GLIBCXX_USE_CXX11_ABI 0 -> 1",)


def found(
    name: str, reaches: set[str] | None = None, functions: set[str] | None = None
) -> FoundClass:
    return FoundClass(
        name, "c10/A.h", 8, (), (), (), frozenset(functions or ()), frozenset(reaches or ())
    )


def test_a_source_uses_what_it_names_by_macros_and_what_that_is_made_of() -> None:
    classes = {
        one.name: one
        for one in (
            found("c10::Logger", {"c10::Stream"}),
            found("c10::Stream"),
            found("c10::Other"),
            found("at::Context", functions={"getPinned"}),
        )
    }
    macros = {"LOG": ("LOG_TO", "x"), "LOG_TO": ("c10", "Logger")}
    source = uses.BackendSource("backend/a.cpp", (), frozenset({"LOG", "getPinned"}))
    users = uses.used_by(classes, [source], macros)
    assert set(users) == {"c10::Logger", "c10::Stream", "at::Context"}
    assert users["c10::Stream"] == ("backend/a.cpp",)


def test_functions_of_many_classes_say_nothing() -> None:
    classes = {name: found(name, functions={"size"}) for name in ("A", "B", "C<int>", "C<long>")}
    source = uses.BackendSource("backend/a.cpp", (), frozenset({"size"}))
    assert not uses.used_by(classes, [source], {})


def test_the_backends_own_sources_name_headers_of_pytorch_alone() -> None:
    sources = uses.backend_sources()
    named = uses.headers(sources)
    assert "ATen/core/Tensor.h" in named and "c10/core/Allocator.h" in named
    assert not [name for name in named if "/cuda/" in name]
