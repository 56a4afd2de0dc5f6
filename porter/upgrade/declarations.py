"""Rows about declarations that the backend uses: gone, moved to another header or scope, or changed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import NamedTuple

from porter.cpp.header_declarations import DeclarationKind, HeaderDeclaration
from porter.cpp.signatures import least_parameters
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.upgrade import uses
from porter.upgrade.header_index import Found, HeaderIndex
from porter.upgrade.mentions import BackendFile
from porter.upgrade.uses import SourceUses, Use

_WORD = re.compile(r"[A-Za-z_]\w+")
_COMMON_SCOPES = frozenset({"at", "c10", "torch", "std", "impl", "detail", "cuda", "native"})
_HOPS = 3
"""Number of steps from a name in the source to the class of an object: a function, its type, a member of that type."""


class Closure(NamedTuple):
    """Source together with the backend's own headers that it includes."""

    source: SourceUses
    includes: frozenset[str]
    own: frozenset[str]
    """Names that the backend itself declares."""


def rows(a: HeaderIndex, b: HeaderIndex, files: tuple[BackendFile, ...]) -> Iterator[UpgradeRow]:
    """Rows of all uses of the backend; one for each declaration and source."""
    told: set[str] = set()
    for closure in closures(files):
        yield from _Source(a, b, closure).rows()
        reachable = a.reachable(closure.includes)
        known = {include for path in reachable for include in a.headers[path].missing}
        for path in sorted(b.reachable(closure.includes)):
            for include in b.headers[path].missing:
                if include not in known | told:
                    told.add(include)
                    yield _other_library(include, path, closure.source.path)


def _other_library(include: str, path: str, source: str) -> UpgradeRow:
    """Row of a header of another library that headers of the backend's sources include now."""
    advice = f"{path} includes it, and the wheel lacks it: install the library, or drop the include"
    subject, place = Subject.HEADER, f"{source}:1"
    return UpgradeRow(subject, Change.NEW, Effect.CHECK, include, "", include, place, advice)


def closures(files: tuple[BackendFile, ...]) -> Iterator[Closure]:
    """Sources of the backend. Each source also has the include paths of the backend's own headers that it includes."""
    read = {file.path: uses.read(file.path, file.text) for file in files}
    by_end: dict[str, str] = {}
    for path in read:
        parts = path.split("/")
        by_end.update(("/".join(parts[at:]), path) for at in range(len(parts)))
    for source in read.values():
        todo, seen, includes = [source.path], set(), set()
        while todo:
            path = todo.pop()
            if path in seen:
                continue
            seen.add(path)
            for include in read[path].content.includes:
                includes.add(include)
                own = by_end.get(include.removeprefix("../"))
                todo += [own] if own and own not in seen else []
        own_names = {one.name for path in seen for one in read[path].content.declarations}
        yield Closure(source, frozenset(includes), frozenset(own_names))


