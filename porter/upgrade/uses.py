"""Names that a C++ source uses, each with its qualifier and the line of its first use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from porter.cpp.header_declarations import HeaderContent, header_declarations
from porter.cpp.plain_code import plain_code
from porter.cpp.signatures import closing, split_arguments

_CHAIN = re.compile(r"(?:(\.|->)\s*)?((?:~?[A-Za-z_]\w*\s*::\s*)*)([A-Za-z_]\w*)")
_ALIAS = re.compile(r"\bnamespace\s+(\w+)\s*=\s*([\w:]+)\s*;|\busing\s+(\w+)\s*=\s*([\w:]+)\s*;")

_PROBE = re.compile(r"->\s*decltype\s*\(")
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALL = re.compile(r"\s*\(")
_TEMPLATE = re.compile(r"\btemplate\s*<([^{};]*?)>\s*(?=[\w:~\[])")
_PARAMETER = re.compile(r"\b(?:class|typename)\b\s*(?:\.\.\.)?\s*(\w+)")


class Use(NamedTuple):
    """Use of a name in a source."""

    name: str
    qualifier: str
    """Scope before the name, with the source's aliases replaced: `c10::cuda`. Empty for an unqualified name."""
    is_member: bool
    """True if the name follows `.` or `->`."""
    line: int
    counts: frozenset[int] = frozenset()
    """Numbers of arguments in the source's calls of the name with the scope `qualifier`."""
    is_only_called: bool = False
    """True if each use is a call, and `counts` has the number of arguments of each."""
    is_probed: bool = False
    """True for a use in a trailing `-> decltype(...)`: if the name is undeclared, the compiler ignores the overload."""


class SourceUses(NamedTuple):
    """Names that one source uses, and names that it declares."""

    path: str
    uses: tuple[Use, ...]
    """First use of each combination of name, scope and `is_member`."""
    words: frozenset[str]
    """All identifiers of the source except names of template parameters."""
    content: HeaderContent


def read(path: str, text: str) -> SourceUses:
    """Uses and identifiers of the source at `path`."""
    code = plain_code(text).code
    probed = {
        name
        for match in _PROBE.finditer(code)
        for name in _WORD.findall(_inside(code, match.end()))
    }
    aliases = {m[1] or m[3]: m[2] or m[4] for m in _ALIAS.finditer(code)}
    first: dict[tuple[str, str, bool], int] = {}
    counts: dict[tuple[str, str, bool], set[int]] = {}
    others: set[tuple[str, str, bool]] = set()
    words: set[str] = set()
    line, at = 1, 0
    for match in _CHAIN.finditer(code):
        line += code.count("\n", at, match.start())
        at = match.start()
        qualifier = _expanded("".join(match[2].split()).removesuffix("::"), aliases)
        key = (match[3], qualifier, bool(match[1]))
        first.setdefault(key, line)
        if called := _CALL.match(code, match.end()):
            arguments = split_arguments(_inside(code, called.end())[:-1])
            counts.setdefault(key, set()).add(len(arguments))
        if not called or any("..." in argument for argument in arguments):
            others.add(key)
        words.update(re.findall(r"\w+", match[0]))
        words.update(qualifier.split("::"))
        for name, scope in _parts(qualifier):
            first.setdefault((name, scope, False), line)
    uses = tuple(
        Use(
            *key,
            line=number,
            counts=frozenset(counts.get(key, ())),
            is_only_called=key in counts and key not in others,
            is_probed=key[0] in probed,
        )
        for key, number in first.items()
    )
    words -= {name for match in _TEMPLATE.finditer(code) for name in _PARAMETER.findall(match[1])}
    return SourceUses(path, uses, frozenset(words), header_declarations(text))


def _inside(code: str, start: int) -> str:
    """Text from `start`, which is the offset after an opening bracket, to the matching closing bracket."""
    return code[start : closing(code, start)]


def _expanded(qualifier: str, aliases: Mapping[str, str]) -> str:
    head, separator, rest = qualifier.partition("::")
    return aliases.get(head, head) + separator + rest


def _parts(qualifier: str) -> Iterator[tuple[str, str]]:
    """Parts of a qualifier, each with the scope before it: (`a`, ``) and (`b`, `a`) for `a::b`."""
    scope = ""
    for name in qualifier.split("::") if qualifier else ():
        yield name, scope
        scope = f"{scope}::{name}" if scope else name
