"""Differences of class layouts as lines for a terminal and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from porter.model.class_layout import ClassChange, ClassLayout, LayoutDiff, ReleaseLayouts
from porter.report.tables import Line

_SHOWN = 6
"""Largest number of changes of one class that the text shows."""


def diff_lines(diff: LayoutDiff) -> Iterator[Line]:
    """Lines for each class whose layout differs: name, C++ header, changes, and backend sources that use the class.

    The last line has the number of these classes.
    """
    for change in diff.changes:
        yield Line(f"{change.name}  <{change.header}>", "bold")
        for text in change.changes[:_SHOWN]:
            yield Line(f"  {text}")
        if (more := len(change.changes) - _SHOWN) > 0:
            yield Line(f"  ... and {more} more")
        if change.used_by:
            yield Line(f"  used by {_users(change)}")
    classes = f"{len(diff.changes)} of {diff.compared} used classes"
    yield Line(f"{diff.before} -> {diff.after}: {classes} differ in layout")


def diff_document(diff: LayoutDiff) -> dict[str, Any]:
    """All differences as plain data."""
    return {
        "before": diff.before,
        "after": diff.after,
        "compared": diff.compared,
        "changes": [
            {
                "class": change.name,
                "header": change.header,
                "used_by": list(change.used_by),
                "changes": list(change.changes),
            }
            for change in diff.changes
        ],
    }


def layout_lines(layouts: ReleaseLayouts) -> Iterator[Line]:
    """One line for each class that the backend uses: size in bytes, name and header. The last line counts them."""
    used = used_classes(layouts)
    for layout in used:
        yield Line(f"{layout.size:8}  {layout.name}  <{layout.header}>")
    yield Line(f"{layouts.release}: {len(used)} used classes, by {layouts.compiler}")


def layout_document(layouts: ReleaseLayouts) -> dict[str, Any]:
    """Classes that the backend uses, as plain data. Offsets and sizes are in bytes; those of fields are in bits."""
    return {
        "release": layouts.release,
        "compiler": layouts.compiler,
        "cxx11_abi": layouts.cxx11_abi,
        "left_out": list(layouts.left_out),
        "classes": [_class_document(layout) for layout in used_classes(layouts)],
    }


def used_classes(layouts: ReleaseLayouts) -> Sequence[ClassLayout]:
    """Classes that the backend uses."""
    return [layout for layout in layouts.classes if layout.used_by]


def _class_document(layout: ClassLayout) -> dict[str, Any]:
    return {
        "class": layout.name,
        "header": layout.header,
        "size": layout.size,
        "bases": [base._asdict() for base in layout.bases],
        "fields": [field._asdict() for field in layout.fields],
        "vtable": [function._asdict() for function in layout.functions],
        "used_by": list(layout.used_by),
    }


def _users(change: ClassChange) -> str:
    first, *more = change.used_by
    return f"{first} and {len(more)} more" if more else first
