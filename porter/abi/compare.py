"""Differences between the layouts of two releases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from porter.model.class_layout import (
    ClassChange,
    ClassLayout,
    Field,
    LayoutDiff,
    ReleaseLayouts,
    VirtualFunction,
)

_Classes = tuple[Mapping[str, ClassLayout], Mapping[str, ClassLayout]]
"""Classes of the older and of the newer release, each by name."""


def compare(before: ReleaseLayouts, after: ReleaseLayouts) -> LayoutDiff:
    """Classes that the backend uses in at least one of two releases and whose layout differs, sorted by name.

    A class that is missing in `after` counts as a difference. Exception: an instance of a class template does not count
    if `after` has another instance of the template, because only PyTorch's own uses decide which instances its headers
    contain. A class that is missing in `before` does not count.
    """
    old, new = _by_name(before), _by_name(after)
    used = sorted({one.name for one in (*before.classes, *after.classes) if one.used_by})
    templates = {layout.template for layout in after.classes}
    found, compared = {}, 0
    for name in used:
        was, now = old.get(name), new.get(name)
        if was and now:
            compared += 1
            changes = tuple(_changes(was, now, (old, new)))
        else:
            is_gone = was is not None and was.template not in templates
            changes = ("is not in the headers of the newer release",) if is_gone else ()
        if changes and (layout := now or was):
            users = sorted({*(was.used_by if was else ()), *(now.used_by if now else ())})
            found[name] = ClassChange(name, layout.header, tuple(users), changes)
    rows = [_without_inherited(change, found, new) for change in found.values()]
    if before.cxx11_abi != after.cxx11_abi:
        text = f"_GLIBCXX_USE_CXX11_ABI {int(before.cxx11_abi)} -> {int(after.cxx11_abi)}"
        rows.insert(0, ClassChange("std::string", "string", (), (text,)))
    return LayoutDiff(before.release, after.release, compared, tuple(rows))


def _without_inherited(
    change: ClassChange, changes: Mapping[str, ClassChange], classes: Mapping[str, ClassLayout]
) -> ClassChange:
    """Copy of a change without the lines that the row of a base class contains too.

    The line `base NAME differs` replaces the omitted lines. `changes` are all rows, `classes` the newer release's.
    """
    layout = classes.get(change.name)
    told = list(change.changes)
    for base in layout.bases if layout else ():
        if base.name in changes:
            inherited = changes[base.name].changes
            told = [text for text in told if text not in inherited or text.startswith("size ")]
            told.append(f"base {base.name} differs")
    return change._replace(changes=tuple(told))


def _by_name(layouts: ReleaseLayouts) -> dict[str, ClassLayout]:
    return {layout.name: layout for layout in layouts.classes}


def _changes(was: ClassLayout, now: ClassLayout, classes: _Classes) -> Iterator[str]:
    if was.size != now.size:
        yield f"size {was.size} -> {now.size}"
    yield from _base_changes(dict(was.bases), dict(now.bases))
    old, new = (_fields(layout, known) for layout, known in zip((was, now), classes, strict=True))
    yield from _field_changes(old, new)
    yield from _slot_changes(_slots(was.functions), _slots(now.functions))


def _base_changes(old: Mapping[str, int], new: Mapping[str, int]) -> Iterator[str]:
    """Lines about bases whose offset changed. New and removed bases get no line: the fields and the size show them."""
    for name in old:
        if name in new and old[name] != new[name]:
            yield f"base {name} at {_offset(old[name])} -> {_offset(new[name])}"


def _offset(base: int) -> str:
    return "virtual" if base < 0 else str(base)


def _fields(layout: ClassLayout, classes: Mapping[str, ClassLayout]) -> dict[str, Field]:
    """Maps a name to a field of a class or of one of its non-virtual bases.

    If several fields have the same name, or no name, a number is added to the name of each but the first.
    """
    found: dict[str, Field] = {}
    for number, field in enumerate(_all_fields(layout, classes, 0)):
        name = field.name or "(unnamed)"
        found[f"{name} #{number}" if name in found else name] = field
    return found


def _all_fields(
    layout: ClassLayout, classes: Mapping[str, ClassLayout], start: int
) -> Iterator[Field]:
    for base in layout.bases:
        if base.offset >= 0 and (known := classes.get(base.name)):
            yield from _all_fields(known, classes, start + base.offset)
    for field in layout.fields:
        if not field.name.startswith("_vptr"):
            yield field._replace(offset=field.offset + 8 * start)


def _field_changes(old: Mapping[str, Field], new: Mapping[str, Field]) -> Iterator[str]:
    for name, was in old.items():
        now = new.get(name)
        if now is None:
            yield f"{name} at {_bytes(was.offset)} is removed"
            continue
        if was.offset != now.offset:
            yield f"{name} at {_bytes(was.offset)} -> {_bytes(now.offset)}"
        if was.size != now.size:
            yield f"size of {name} {_bytes(was.size)} -> {_bytes(now.size)}"
    for name, now in new.items():
        if name not in old:
            yield f"{name} at {_bytes(now.offset)} is new"


def _bytes(bits: int) -> str:
    """Offset in bytes, with the bit after a dot: `9.3` is bit 3 of byte 9."""
    whole, rest = divmod(bits, 8)
    return f"{whole}.{rest}" if rest else str(whole)


def _slots(functions: tuple[VirtualFunction, ...]) -> dict[str, int]:
    """Maps a signature to its slot. The two destructors of a class have one signature; their smaller slot is used."""
    return {function.signature: function.slot for function in reversed(functions)}


def _slot_changes(old: Mapping[str, int], new: Mapping[str, int]) -> Iterator[str]:
    for signature, slot in old.items():
        if signature not in new:
            yield f"virtual {signature} in slot {slot} is removed"
    for signature, slot in sorted(new.items(), key=lambda item: item[1]):
        if signature not in old:
            yield f"virtual {signature} in slot {slot} is new"
    moved = [name for name, slot in old.items() if new.get(name, slot) != slot]
    if moved:
        first = min(moved, key=lambda name: old[name])
        more = f" and {len(moved) - 1} more" if len(moved) > 1 else ""
        yield f"virtual {first}{more} move: slot {old[first]} -> {new[first]}"
