"""Declarations of a C++ header, found by brackets alone: classes, functions, variables, types, enumerators, macros.

>>> text = "namespace a { struct B : C { virtual int f(int x) const; }; }"
>>> [found.qualified for found in header_declarations(text).declarations]
['a::B', 'a::B::f']

The reader needs neither include folders nor a compiler's macros. Therefore it also reads the headers of a header tree.
Bodies of functions are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from porter.cpp.plain_code import plain_code
from porter.cpp.signatures import (
    closing,
    function_name,
    function_signature,
    one_line,
    parameters,
    split_arguments,
    without_value,
)


class DeclarationKind(StrEnum):
    """Kind of a declaration."""

    CLASS = "class"
    FUNCTION = "function"
    VARIABLE = "variable"
    TYPE = "type"
    """Alias (`using` or `typedef`) or enumeration."""
    ENUMERATOR = "enumerator"
    MACRO = "macro"
    DIRECTIVE = "directive"
    """`using namespace`; the declaration's name is the namespace, as written."""


class HeaderDeclaration(NamedTuple):
    """One declaration of a header."""

    scope: str
    """Namespaces and classes around the name: `c10::impl::DeviceGuardImplInterface`."""
    name: str
    kind: DeclarationKind
    text: str
    """Declaration on one line, without a body."""
    line: int
    bases: tuple[str, ...] = ()
    """Base classes of a class, without template arguments."""
    is_virtual: bool = False
    """True for a function that is declared `virtual` or `override`."""
    is_pure: bool = False
    is_unimplemented: bool = False
    """True for a function whose body only raises an error."""

    @property
    def qualified(self) -> str:
        """Name with its scope."""
        return f"{self.scope}::{self.name}" if self.scope else self.name

    @property
    def signature(self) -> str:
        """Part of the declaration that matters to the code that uses the name.

        For a function: its types, without parameter names and default values. Empty for a class. For all other kinds:
        the declaration without its value.
        """
        if self.kind is DeclarationKind.FUNCTION:
            return function_signature(self.text, self.name)
        return "" if self.kind is DeclarationKind.CLASS else one_line(without_value(self.text))


class HeaderContent(NamedTuple):
    """Content of one header."""

    declarations: tuple[HeaderDeclaration, ...]
    """Macros, then all other declarations in the order of the text."""
    includes: tuple[str, ...]
    """Include paths as written."""
    conditional: frozenset[str]
    """Include paths inside a conditional (`#if`) other than the include guard."""


_MARK = re.compile(r"[(){};\"]")
_LABEL = re.compile(r"\s*(?:public|private|protected)\s*:(?!:)")
_NAMESPACE = re.compile(r"(?:^|\s)(?:inline\s+)?namespace\b\s*([\w:\s]*)$")
_ATTRIBUTES = (
    r"(?:[A-Z][A-Z0-9_]*(?:\([^()]*\))?\s+|\[\[[^\]]*\]\]\s*|alignas\([^()]*\)\s*"
    r"|__attribute__\(\([^()]*\)+\)\s*)*"
)
_CLASS = re.compile(
    rf"(?:^|[\s>)])(?:struct|class|union)\s+{_ATTRIBUTES}([\w:]+)\s*(?:<[^;{{}}]*>)?\s*(?:final\b\s*)?"
    r"(?::(?!:)\s*(.+))?$",
    re.DOTALL,
)
_ENUM = re.compile(
    r"(?:^|\s)enum\s+(?:class\s+|struct\s+)?(?:[A-Z][A-Z0-9_]*_API\s+)?(\w+)?\s*(?::[^:].*)?$",
    re.DOTALL,
)
_USING = re.compile(r"\busing\s+(?:\w+\s+)*?(\w+)\s*(?:\[\[.*\]\]\s*)?=\s*(.+)$", re.DOTALL)
_USING_NAME = re.compile(r"\busing\s+(?:typename\s+)?(?:::)?(?:\w+\s*::\s*)+(\w+)\s*$")
_POINTER = re.compile(r"\(\s*\*\s*(\w+)\s*\)")
_LAST_WORD = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$")
_FORWARD = re.compile(r"(?:class|struct|union|enum)\s+[\w\s]+$")
_NO_DECLARATIONS = ("friend ", "static_assert", "return ", "template class")
_USING_NAMESPACE = re.compile(r"using\s+namespace\s+(?:::)?([\w:]+)$")
_RAISES = re.compile(
    r"\s*(?:TORCH_CHECK(?:_\w+)?\s*\(\s*false|TORCH_INTERNAL_ASSERT\s*\(\s*false|FAIL_\w+\s*\("
    r"|TORCH_CHECK_NOT_IMPLEMENTED|AT_ERROR|C10_THROW_ERROR)"
)
_VIRTUAL = re.compile(r"\b(?:virtual|override)\b")
_PURE = re.compile(r"=\s*0\s*$")


