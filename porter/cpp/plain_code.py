"""Text of a header without comments, directives and contents of literals. Line numbers stay the same.

In a conditional (`#if`), branches for ROCm are removed. If a branch contains an unclosed bracket, the later branches
of the conditional are removed too. All other branches are included, because the compiler's macros are unknown.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from porter.cpp.lex import Kind, opaque

_ROCM = re.compile(r"\b(?:USE_ROCM|__HIP_PLATFORM_AMD__|__HIPCC__|TORCH_HIP_VERSION|__HIP__)\b")
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(\w+)((?:\\\r?\n|[^\n])*)")
_MACRO = re.compile(r"\s+(\w+)(\([^()]*\))?")
_INCLUDE = re.compile(r"\s*[<\"]([^>\"\n]+)[>\"]")


class MacroLine(NamedTuple):
    """Definition of a macro."""

    name: str
    parameters: str
    """Text of the parameters with their parentheses; empty for an object-like macro."""
    line: int


class PlainCode(NamedTuple):
    """Code of a header without directives, and the macros and include paths from its directives."""

    code: str
    macros: tuple[MacroLine, ...]
    includes: tuple[str, ...]
    """Paths in the include directives, as the file spells them."""
    conditional: frozenset[str]
    """Include paths inside a conditional (`#if`) other than the include guard."""


class _Branch(NamedTuple):
    """Current branch of a conditional (`#if`)."""

    kept: bool
    """False when the branch is removed."""
    start: int
    """Number of output lines before the branch."""
    closed: bool
    """True when all later branches of the conditional are removed."""


def plain_code(text: str) -> PlainCode:
    """Code, macros and includes of a header."""
    return _Lines().read(without_comments(text))


def without_comments(text: str) -> str:
    """Text of a file without comments and without the contents of literals. Line numbers stay the same."""
    pieces, at = [], 0
    for token in opaque(text):
        if token.kind in (Kind.COMMENT, Kind.STRING, Kind.CHAR):
            filler = " " if token.kind is Kind.COMMENT else '""'
            pieces += [text[at : token.start], filler + "\n" * token.text.count("\n")]
            at = token.end
    pieces.append(text[at:])
    return "".join(pieces)


class _Lines:
    """Reader that separates code, macros and includes in one pass over the lines of a text."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.macros: list[MacroLine] = []
        self.includes: list[str] = []
        self.conditional: set[str] = set()
        self.guards = 0
        """Number of conditionals around the whole text: 1 after the `#ifndef` of an include guard."""
        self.branches: list[_Branch] = []

    def read(self, text: str) -> PlainCode:
        lines = text.split("\n")
        number = 0
        while number < len(lines):
            line = lines[number]
            start = number
            number += 1
            if not line.lstrip().startswith("#"):
                self.out.append(line if self._is_kept() else "")
                continue
            while line.rstrip("\r").endswith("\\") and number < len(lines):
                line = line.rstrip("\r")[:-1] + " " + lines[number]
                number += 1
            if match := _DIRECTIVE.match(line):
                self._directive(match[1], match[2], start + 1)
            self.out += [""] * (number - start)
        return PlainCode(
            "\n".join(self.out),
            tuple(self.macros),
            tuple(self.includes),
            frozenset(self.conditional),
        )

    def _is_kept(self) -> bool:
        return all(branch.kept for branch in self.branches)

    def _directive(self, name: str, rest: str, line: int) -> None:
        if name in ("if", "ifdef", "ifndef"):
            is_first = not self.branches and not self.includes and not "".join(self.out).strip()
            self.guards += name == "ifndef" and is_first
            rocm = bool(_ROCM.search(rest)) and "CUDA" not in rest
            negated = name == "ifndef" or "!" in rest
            self.branches.append(_Branch(not rocm or negated, len(self.out), rocm and negated))
        elif name in ("else", "elif", "elifdef", "elifndef") and self.branches:
            last = self.branches[-1]
            branch = "".join(self.out[last.start :])
            unbalanced = any(branch.count(a) != branch.count(b) for a, b in ("{}", "()"))
            closed = last.closed or (last.kept and unbalanced)
            kept = not closed and not (name == "elif" and _ROCM.search(rest))
            self.branches[-1] = _Branch(kept, len(self.out), closed)
        elif name == "endif" and self.branches:
            self.branches.pop()
        elif name == "define" and self._is_kept():
            if match := _MACRO.match(rest):
                self.macros.append(MacroLine(match[1], match[2] or "", line))
        elif name == "include" and self._is_kept() and (match := _INCLUDE.match(rest)):
            self.includes.append(match[1])
            if len(self.branches) > self.guards:
                self.conditional.add(match[1])
