"""Names and bodies of the functions in a C++ file, found by brackets alone.

>>> [function.name for function in functions("namespace a { int f(int x) { return g(x); } }")]
['f']

The result suffices to find the names that a function mentions. Function-like macros that the file itself defines are
expanded, because they define many of PyTorch's kernels. All other macros stay unexpanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from porter.cpp.lex import Kind, opaque


class FunctionBody(NamedTuple):
    """Name and body of a function, or of a class with all its member functions."""

    name: str
    """Name without namespaces; `structured_x::impl` for `TORCH_IMPL_FUNC(x)`."""
    body: str
    """Text between the braces, without comments and without the content of literals."""


class FunctionLikeMacro(NamedTuple):
    """Parameters and replacement text of a function-like macro."""

    parameters: tuple[str, ...]
    body: str


_DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^()]*)\)((?:\\\r?\n|[^\n])*)\n?", re.MULTILINE
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\r?\n|[^\n])*\n?", re.MULTILINE)
_WORD = re.compile(r"\w+")
_BRACES = re.compile(r"[{}]")
_PARENTHESES = re.compile(r"[()]")
_BRACE = re.compile(r"[{};]")
_TRANSPARENT = re.compile(r"(?:inline\s+)?namespace\b[\w:\s]*$|extern\s*\"\"$")
_IMPL = re.compile(r"\bTORCH_IMPL_FUNC\s*\(\s*(\w+)\s*\)")
_META = re.compile(r"\bTORCH_(?:META|PRECOMPUTE_META)_FUNC2?\s*\(")
_CALLED = re.compile(r"(?:(~?\w+)\s*)?\(")
_CLASS = re.compile(
    r"\b(?:struct|class|union)\s+(?:\w+\s+)?(\w+)\s*(?:final\s*)?(?::[^:].*)?$", re.DOTALL
)
_NO_NAMES = frozenset(["noexcept", "decltype", "alignas", "__attribute__", "requires"])
_ROUNDS = 4
"""Number of expansion passes, one for each nesting level of macros. PyTorch's macros need two passes."""


def functions(text: str) -> Iterator[FunctionBody]:
    """Yield the functions and classes of a file, in order."""
    code = _expanded(_plain(text))
    at = 0
    head = 0
    while brace := _BRACE.search(code, at):
        at = brace.end()
        if brace[0] != "{":
            head = at
            continue
        before = code[head : brace.start()]
        if _TRANSPARENT.search(before.strip()):
            head = at
            continue
        end = _closing(code, at)
        if name := _name(before):
            yield FunctionBody(name, code[at : end - 1])
        at = head = end


def _plain(text: str) -> str:
    """Remove comments, include directives and the content of literals from a text."""
    out = []
    at = 0
    for token in opaque(text):
        if token.kind in (Kind.COMMENT, Kind.STRING, Kind.CHAR, Kind.INCLUDE):
            out.append(text[at : token.start])
            out.append(" " if token.kind is Kind.COMMENT else '""')
            if token.kind is Kind.INCLUDE:
                out.pop()
            at = token.end
    out.append(text[at:])
    return "".join(out)


def _expanded(code: str) -> str:
    macros = {
        match[1]: FunctionLikeMacro(tuple(_WORD.findall(match[2])), match[3].replace("\\\n", " "))
        for match in _DEFINE.finditer(code)
        if "..." not in match[2]
    }
    code = _DIRECTIVE.sub("\n", code)
    if not macros:
        return code
    call = re.compile(rf"\b({'|'.join(map(re.escape, macros))})\s*\(")
    for _ in range(_ROUNDS):
        if not call.search(code):
            break
        code = _expanded_once(code, call, macros)
    return code


def _expanded_once(code: str, call: re.Pattern[str], macros: dict[str, FunctionLikeMacro]) -> str:
    out = []
    at = 0
    while match := call.search(code, at):
        end = _closing(code, match.end(), _PARENTHESES)
        arguments = _arguments(code[match.end() : end - 1])
        macro = macros[match[1]]
        given = dict(zip(macro.parameters, arguments, strict=False))
        body = _filled_in(macro.body, given)
        out.append(code[at : match.start()])
        out.append(re.sub(r"\s*##\s*", "", body))
        at = end
    out.append(code[at:])
    return "".join(out)


def _filled_in(body: str, given: dict[str, str]) -> str:
    return _WORD.sub(lambda word: given.get(word[0], word[0]), body)


def _arguments(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def _closing(code: str, at: int, brackets: re.Pattern[str] = _BRACES) -> int:
    """Offset after the bracket that closes the bracket just before `at`; the end of the text if it stays open."""
    depth = 1
    for match in brackets.finditer(code, at):
        depth += 1 if match[0] in "({" else -1
        if depth == 0:
            return match.end()
    return len(code)


def _name(head: str) -> str | None:
    """Name of the function or class that `head`, the text before a `{`, declares.

    None for any other text, and for meta functions (`TORCH_META_FUNC`), which only compute shapes.
    """
    if impl := _IMPL.search(head):
        return f"structured_{impl[1]}::impl"
    if _META.search(head):
        return None
    # The last parentheses belong to the function. Macro calls without a semicolon may precede them.
    name = None
    at = 0
    while called := _CALLED.search(head, at):
        if called[1] and called[1] not in _NO_NAMES:
            name = called[1]
        at = _closing(head, called.end(), _PARENTHESES)
    if name:
        return name
    declared = _CLASS.search(head)
    return declared[1] if declared else None