def header_declarations(text: str) -> HeaderContent:
    """Declarations and includes of a header."""
    plain = plain_code(text)
    macros = (
        HeaderDeclaration(
            "", one.name, DeclarationKind.MACRO, f"#define {one.name}{one.parameters}", one.line
        )
        for one in plain.macros
    )
    return HeaderContent((*macros, *_Reader(plain.code).read()), plain.includes, plain.conditional)


class _Reader:
    """Reader that collects the declarations of plain code in one pass."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.scopes: list[str] = []
        self._line = 1
        self._counted = 0

    def read(self) -> Iterator[HeaderDeclaration]:
        """Yield the declarations of the code, in order."""
        at = head = 0
        while mark := _MARK.search(self.code, at):
            at = mark.end()
            if mark[0] == '"':
                at = self.code.find('"', at) + 1 or len(self.code)
            elif mark[0] == "(":
                at = closing(self.code, at)
            elif mark[0] == "}":
                if self.scopes:
                    self.scopes.pop()
                head = at
            elif mark[0] == ";":
                yield from self._statement(head, at - 1)
                head = at
            elif self._opens_scope(head, at - 1):
                yield from self._scope(head, at - 1)
                head = at
            else:
                end = closing(self.code, at)
                goes_on = self._goes_on(head, at - 1, end)
                yield from self._block(head, at - 1, end, goes_on)
                at = end
                head = head if goes_on else at

    def _text(self, start: int, end: int) -> str:
        """Text between two offsets, without access labels (`public:`) at its beginning."""
        text = self.code[start:end]
        while label := _LABEL.match(text):
            text = text[label.end() :]
        return text.strip()

    def _opens_scope(self, start: int, end: int) -> bool:
        text = self._text(start, end)
        if _ENUM.search(text) and "(" not in text:
            return False
        if _NAMESPACE.search(text) or (text.startswith("extern") and text.endswith('""')):
            return True
        return bool(_CLASS.search(_without_templates(text))) and not text.endswith("=")

    def _scope(self, start: int, end: int) -> Iterator[HeaderDeclaration]:
        text = self._text(start, end)
        if namespace := _NAMESPACE.search(text):
            self.scopes.append("".join(namespace[1].split()))
        elif declared := _CLASS.search(_without_templates(text)):
            bases = _bases(declared[2] or "")
            yield self._made(declared[1], DeclarationKind.CLASS, start, end)._replace(bases=bases)
            self.scopes.append(declared[1])
        else:
            self.scopes.append("")

    def _goes_on(self, start: int, brace: int, end: int) -> bool:
        """Test whether the statement at `start` goes on after its block, which lies between `brace` and `end`."""
        rest = self.code[end : end + 80].lstrip()
        text = self._text(start, brace)
        if parameters(text) is not None and not _ENUM.search(text):
            return rest.startswith((",", "{"))
        # Braces around the value of a variable, and braces of an enumeration, end with a semicolon.
        return rest.startswith((";", ",", "(", "."))

    def _block(
        self, start: int, brace: int, end: int, goes_on: bool
    ) -> Iterator[HeaderDeclaration]:
        text = self._text(start, brace)
        enum = _ENUM.search(text)
        if enum and "(" not in text:
            yield from self._enumeration(enum[1] or "", start, brace, end)
        elif parameters(text) is not None and not goes_on:
            raises = bool(_RAISES.match(self.code, brace + 1))
            for found in self._statement(start, brace):
                yield found._replace(is_unimplemented=raises)

    def _enumeration(
        self, name: str, start: int, brace: int, end: int
    ) -> Iterator[HeaderDeclaration]:
        if name:
            made = self._made(name, DeclarationKind.TYPE, start, brace)
            yield made._replace(text=f"enum {name}")
        for part in split_arguments(self.code[brace + 1 : end - 1]):
            if word := re.match(r"\w+", part):
                made = self._made(word[0], DeclarationKind.ENUMERATOR, start, brace)
                scope = f"{made.scope}::{name}" if made.scope and name else made.scope or name
                yield made._replace(scope=scope, text=word[0])

    def _statement(self, start: int, end: int) -> Iterator[HeaderDeclaration]:
        text = self._text(start, end)
        plain = _without_templates(text)
        if not plain or text.startswith(_NO_DECLARATIONS) or _FORWARD.match(plain):
            return
        name, kind = "", DeclarationKind.TYPE
        if found := _USING_NAMESPACE.match(plain):
            name, kind = found[1], DeclarationKind.DIRECTIVE
        elif found := _USING.search(plain) or _USING_NAME.search(plain):
            name = found[1]
        elif plain.startswith("typedef"):
            last = _POINTER.search(plain) or _LAST_WORD.search(plain)
            name = last[1] if last else ""
        elif brackets := parameters(plain):
            name, kind = function_name(plain, brackets[0]), DeclarationKind.FUNCTION
            if re.search(rf"::\s*{re.escape(name)}\s*$", plain[: brackets[0]]):
                # A definition of a member outside its class is no declaration.
                return
            if (
                name.isupper()
                and plain[: brackets[0]].strip() == name
                and name not in self.scopes[-1:]
            ):
                # A macro with arguments. A constructor has the name of its scope.
                return
        elif not _ENUM.search(plain.split("{")[0]):
            declared = _LAST_WORD.search(re.split(r"\{", without_value(plain), maxsplit=1)[0])
            name, kind = declared[1] if declared else "", DeclarationKind.VARIABLE
        if name:
            made = self._made(name, kind, start, end)
            is_virtual = kind is DeclarationKind.FUNCTION and bool(_VIRTUAL.search(text))
            is_pure = is_virtual and bool(_PURE.search(text))
            yield made._replace(is_virtual=is_virtual, is_pure=is_pure)

    def _made(self, name: str, kind: DeclarationKind, start: int, end: int) -> HeaderDeclaration:
        text = self._text(start, end)
        offset = self.code.find(text, start)
        self._line += self.code.count("\n", self._counted, max(offset, self._counted))
        self._counted = max(offset, self._counted)
        scope = "::".join(filter(None, self.scopes))
        return HeaderDeclaration(scope, name, kind, one_line(text), self._line)


def _without_templates(text: str) -> str:
    """Text without the `template <...>` at its beginning; several are removed."""
    while match := re.match(r"\s*template\s*<", text):
        depth, at = 1, match.end()
        while at < len(text) and depth:
            depth += {"<": 1, ">": -1}.get(text[at], 0) if text[at - 1] != "-" else 0
            at += 1
        text = text[at:].strip()
    return text


def _bases(text: str) -> tuple[str, ...]:
    words = (re.sub(r"<.*", "", part, flags=re.DOTALL).split() for part in split_arguments(text))
    return tuple(names[-1] for names in words if names)
