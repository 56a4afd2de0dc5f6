"""Rows of `porter upgrade` about removed, moved or changed declarations that the backend uses."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from porter.cpp.header_declarations import DeclarationKind, HeaderDeclaration
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.upgrade import calls, uses
from porter.upgrade.header_index import Found, HeaderIndex
from porter.upgrade.mentions import BackendFile
from porter.upgrade.uses import SourceUses, Use

_WORD = re.compile(r"[A-Za-z_]\w+")
_COMMON_SCOPES = frozenset({"at", "c10", "torch", "std", "impl", "detail", "cuda", "native"})
_HOPS = 3
"""Largest number of steps from a name in the source to the class of an object.

Example of three steps: a function, the type of its result, the type of a member of the result.
"""


class Closure(NamedTuple):
    """One file of the backend, with the include paths and the backend's declarations that are visible in the file."""

    source: SourceUses
    includes: frozenset[str]
    own: frozenset[str]
    """Visible names that the backend's own files declare."""


def rows(a: HeaderIndex, b: HeaderIndex, files: tuple[BackendFile, ...]) -> Iterator[UpgradeRow]:
    """Rows about the declarations that the backend uses and that differ in B, and about headers that B newly requires.

    A source has at most one row for each declaration. The new headers belong to libraries other than PyTorch.
    """
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
    """Row about the header `include` of a library other than PyTorch.

    In release B, the PyTorch header `path` includes this header, and the backend's file `source` uses `path`.
    """
    advice = f"{path} includes it, and the wheel lacks it: install the library, or drop the include"
    subject, place = Subject.HEADER, f"{source}:1"
    return UpgradeRow(subject, Change.NEW, Effect.CHECK, include, "", include, place, advice)


def closures(files: tuple[BackendFile, ...]) -> Iterator[Closure]:
    """Files of the backend, each with the include paths and declarations that are visible in the file.

    A file sees its own include paths and declarations, and those of the backend's headers that it includes. A header
    also sees everything that is visible in the sources that include the header.
    """
    read = {file.path: uses.read(file.path, file.text) for file in files}
    inside = {path: frozenset(_included(path, read)) for path in read}
    for path, source in read.items():
        users = [seen for seen in inside.values() if path in seen]
        visible = frozenset().union(*users)
        includes = frozenset(one for each in visible for one in read[each].content.includes)
        own = frozenset(one.name for each in visible for one in read[each].content.declarations)
        yield Closure(source, includes, own)


def _included(path: str, read: Mapping[str, SourceUses]) -> set[str]:
    """Paths of the file `path` and of the backend's own files that it includes directly or indirectly."""
    by_end: dict[str, str] = {}
    for known in read:
        parts = known.split("/")
        by_end.update(("/".join(parts[at:]), known) for at in range(len(parts)))
    todo, seen = [path], set()
    while todo:
        one = todo.pop()
        seen.add(one)
        found = (by_end.get(include.removeprefix("../")) for include in read[one].content.includes)
        todo += [other for other in found if other and other not in seen]
    return seen