class _Source:
    """Comparison of the declarations that one source uses."""

    def __init__(self, a: HeaderIndex, b: HeaderIndex, closure: Closure) -> None:
        self.a, self.b = a, b
        self.closure = closure
        self.source = closure.source
        self.in_a = a.reachable(closure.includes)
        self.in_b = b.reachable(closure.includes)
        self.in_play = self._classes_in_play()

    def rows(self) -> Iterator[UpgradeRow]:
        told: set[str] = set()
        for use in sorted(self.source.uses, key=lambda use: use.line):
            before = self._candidates(self.a, self.in_a, use)
            if not before:
                continue
            for row in self._compared(use, before):
                if row.name not in told:
                    told.add(row.name)
                    yield row

    def _classes_in_play(self) -> frozenset[str]:
        """Identifiers of the source, and the names of types that the declarations of these identifiers mention."""
        words = set(self.source.words)
        fresh = frozenset(words)
        for _ in range(_HOPS):
            mentioned: set[str] = set()
            for word in fresh:
                for found in self.a.by_name.get(word, ()):
                    if found.path in self.in_a and self._leads(found.declaration, words):
                        mentioned.update(_WORD.findall(found.declaration.text))
            fresh = frozenset(mentioned - words)
            words |= mentioned
        return frozenset(words)

    def _leads(self, declared: HeaderDeclaration, words: set[str]) -> bool:
        """Test whether the source can hold an object of a type that a declaration mentions."""
        if declared.kind is DeclarationKind.CLASS or declared.kind is DeclarationKind.MACRO:
            return False
        return declared.scope not in self.a.classes or declared.scope.rpartition("::")[2] in words

    def _candidates(self, index: HeaderIndex, reachable: frozenset[str], use: Use) -> list[Found]:
        """Reachable declarations to which a use may refer."""
        known = (one for one in index.by_name.get(use.name, ()) if one.path in reachable)
        return [one for one in known if self._fits(index, use, one.declaration)]

    def _fits(self, index: HeaderIndex, use: Use, declared: HeaderDeclaration) -> bool:
        if declared.kind == DeclarationKind.MACRO:
            return not use.qualifier and not use.is_member
        in_class = declared.scope in index.classes
        last = declared.scope.rpartition("::")[2]
        if use.is_member:
            return in_class and last in self.in_play
        if use.qualifier:
            return any(
                scope == use.qualifier or scope.endswith(f"::{use.qualifier}")
                for scope in (declared.scope, *self._brought(index, declared.scope))
            )
        if use.name in self.closure.own:
            return False
        return not in_class and not _is_local(declared)

    def _brought(self, index: HeaderIndex, scope: str) -> Iterator[str]:
        """Scopes with a `using namespace` that makes the names of the given scope visible."""
        last = scope.rpartition("::")[2]
        yield from (other for other, brought in index.directives.items() if last in brought)

    def _compared(self, use: Use, before: list[Found]) -> Iterator[UpgradeRow]:
        after = self._candidates(self.b, self.in_b, use)
        if not after:
            before = [one for one in before if self._can_be_meant(use, one)]
            yield from (self._gone(use, one) for one in before[:1])
            return
        new = {one.declaration.qualified for one in after}
        by_name: dict[str, list[Found]] = {}
        for one in before:
            by_name.setdefault(one.declaration.qualified, []).append(one)
        for qualified, found in by_name.items():
            if qualified in new:
                same = [one for one in after if one.declaration.qualified == qualified]
                yield from self._changed(use, found, same)
            elif (
                use.is_member
                and self._can_be_meant(use, found[0])
                and not self._is_brought(found[0], new)
            ):
                yield self._gone(use, found[0])

    def _can_be_meant(self, use: Use, found: Found) -> bool:
        """Test whether a use can refer to a declaration.

        False for a member of a class that the source does not name and that, in release B, it no longer includes.
        """
        if self._effect(use, found) is Effect.BREAKS:
            return True
        qualified = found.declaration.qualified
        known = self.b.by_name.get(use.name, ())
        return all(one.declaration.qualified != qualified for one in known)

    def _is_brought(self, found: Found, qualified: set[str]) -> bool:
        """Test whether, in release B, the old name of a moved class still leads to its member."""
        outer, _, name = found.declaration.scope.rpartition("::")
        member = f"{name}::{found.declaration.name}"
        brought = self.b.directives.get(outer, set())
        return any(
            one.endswith(f"::{member}")
            and one.removesuffix(f"::{member}").rpartition("::")[2] in brought
            for one in qualified
        )

    def _gone(self, use: Use, found: Found) -> UpgradeRow:
        qualified = found.declaration.qualified
        elsewhere = [
            one
            for one in self.b.by_name.get(use.name, ())
            if one.declaration.qualified == qualified or use.name.isupper()
        ] or [
            one
            for one in self.b.by_name.get(use.name, ())
            if one.declaration.kind == found.declaration.kind and not use.is_member
        ]
        place = f"{self.source.path}:{use.line}"
        before = found.declaration.text
        if elsewhere:
            other = elsewhere[0]
            advice = (
                f"declared in {other.place} as {other.declaration.qualified}: include that header"
            )
            after = other.declaration.text
            return _row(
                Change.MOVED, self._effect(use, found), qualified, before, after, place, advice
            )
        effect = self._effect(use, found)
        near = _renamed(use.name, self.b, found)
        advice = (
            f"perhaps {near.declaration.qualified} ({near.place}) replaces it"
            if near
            else f"remove the use, or limit it to the releases that have it (it was in {found.place})"
        )
        after = near.declaration.text if near else ""
        return _row(Change.GONE, effect, qualified, before, after, place, advice)

    def _effect(self, use: Use, found: Found) -> Effect:
        """BREAKS; CHECK for a member whose class the source does not name, because the object may have another
        class."""
        owner = found.declaration.scope.rpartition("::")[2]
        named = not use.is_member or owner in self.source.words
        return Effect.BREAKS if named else Effect.CHECK

    def _changed(self, use: Use, old: list[Found], new: list[Found]) -> Iterator[UpgradeRow]:
        was = {one.declaration.signature: one for one in old}
        now = {one.declaration.signature: one for one in new}
        lost = [one for signature, one in was.items() if signature not in now]
        added = [one for signature, one in now.items() if signature not in was]
        if not lost or not any(one.declaration.kind in _COMPARED for one in lost):
            return
        parameters = {_parameters(one.declaration) for one in new}
        least = {_least(one.declaration) for one in new}
        if all(_parameters(one.declaration) in parameters for one in lost):
            effect = Effect.CHECK
        elif all(_parameters(one.declaration) in least for one in lost):
            effect = Effect.INFORMS
        else:
            effect = self._effect(use, lost[0])
        texts = "\n".join(one.declaration.text for one in added)
        where = (added or new)[0].place
        advice = (
            f"nothing, unless its address is taken: {where} adds parameters with default values"
            if effect is Effect.INFORMS
            else f"follow the declaration in {where}"
        )
        before = "\n".join(one.declaration.text for one in lost)
        place = f"{self.source.path}:{use.line}"
        name = old[0].declaration.qualified
        yield _row(Change.CHANGED, effect, name, before, texts, place, advice)


