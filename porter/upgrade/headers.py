"""Rows about headers: those that the selection, patches or the backend name and that are gone, moved or emptied."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from porter.cpp.lex import Kind, opaque
from porter.model.rules import RuleSet
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.upgrade.mentions import BackendFile, Mention, mentions, resolve
from porter.upgrade.places import Places
from porter.upgrade.trees import Tree

_INCLUDE = re.compile(r"#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]")
_USING = re.compile(r"\b(?:using|namespace)\b[^;{}]*[;{]|[{}\s]")


def rows(
    a: Tree, b: Tree, files: tuple[BackendFile, ...], rules: RuleSet, places: Places
) -> Iterator[UpgradeRow]:
    """Rows of the named headers that release B lacks, or has as a shim that includes another header."""
    by_name: dict[str, list[str]] = {}
    for path in sorted(b.headers):
        by_name.setdefault(posixpath.basename(path), []).append(path)
    shims: dict[str, str] = {}
    for mention in mentions(files, rules, places, a.headers):
        if mention.path not in b.headers:
            if not b.has(mention.path):
                yield _gone(mention, by_name, a)
            continue
        if mention.path not in shims:
            shims[mention.path] = _new_shim(a, b, mention.path)
        if shims[mention.path]:
            yield _emptied(mention, shims[mention.path])


def _gone(mention: Mention, by_name: dict[str, list[str]], a: Tree) -> UpgradeRow:
    alike = [
        path for path in by_name.get(posixpath.basename(mention.path), ()) if path not in a.headers
    ]
    if alike:
        advice = f"name {alike[0]} in place of {mention.path}"
        change, after = Change.MOVED, alike[0]
    else:
        advice = "remove the mention, or bound it to the releases that have the header"
        change, after = Change.GONE, ""
    return UpgradeRow(
        Subject.HEADER,
        change,
        Effect.BREAKS,
        mention.path,
        mention.path,
        after,
        mention.place,
        advice,
    )


def _emptied(mention: Mention, to: str) -> UpgradeRow:
    selected = not mention.place.startswith("backend/")
    advice = (
        f"select {to} too: its definitions depend on the compiler, and the port would write only the shim"
        if selected
        else f"nothing: the header includes {to}"
    )
    effect = Effect.CHECK if selected else Effect.INFORMS
    return UpgradeRow(
        Subject.HEADER,
        Change.MOVED,
        effect,
        mention.path,
        mention.path,
        to,
        mention.place,
        advice,
    )


def _new_shim(a: Tree, b: Tree, path: str) -> str:
    """Header to which a file passes everything on in release B and not in A; empty when it declares things itself."""
    to = shim(b.text(path))
    if not to or shim(a.text(path)):
        return ""
    return resolve(to, b.headers, path) or to


def shim(text: str) -> str:
    """Last include path of a text without declarations; empty for any other text."""
    code, at, include = [], 0, ""
    for token in opaque(text):
        code.append(text[at : token.start])
        if token.kind is Kind.INCLUDE:
            match = _INCLUDE.match(token.text)
            include = match[1] if match else include
        elif token.kind is Kind.DIRECTIVE and not token.text.endswith("pragma"):
            return ""
        at = token.end
    rest = _USING.sub("", "".join(code).replace("once", "") + text[at:])
    return include if include and not rest.strip() else ""