class _Source:
    """Comparison of the two releases with respect to the declarations that one source uses."""

    def __init__(self, a: HeaderIndex, b: HeaderIndex, closure: Closure) -> None:
        self.a, self.b = a, b
        self.closure = closure
        self.source = closure.source
        self.in_a = a.reachable(closure.includes)
        self.in_b = b.reachable(closure.includes)
        self.usable_classes = self._usable_classes()

    def rows(self) -> Iterator[UpgradeRow]:
        told: set[str] = set()
        for use in sorted(self.source.uses, key=lambda use: use.line):
            before = self._candidates(self.a, self.in_a, use)
            for row in self._compared(use, before) if before else ():
                if row.name not in told:
                    told.add(row.name)
                    yield _of_probe(row) if use.is_probed else row

    def _usable_classes(self) -> frozenset[str]:
        """Names of the classes whose objects the source may use.

        The result contains all identifiers of the source, and all names in the declarations of these identifiers, in
        up to `_HOPS` steps.
        """
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
        """Test whether the source can get an object of a type that `declared` mentions.

        `words` are the identifiers that the source can reach.
        """
        if declared.kind is DeclarationKind.CLASS or declared.kind is DeclarationKind.MACRO:
            return False
        return declared.scope not in self.a.classes or declared.scope.rpartition("::")[2] in words

    def _candidates(self, index: HeaderIndex, reachable: frozenset[str], use: Use) -> list[Found]:
        """Declarations in reachable headers to which a use can refer."""
        return [
            one
            for one in index.by_name.get(use.name, ())
            if one.path in reachable
            and one.declaration.kind is not DeclarationKind.DIRECTIVE
            and one.declaration.scope.partition("::")[0] != "std"
            and self._fits(index, use, one.declaration)
        ]

    def _fits(self, index: HeaderIndex, use: Use, declared: HeaderDeclaration) -> bool:
        if declared.kind == DeclarationKind.MACRO:
            return not use.qualifier and not use.is_member
        in_class = declared.scope in index.classes
        last = declared.scope.rpartition("::")[2]
        if use.is_member:
            return in_class and last in self.usable_classes
        if use.qualifier:
            return any(
                scope == use.qualifier or scope.endswith(f"::{use.qualifier}")
                for scope in (declared.scope, *self._brought(index, declared.scope))
            )
        if use.name in self.closure.own:
            return False
        return not in_class and not _is_local(declared)

    def _brought(self, index: HeaderIndex, scope: str) -> Iterator[str]:
        """Scopes whose `using namespace` makes the names of the given scope visible."""
        last = scope.rpartition("::")[2]
        yield from (other for other, brought in index.directives.items() if last in brought)

    def _compared(self, use: Use, before: list[Found]) -> Iterator[UpgradeRow]:
        by_name: dict[str, list[Found]] = {}
        for one in before:
            by_name.setdefault(one.declaration.qualified, []).append(one)
        left = {name: self._meant(self.b, self.in_b, name) for name in by_name}
        for qualified, now in left.items():
            if now:
                was = self._meant(self.a, self.in_a, qualified) or by_name[qualified]
                yield from self._changed(use, was, now)
        gone = [found[0] for name, found in by_name.items() if not left[name]]
        others = self._candidates(self.b, self.in_b, use)
        if any(left.values()) or others:
            # The use may refer to another declaration, unless it is a member of a class that the source names.
            owners = {_owner(one) for one in others}
            gone = [
                one
                for one in gone
                if use.is_member
                and self._effect(use, one) is Effect.BREAKS
                and _owner(one) not in owners
            ]
        else:
            gone = [one for one in gone if self._can_be_meant(use, one)][:1]
        yield from (self._gone(use, one) for one in gone)

    @staticmethod
    def _meant(index: HeaderIndex, reachable: frozenset[str], qualified: str) -> list[Found]:
        return [one for one in index.meant(qualified) if one.path in reachable]

    def _can_be_meant(self, use: Use, found: Found) -> bool:
        """Test whether a use can refer to a declaration.

        The result is false for a member of a class that the source does not name, if release B still declares the
        member in a header that the source does not include.
        """
        if self._effect(use, found) is Effect.BREAKS:
            return True
        return not self.b.meant(found.declaration.qualified)

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
            f"check whether {near.declaration.qualified} ({near.place}) replaces it"
            if near
            else f"remove the use, or limit it to the releases that have it (it was in {found.place})"
        )
        after = near.declaration.text if near else ""
        return _row(Change.GONE, effect, qualified, before, after, place, advice)

    def _effect(self, use: Use, found: Found) -> Effect:
        """Effect on a use if the declaration `found` is missing: BREAKS, or CHECK if `found` is uncertain.

        CHECK is the effect for a member if the source does not name the member's class, or if release B declares the
        name of the class, but not as a class.
        """
        if not use.is_member:
            return Effect.BREAKS
        now = self.b.meant(found.declaration.scope)
        is_known = not now or any(one.declaration.kind is DeclarationKind.CLASS for one in now)
        return Effect.BREAKS if _owner(found) in self.source.words and is_known else Effect.CHECK

    def _changed(self, use: Use, old: list[Found], new: list[Found]) -> Iterator[UpgradeRow]:
        was = {_signature(one.declaration): one for one in old}
        now = {_signature(one.declaration): one for one in new}
        lost = [one for signature, one in was.items() if signature not in now]
        added = [one for signature, one in now.items() if signature not in was]
        if not lost or not any(one.declaration.kind in _COMPARED for one in lost):
            return
        was_texts = [one.declaration.text for one in old]
        now_texts = [one.declaration.text for one in new]
        if calls.are_adapted(was_texts, now_texts, use.name, use.counts):
            return
        effect = Effect.CHECK
        if any(one.declaration.kind is DeclarationKind.FUNCTION for one in lost):
            effect = calls.effect_on_calls(
                (one.declaration.text for one in lost),
                now_texts,
                use.name,
                use.counts if use.is_only_called else None,
            )
        if effect is Effect.BREAKS:
            effect = self._effect(use, lost[0])
        texts = "\n".join(one.declaration.text for one in added)
        where = (added or new)[0].place
        advice = (
            f"nothing, unless the source takes its address: the calls fit the declaration in {where}"
            if effect is Effect.INFORMS
            else f"follow the declaration in {where}"
        )
        before = "\n".join(one.declaration.text for one in lost)
        place = f"{self.source.path}:{use.line}"
        name = old[0].declaration.qualified
        yield _row(Change.CHANGED, effect, name, before, texts, place, advice)


def _owner(found: Found) -> str:
    """Last part of the name of the scope that contains a declaration."""
    return found.declaration.scope.rpartition("::")[2]


def _of_probe(row: UpgradeRow) -> UpgradeRow:
    """Copy of `row` with the effect INFORMS and with other advice, for a use in a trailing `-> decltype(...)`.

    Such a use is no error by itself: if the used name is not declared, the compiler ignores the overload that contains
    the use (SFINAE).
    """
    advice = "nothing if the source has another overload: the compiler ignores this one"
    return row._replace(effect=Effect.INFORMS, advice=advice)


def _signature(declared: HeaderDeclaration) -> str:
    """Normalized signature: the part of a declaration on which callers depend."""
    return calls.normal(declared.signature)


_COMPARED = frozenset(
    {
        DeclarationKind.FUNCTION,
        DeclarationKind.TYPE,
        DeclarationKind.VARIABLE,
        DeclarationKind.MACRO,
    }
)


def _is_local(declared: HeaderDeclaration) -> bool:
    """Test whether the scope of a declaration hides the declared name from unqualified uses in the backend."""
    parts = declared.scope.split("::")
    return bool(declared.scope) and not set(parts) <= _COMMON_SCOPES | {
        "backend",
        "CachingAllocator",
    }


def _renamed(name: str, index: HeaderIndex, found: Found) -> Found | None:
    """Declaration with the header, scope and kind of `found` whose name is most similar to `name`.

    None if no name is similar. `index` is the index of release B.
    """
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