def _parameters(declared: HeaderDeclaration) -> str:
    """Signature of a function without its return type; kind and name of anything else."""
    if declared.kind is not DeclarationKind.FUNCTION:
        return f"{declared.kind} {declared.name}"
    signature = declared.signature
    return signature[signature.find("(") :].replace("noexcept", "")


def _least(declared: HeaderDeclaration) -> str:
    """Types of the parameters that every call must supply (those without default values)."""
    if declared.kind is not DeclarationKind.FUNCTION:
        return ""
    types = ",".join(least_parameters(declared.text))
    tail = _parameters(declared).rpartition(")")[2]
    return f"({types}){tail}"


_COMPARED = frozenset(
    {
        DeclarationKind.FUNCTION,
        DeclarationKind.TYPE,
        DeclarationKind.VARIABLE,
        DeclarationKind.MACRO,
    }
)


def _is_local(declared: HeaderDeclaration) -> bool:
    """Test whether a declaration's scope is invisible to unqualified names in the backend."""
    parts = declared.scope.split("::")
    return bool(declared.scope) and not set(parts) <= _COMMON_SCOPES | {
        "backend",
        "CachingAllocator",
    }


def _renamed(name: str, index: HeaderIndex, found: Found) -> Found | None:
    """Declaration of the same scope and kind with the most similar name; None when no name is similar."""
    scope, kind = found.declaration.scope, found.declaration.kind
    header = index.headers.get(found.path)
    same = {
        one.name: Found(found.path, one)
        for one in (header.declarations if header else ())
        if one.scope == scope and one.kind == kind
    }
    near = difflib.get_close_matches(name, same, n=1, cutoff=0.7)
    return same[near[0]] if near else None


def _row(
    change: Change, effect: Effect, name: str, before: str, after: str, place: str, advice: str
) -> UpgradeRow:
    subject = Subject.DECLARATION
    return UpgradeRow(subject, change, effect, name, before, after, place, advice)
