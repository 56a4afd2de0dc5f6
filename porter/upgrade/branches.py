"""Evaluation of `#if` conditions about the release, in the backend's sources.

The macros of the compiler are unknown. Therefore only conditions about the release are evaluated: TORCH_VERSION_MAJOR
and similar macros, macros of the backend that use them, and `__has_include` of PyTorch's headers. For every other
conditional, all branches are kept.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from porter.cpp.signatures import split_arguments

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(.*)", re.DOTALL)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^()]*)\))?((?:\\\r?\n|[^\n])*)", re.M)
_INCLUDED = re.compile(r"__has_include\s*\(\s*[<\"]([^>\"]+)[>\"]\s*\)")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEPTH = 8
"""Largest nesting depth of macro expansions."""
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Macro(NamedTuple):
    """Macro that the backend's sources define."""

    parameters: tuple[str, ...] | None
    """Names of the parameters; None for an object-like macro."""
    body: str


class Facts(NamedTuple):
    """Facts about a release, for the evaluation of `#if` conditions."""

    version: tuple[int, ...]
    has_include: Callable[[str], bool | None]
    """Tests whether an include path exists; None for a path that the tree lacks and that is not PyTorch's."""
    macros: Mapping[str, Macro]


def macros(texts: Iterable[str]) -> dict[str, Macro]:
    """Maps the name of each macro that the texts define to the macro.

    A name with different definitions has no entry.
    """
    found: dict[str, Macro] = {}
    ambiguous = set()
    for text in texts:
        for match in _DEFINE.finditer(text):
            parameters = None if match[2] is None else tuple(split_arguments(match[2]))
            body = _COMMENT.sub(" ", match[3].replace("\\\n", " ").replace("\\\r\n", " ")).strip()
            macro = Macro(parameters, body)
            if found.setdefault(match[1], macro) != macro:
                ambiguous.add(match[1])
    return {name: macro for name, macro in found.items() if name not in ambiguous}


def active(text: str, facts: Facts) -> str:
    """Copy of `text`. Lines in branches that are not compiled for the release are empty."""
    lines = text.split("\n")
    out: list[str] = []
    nested: list[_Conditional] = []
    number = 0
    while number < len(lines):
        start = number
        while lines[number].endswith("\\") and number + 1 < len(lines):
            number += 1
        number += 1
        whole = "\n".join(lines[start:number])
        match = _DIRECTIVE.fullmatch(whole)
        if match:
            _enter(nested, match[1], match[2].replace("\\\n", " "), facts)
        keeps = all(one.keeps for one in nested)
        out += lines[start:number] if keeps or match else [""] * (number - start)
    return "\n".join(out)


class _Conditional:
    """An `#if` with its branches; remembers whether the lines of the current branch are kept."""

    def __init__(self, value: bool | None) -> None:
        self.keeps = value is not False
        self.is_decided = value is True

    def next(self, value: bool | None) -> None:
        """Start the next branch, whose condition has the given value."""
        self.keeps = not self.is_decided and value is not False
        self.is_decided = self.is_decided or value is True


def _enter(nested: list[_Conditional], name: str, condition: str, facts: Facts) -> None:
    if name == "if":
        nested.append(_Conditional(value_of(condition, facts)))
    elif name in ("ifdef", "ifndef"):
        nested.append(_Conditional(None))
    elif nested and name == "endif":
        nested.pop()
    elif nested:
        nested[-1].next(value_of(condition, facts) if name == "elif" else True)


def value_of(condition: str, facts: Facts) -> bool | None:
    """Value of a condition; None if the condition tests anything other than the release."""
    plain = _COMMENT.sub(" ", condition)
    included = _INCLUDED.sub(lambda match: _literal(facts.has_include(match[1])), plain)
    expanded = _expanded(included, facts.macros)
    python = re.sub(r"!(?!=)", " not ", expanded.replace("&&", " and ").replace("||", " or "))
    try:
        tree = ast.parse(python.strip(), mode="eval")
    except SyntaxError:
        return None
    found = _Values(facts.version).of(tree.body)
    return None if found is None else bool(found)


def _literal(value: bool | None) -> str:
    return "UNKNOWN" if value is None else str(int(value))


def _expanded(text: str, known: Mapping[str, Macro], depth: int = _DEPTH) -> str:
    """Copy of `text` in which the macros in `known` are replaced by their bodies, up to `depth` levels."""
    if not depth:
        return text
    pieces, at = [], 0
    for match in _WORD.finditer(text):
        macro = known.get(match[0])
        if macro is None or match.start() < at:
            continue
        arguments, end = (
            _arguments(text, match.end()) if macro.parameters is not None else ([], match.end())
        )
        values = dict(zip(macro.parameters or (), arguments, strict=False))
        body = _WORD.sub(lambda word, values=values: values.get(word[0], word[0]), macro.body)  # type: ignore[misc]
        pieces += [text[at : match.start()], f"({_expanded(body, known, depth - 1)})"]
        at = end
    return "".join([*pieces, text[at:]])


def _arguments(text: str, at: int) -> tuple[list[str], int]:
    """Arguments of the macro whose name ends at offset `at`, and the offset after the arguments.

    Empty, with `at` itself, if no argument list follows.
    """
    found = re.compile(r"\s*\(([^()]*)\)").match(text, at)
    return (split_arguments(found[1]), found.end()) if found else ([], at)


class _Values:
    """Evaluates a condition to true, false, or None for unknown."""

    def __init__(self, version: tuple[int, ...]) -> None:
        parts = ("MAJOR", "MINOR", "PATCH")
        self.names = {f"TORCH_VERSION_{part}": n for part, n in zip(parts, version, strict=False)}

    def of(self, node: ast.expr) -> int | None:
        """Value of an expression; None if it is unknown."""
        if isinstance(node, ast.BoolOp):
            return self._joined(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            value = self.of(node.operand)
            return None if value is None else int(not value)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = self.of(node.left), self.of(node.comparators[0])
            compare = _COMPARISONS.get(type(node.ops[0]))
            if left is None or right is None or compare is None:
                return None
            return int(compare(left, right))
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        return self.names.get(node.id) if isinstance(node, ast.Name) else None

    def _joined(self, node: ast.BoolOp) -> int | None:
        values = [self.of(value) for value in node.values]
        deciding = isinstance(node.op, ast.Or)
        if any(value is not None and bool(value) is deciding for value in values):
            return int(deciding)
        return None if None in values else int(not deciding)
