"""Rows of `porter upgrade` about virtual functions of the classes from which a backend derives."""

from __future__ import annotations

import re
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
"""Classes of PyTorch from which a vendor's own backend may derive."""

_ALIAS = re.compile(r"using (\w+) = ([\w:]+)")
_SCOPE = re.compile(r"\b\w+::")
_WORD = re.compile(r"[A-Za-z_]\w*")
_Virtuals = Mapping[tuple[str, str], Found]
"""Maps (name, signature without `noexcept`) of each virtual function to its declaration."""


class Derived(NamedTuple):
    """Class of the backend that derives from a class of PyTorch."""

    base: str
    """Name of the base class, without its scope."""
    place: str
    """`file:line` of the class."""
    overrides: Mapping[str, HeaderDeclaration]
    """Maps the name of each overridden function to its declaration in the backend."""
    aliases: Mapping[str, str]
    """Maps the name of each type alias that the source defines to the aliased type."""

    def place_of(self, name: str) -> str:
        """`file:line` of the override called `name`, or of the class if it has no such override."""
        override = self.overrides.get(name)
        return f"{self.place.rpartition(':')[0]}:{override.line}" if override else self.place

    def fits(self, new: HeaderDeclaration) -> bool:
        """Test whether the class has an override with the signature of the virtual function `new`."""
        override = self.overrides.get(new.name)
        return override is not None and self._bare(override) == self._bare(new)

    def _bare(self, declared: HeaderDeclaration) -> str:
        """Signature with the source's type aliases replaced by their types, and without scope qualifiers (`c10::`)."""
        own = _WORD.sub(lambda word: self.aliases.get(word[0], word[0]), _signature(declared))
        return _SCOPE.sub("", own)


def rows(a: HeaderIndex, b: HeaderIndex, files: tuple[BackendFile, ...]) -> Iterator[UpgradeRow]:
    """Rows about virtual functions that are removed, changed or new in release B.

    The functions belong to the base classes of the backend's classes and to the classes in `INTERFACES`.
    """
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
    named = (_ALIAS.fullmatch(one.text) for one in content.declarations)
    aliases = {match[1]: match[2] for match in named if match}
    for declared in content.declarations:
        if declared.kind != DeclarationKind.CLASS:
            continue
        overrides = {
            one.name: one
            for one in content.declarations
            if one.scope == declared.qualified and one.is_virtual
        }
        for base in declared.bases:
            name = base.rpartition("::")[2]
            place = f"{closure.source.path}:{declared.line}"
            yield Derived(name, place, overrides, aliases)


def _class(index: HeaderIndex, name: str) -> Found | None:
    """First class with the given qualified or unqualified name; None if there is no such class."""
    known = index.by_name.get(name.rpartition("::")[2], ())
    fitting = (
        one
        for one in known
        if one.declaration.kind == DeclarationKind.CLASS
        and ("::" not in name or one.declaration.qualified == name)
    )
    return next(fitting, None)


def _virtuals(index: HeaderIndex, name: str) -> dict[tuple[str, str], Found]:
    """Maps (name, signature) of the virtual functions of a class and its base classes to their declarations.

    An override replaces the function of the base class. Empty if the class is unknown.
    """
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
    yield from _differences(_virtuals(a, derived.base), _virtuals(b, derived.base), derived)


def _of_interface(a: HeaderIndex, b: HeaderIndex, qualified: str) -> Iterator[UpgradeRow]:
    found = _class(b, qualified)
    before, after = _virtuals(a, qualified), _virtuals(b, qualified)
    if not found or not before:
        return
    for row in _differences(before, after, Derived(found.declaration.name, found.place, {}, {})):
        effect = Effect.INFORMS if row.effect is Effect.INFORMS else Effect.CHECK
        yield row._replace(effect=effect)


def _differences(before: _Virtuals, after: _Virtuals, derived: Derived) -> Iterator[UpgradeRow]:
    now = {name: one for (name, _), one in after.items()}
    for (name, signature), old in before.items():
        if (name, signature) in after:
            yield from _tightened(old, after[name, signature], derived)
            continue
        new = now.get(name)
        if new and derived.fits(new.declaration):
            continue
        effect = Effect.BREAKS if name in derived.overrides else Effect.INFORMS
        if new:
            advice = f"override it as {new.place} declares it"
            yield _row(derived, Change.CHANGED, effect, name, old, new, advice)
        else:
            advice = f"remove the override: {derived.base} no longer has this function"
            yield _row(derived, Change.GONE, effect, name, old, None, advice)
    names = {name for name, _ in before}
    for (name, _), new in after.items():
        if name not in names:
            yield _new(name, new, derived)


def _new(name: str, new: Found, derived: Derived) -> UpgradeRow:
    if name in derived.overrides:
        effect, advice = Effect.INFORMS, "nothing: the backend has such a function already"
    elif new.declaration.is_pure:
        effect, advice = Effect.BREAKS, f"implement it: {new.place} declares it pure virtual"
    elif new.declaration.is_unimplemented:
        effect, advice = Effect.CHECK, f"implement it: the default in {new.place} raises an error"
    else:
        effect, advice = Effect.INFORMS, f"nothing: {new.place} has a default implementation"
    return _row(derived, Change.NEW, effect, name, None, new, advice)


def _tightened(old: Found, new: Found, derived: Derived) -> Iterator[UpgradeRow]:
    """Row about a function with unchanged types that is now pure or `noexcept`, or whose default now raises an error.

    Yields nothing for any other function.
    """
    was, now = old.declaration, new.declaration
    name = now.name
    override = derived.overrides.get(name)
    effect = Effect.BREAKS
    if override:
        is_new = "noexcept" in now.signature and "noexcept" not in was.signature
        if not is_new or "noexcept" in override.signature:
            return
        advice = f"add noexcept: {new.place} declares it noexcept now"
    elif now.is_pure and not was.is_pure:
        advice = f"implement it: {new.place} declares it pure virtual now"
    elif now.is_unimplemented and not was.is_unimplemented:
        effect = Effect.CHECK
        advice = f"implement it: the default in {new.place} raises an error now"
    else:
        return
    yield _row(derived, Change.CHANGED, effect, name, old, new, advice)


def _row(
    derived: Derived,
    change: Change,
    effect: Effect,
    name: str,
    before: Found | None,
    after: Found | None,
    advice: str,
) -> UpgradeRow:
    return UpgradeRow(
        Subject.VIRTUAL,
        change,
        effect,
        f"{derived.base}::{name}",
        before.declaration.text if before else "",
        after.declaration.text if after else "",
        derived.place if change is Change.NEW else derived.place_of(name),
        advice,
    )
