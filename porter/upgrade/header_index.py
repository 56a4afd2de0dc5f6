"""Index of the declarations and includes of all headers in a tree. The index is cached under the tree's digest."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from porter.base import disk_cache
from porter.base.fingerprint import Answer
from porter.base.fork_pool import share_out
from porter.cpp.header_declarations import (
    DeclarationKind,
    HeaderContent,
    HeaderDeclaration,
    header_declarations,
)
from porter.rewrite.kinds.path import INCLUDE_ROOTS
from porter.upgrade.trees import Tree

DECLARATIONS = Answer(
    "header_declarations",
    ("base", "cpp", "model", "port", "regex", "rewrite", "upgrade"),
)
_PIECE = 40
_ROOTS = (*INCLUDE_ROOTS, "torch/include/kineto/")
_ALIAS = re.compile(
    r"\b(?:using\s+(?:typename\s+)?(?:\w+\s*=\s*)?|typedef\s+)(?:::)?([\w:]+)(?:\s+\w+)?$"
)
"""Declaration of an alias for a name without template arguments; group 1 is the aliased name."""
_POSIX = frozenset({"arpa", "net", "netinet", "sys"})
"""Folders of POSIX headers (IEEE 1003.1, Headers)."""
_HOPS = 4
"""Largest number of aliases, using directives and base classes between a name and its declaration."""


class IndexedHeader(NamedTuple):
    """Declarations and includes of one header."""

    path: str
    includes: tuple[str, ...]
    """Headers of the tree that this header includes, as paths from the root."""
    declarations: tuple[HeaderDeclaration, ...]
    missing: tuple[str, ...]
    """Include paths of other libraries' headers that this header needs on every platform.

    Such an include is unconditional, its path has a folder, and the tree lacks the included header.
    """


class Found(NamedTuple):
    """A declaration and the header that contains it."""

    path: str
    declaration: HeaderDeclaration

    @property
    def place(self) -> str:
        """`file:line` of the declaration; the path is from the root of the tree."""
        return f"{self.path}:{self.declaration.line}"


class HeaderIndex:
    """Index of the declarations in one tree, by name."""

    def __init__(self, headers: Iterable[IndexedHeader]) -> None:
        self.headers: Mapping[str, IndexedHeader] = {one.path: one for one in headers}
        self.by_name: dict[str, list[Found]] = {}
        for one in self.headers.values():
            for declaration in one.declarations:
                self.by_name.setdefault(declaration.name, []).append(Found(one.path, declaration))
        self.classes = frozenset(
            found.declaration.qualified for found in self.by_kind(DeclarationKind.CLASS)
        )
        self.namespaces = frozenset(
            found.declaration.scope
            for known in self.by_name.values()
            for found in known
            if found.declaration.scope not in self.classes
        )
        self.directives: dict[str, set[str]] = {}
        """Maps a scope to the last names of the namespaces in its `using namespace` directives."""
        for found in self.by_kind(DeclarationKind.DIRECTIVE):
            scopes = self.directives.setdefault(found.declaration.scope, set())
            scopes.add(found.declaration.name.rpartition("::")[2])
        self.reachable = functools.cache(self._reachable)
        self.meant = functools.cache(self._meant)

    def by_kind(self, kind: DeclarationKind) -> Iterator[Found]:
        """All declarations of one kind."""
        for known in self.by_name.values():
            yield from (found for found in known if found.declaration.kind is kind)

    def resolve(self, include: str) -> str:
        """Path, from the root, of the header that an `#include` names; empty if the tree lacks the header."""
        return next((root + include for root in _ROOTS if root + include in self.headers), "")

    def _meant(self, qualified: str, hops: int = _HOPS) -> tuple[Found, ...]:
        """Declarations to which a qualified name can refer.

        The name can refer to a declaration directly, or through at most `hops` aliases, using directives and base
        classes.
        """
        scope, _, name = qualified.rpartition("::")
        own = [
            one
            for one in self.by_name.get(name, ())
            if one.declaration.scope == scope
            and one.declaration.kind is not DeclarationKind.DIRECTIVE
        ]
        if not hops:
            return tuple(own)
        found: list[Found] = []
        for one in own:
            aimed = [self.meant(other, hops - 1) for other in self._aliased(one)]
            found += next(filter(None, aimed), (one,))
        if not own and scope:
            for other in self._scopes(scope, hops):
                found += self.meant(f"{other}::{name}", hops - 1)
        return tuple(dict.fromkeys(found))

    def _aliased(self, one: Found) -> Iterator[str]:
        """Qualified names to which the alias `one` may refer, innermost scope first.

        Yields nothing if `one` does not declare an alias.
        """
        declared = one.declaration
        match = _ALIAS.search(declared.text) if declared.kind is DeclarationKind.TYPE else None
        if match is None:
            return
        scope = declared.scope
        while True:
            other = f"{scope}::{match[1]}" if scope else match[1]
            if other != declared.qualified:
                yield other
            if not scope:
                return
            scope = scope.rpartition("::")[0]

    def _scopes(self, scope: str, hops: int) -> Iterator[str]:
        """Scopes other than `scope` whose names are visible in it: alias targets, base classes, used namespaces."""
        for one in self.meant(scope, hops - 1):
            if one.declaration.qualified != scope:
                yield one.declaration.qualified
            for base in one.declaration.bases:
                last = base.rpartition("::")[2]
                yield from (
                    known.declaration.qualified
                    for known in self.by_name.get(last, ())
                    if known.declaration.kind is DeclarationKind.CLASS
                )
        for brought in self.directives.get(scope, ()):
            yield from self._named(brought)

    def _named(self, last: str) -> Iterator[str]:
        """Namespaces whose last name is `last`."""
        return (scope for scope in self.namespaces if scope.rpartition("::")[2] == last)

    def _reachable(self, includes: frozenset[str]) -> frozenset[str]:
        """Paths, from the root, of the headers in `includes` and of all headers that these include, even indirectly."""
        todo = [path for include in includes if (path := self.resolve(include))]
        seen: set[str] = set()
        while todo:
            path = todo.pop()
            if path not in seen:
                seen.add(path)
                todo += self.headers[path].includes
        return frozenset(seen)


def read(tree: Tree, jobs: int) -> HeaderIndex:
    """Index of the headers of a tree. Raises SourceError if a header cannot be read."""
    headers: tuple[IndexedHeader, ...] = disk_cache.computed_once(
        DECLARATIONS, tree.stamp, tuple[IndexedHeader, ...], lambda: _headers(tree, jobs)
    )
    return HeaderIndex(headers)


def _headers(tree: Tree, jobs: int) -> tuple[IndexedHeader, ...]:
    paths = sorted(tree.headers)
    pieces = [paths[start : start + _PIECE] for start in range(0, len(paths), _PIECE)]

    def work(number: int) -> list[IndexedHeader]:
        return [_header(tree, path) for path in pieces[number]]

    made = [one for some in share_out(len(pieces), work, jobs) for one in some]
    return tuple(sorted(made, key=lambda one: one.path))


def _header(tree: Tree, path: str) -> IndexedHeader:
    content = header_declarations(tree.text(path))
    included, missing = [], []
    for include in content.includes:
        beside = f"{path.rpartition('/')[0]}/{include}"
        candidates = (*(root + include for root in _ROOTS), beside)
        found = next((place for place in candidates if place in tree.headers), "")
        if found:
            included.append(found)
        elif _is_of_library(include, content) and not tree.has(f"torch/include/{include}"):
            missing.append(include)
    return IndexedHeader(path, tuple(included), content.declarations, tuple(missing))


def _is_of_library(include: str, content: HeaderContent) -> bool:
    """Test whether `include` denotes another library's header that the including header needs on every platform.

    The path must have a folder that is not POSIX's, and the include must be unconditional. `content` is the content of
    the including header.
    """
    folder, slash, _ = include.partition("/")
    return bool(slash) and folder not in _POSIX and include not in content.conditional
