"""Rows about virtual functions of the classes from which a backend derives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from porter.cpp.header_declarations import DeclarationKind, HeaderDeclaration
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.upgrade.declarations import Closure, closures
from porter.upgrade.header_index import Found, HeaderIndex
from porter.upgrade.mentions import BackendFile

INTERFACES = (
    "c10::impl::DeviceGuardImplInterface",
    "at::AcceleratorHooksInterface",
    "at::PrivateUse1HooksInterface",
    "at::CUDAHooksInterface",
    "c10::Allocator",
    "c10::DeviceAllocator",
    "c10::cuda::CUDACachingAllocator::CUDAAllocator",
    "at::HostAllocator",
    "at::CachingHostAllocatorInterface",
    "c10::GeneratorImpl",
)
"""Classes from which a vendor's own backend may derive in its own sources."""

_Virtuals = Mapping[tuple[str, str], Found]
"""Name and signature, without `noexcept`, of each virtual function."""


class Derived(NamedTuple):
    """Class of the backend with a base class of PyTorch."""

    source: str
    declared: HeaderDeclaration
    base: str
    """Base class by its last name."""
    overrides: Mapping[str, int]
    """Name of each overridden function -> line."""


def rows(a: HeaderIndex, b: HeaderIndex, files: tuple[BackendFile, ...]) -> Iterator[UpgradeRow]:
    """Rows of the virtual functions that are gone, changed or new in release B."""
    derived_names = set()
    for closure in closures(files):
        for derived in _derived(closure):
            found = _class(a, derived.base)
            if found:
                derived_names.add(found.declaration.qualified)
                yield from _of_derived(a, b, derived)
    for qualified in INTERFACES:
        if qualified not in derived_names:
            yield from _of_interface(a, b, qualified)


def _derived(closure: Closure) -> Iterator[Derived]:
    content = closure.source.content
    for declared in content.declarations:
        if declared.kind != DeclarationKind.CLASS:
            continue
        overrides = {
            one.name: one.line
            for one in content.declarations
            if one.scope == declared.qualified and one.is_virtual
        }
        for base in declared.bases:
            name = base.rpartition("::")[2]
            yield Derived(closure.source.path, declared, name, overrides)


def _class(index: HeaderIndex, name: str) -> Found | None:
    """Class by its last name or its qualified name; of several, the first in PyTorch's headers."""
    known = index.by_name.get(name.rpartition("::")[2], ())
    fitting = (
        one
        for one in known
        if one.declaration.kind == DeclarationKind.CLASS
        and ("::" not in name or one.declaration.qualified == name)
    )
    return next(fitting, None)


def _virtuals(index: HeaderIndex, name: str) -> dict[tuple[str, str], Found]:
    """Virtual functions of a class and its base classes; functions of the class itself take precedence."""
    found = _class(index, name)
    if found is None:
        return {}
    virtual: dict[tuple[str, str], Found] = {}
    for base in found.declaration.bases:
        virtual.update(_virtuals(index, base.rpartition("::")[2]))
    names = {key[0] for key in virtual}
    for one in index.headers[found.path].declarations:
        inside = one.scope == found.declaration.qualified
        overrides = one.name in names and one.kind == DeclarationKind.FUNCTION
        if inside and (one.is_virtual or overrides) and not one.name.startswith("~"):
            virtual[one.name, _signature(one)] = Found(found.path, one)
    return virtual


def _signature(declared: HeaderDeclaration) -> str:
    return declared.signature.replace("noexcept", "").strip()


def _of_derived(a: HeaderIndex, b: HeaderIndex, derived: Derived) -> Iterator[UpgradeRow]:
    before, after = _virtuals(a, derived.base), _virtuals(b, derived.base)
    at_class = f"{derived.source}:{derived.declared.line}"
    yield from _differences(
        derived.base, before, after, derived.overrides, derived.source, at_class
    )


def _of_interface(a: HeaderIndex, b: HeaderIndex, qualified: str) -> Iterator[UpgradeRow]:
    found = _class(b, qualified)
    before, after = _virtuals(a, qualified), _virtuals(b, qualified)
    if not found or not before:
        return
    for row in _differences(qualified.rpartition("::")[2], before, after, {}, "", found.place):
        effect = Effect.INFORMS if row.effect is Effect.INFORMS else Effect.CHECK
        yield row._replace(effect=effect)


def _differences(
    base: str,
    before: _Virtuals,
    after: _Virtuals,
    overrides: Mapping[str, int],
    source: str,
    at_class: str,
) -> Iterator[UpgradeRow]:
    now = {name: one for (name, _), one in after.items()}
    for (name, signature), old in before.items():
        if (name, signature) in after:
            yield from _tightened(base, old, after[name, signature], overrides, source, at_class)
            continue
        place = f"{source}:{overrides[name]}" if name in overrides else at_class
        effect = Effect.BREAKS if name in overrides else Effect.INFORMS
        new = now.get(name)
        if new:
            advice = f"override it as {new.place} declares it"
            text = new.declaration.text
            yield _row(
                Change.CHANGED, effect, base, name, old.declaration.text, text, place, advice
            )
        else:
            advice = f"remove the override: {base} no longer has this function"
            yield _row(Change.GONE, effect, base, name, old.declaration.text, "", place, advice)
    names = {name for name, _ in before}
    for (name, _), new in after.items():
        if name not in names:
            yield _new(base, name, new, overrides, at_class)


def _new(
    base: str, name: str, new: Found, overrides: Mapping[str, int], at_class: str
) -> UpgradeRow:
    if name in overrides:
        effect, advice = Effect.INFORMS, "nothing: the backend has such a function already"
    elif new.declaration.is_pure:
        effect, advice = Effect.BREAKS, f"implement it: {new.place} declares it pure"
    elif new.declaration.is_unimplemented:
        effect, advice = Effect.CHECK, f"implement it: the one in {new.place} raises an error"
    else:
        effect, advice = Effect.INFORMS, f"nothing: {new.place} has a default"
    return _row(Change.NEW, effect, base, name, "", new.declaration.text, at_class, advice)


def _tightened(
    base: str,
    old: Found,
    new: Found,
    overrides: Mapping[str, int],
    source: str,
    at_class: str,
) -> Iterator[UpgradeRow]:
    """Rows of functions with unchanged types that became pure or `noexcept`, or now raise an error by default."""
    was, now = old.declaration, new.declaration
    name = now.name
    if "noexcept" in now.signature and "noexcept" not in was.signature and name in overrides:
        place = f"{source}:{overrides[name]}"
        advice = f"add noexcept, as {new.place} has it"
        yield _row(Change.CHANGED, Effect.BREAKS, base, name, was.text, now.text, place, advice)
    elif name not in overrides and now.is_pure and not was.is_pure:
        advice = f"implement it: {new.place} declares it pure now"
        yield _row(Change.CHANGED, Effect.BREAKS, base, name, was.text, now.text, at_class, advice)
    elif name not in overrides and now.is_unimplemented and not was.is_unimplemented:
        advice = f"implement it: the one in {new.place} raises an error now"
        yield _row(Change.CHANGED, Effect.CHECK, base, name, was.text, now.text, at_class, advice)


def _row(
    change: Change,
    effect: Effect,
    base: str,
    name: str,
    before: str,
    after: str,
    place: str,
    advice: str,
) -> UpgradeRow:
    qualified = f"{base}::{name}"
    return UpgradeRow(Subject.VIRTUAL, change, effect, qualified, before, after, place, advice)
