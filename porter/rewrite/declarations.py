"""Test whether a name with parentheses is a call, or a declaration such as `cudaError_t f(void* dst, int n);`.

In a declaration, a type precedes the name, or a body follows the parentheses. Tokens suffice for this test.
"""

from __future__ import annotations

from collections.abc import Sequence

from porter.cpp.lex import Kind, Token, lex
from porter.cpp.region import CLOSE, DIRECTIVES, SILENT
from porter.rewrite.brackets import code_start, opening
from porter.rewrite.source import WORD, Source

NO_TYPES = frozenset(
    [
        *("return", "else", "do", "case", "throw", "goto", "new", "delete", "sizeof", "alignof"),
        *("typeid", "noexcept", "not", "and", "or", "xor", "compl", "bitand", "bitor"),
        *("co_return", "co_await", "co_yield", "not_eq", "and_eq", "or_eq", "xor_eq"),
    ]
)
"""Words that end no type and can directly precede a call. A name after any other word is a declaration."""
_ATTRIBUTES = frozenset(
    ["__attribute__", "__declspec", "decltype", "alignas", "__align__", "__launch_bounds__"]
)
_ACCESS = frozenset(["public", "private", "protected"])
_REACH = 400
"""Largest distance, in characters, between the beginning of a declaration and the declared name."""


def is_declared(source: Source, start: int, close: int) -> bool:
    """Test whether the text at `start` declares or defines a function. False for a call.

    The function's name, with qualifiers, begins at `start`; the `)` of its parameters is at `close`.
    """
    text = source.text
    end = source.before(start)
    if end == 0 or _ends_directive(source, end, start):
        return False
    last = text[end - 1]
    if last.isalnum() or last == "_":
        if _word_ending(text, end) in NO_TYPES:
            return False
        return _defines_macro(source, end) or not _is_macro_name(source, end)
    if last == ")":
        return _is_attribute(source, end) or _has_body(source, close)
    return last in "*&>]" and (_has_body(source, close) or is_type(source, end))


def names_variable(source: Source, word: str) -> bool:
    """Test whether a file declares a variable, member or parameter called `word`."""
    text = source.text
    for start in source.places(word):
        if source.at(start) is not None:
            continue
        end, after = source.before(start), source.after(start + len(word))
        last = text[end - 1 : end]
        typed = last.isalnum() or last in ("_", "*", "&", ">")
        ends = text[after : after + 1] in tuple("=;,){[:")
        if typed and ends and _word_ending(text, end) not in NO_TYPES:
            return True
    return False


def _word_ending(text: str, end: int) -> str:
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return text[start:end]


def _ends_directive(source: Source, end: int, start: int) -> bool:
    """Test whether the last code before a name belongs to a directive on an earlier line.

    This code ends at offset `end`; the name begins at offset `start`.
    """
    directive = source.directive(end - 1)
    return directive is not None and source.line_start(end - 1) != source.line_start(start)


def _defines_macro(source: Source, end: int) -> bool:
    """Test whether the word that ends at `end` is the `define` of a directive. The next word is a macro's name."""
    directive = source.directive(end - 1)
    return directive is not None and directive.end >= end and source.text.endswith("define", 0, end)


def _is_macro_name(source: Source, end: int) -> bool:
    """Test whether the word that ends at `end` is the name of a directive, or follows it as `X` in `#define X`."""
    directive = source.directive(end - 1)
    if directive is None:
        return False
    if directive.end >= end:
        return True
    word = WORD.match(source.text, source.after(directive.end))
    return word is not None and word.end() == end


def _has_body(source: Source, close: int) -> bool:
    after = source.after(close + 1)
    return source.text[after : after + 1] == "{"


def _is_attribute(source: Source, end: int) -> bool:
    """Test whether the `)` before `end` closes the parentheses of an attribute or specifier: `decltype(x)`."""
    before = _tokens(source, end)
    begin = opening(before, len(before) - 1) if before else None
    return bool(begin) and before[(begin or 0) - 1].text in _ATTRIBUTES


def is_type(source: Source, end: int) -> bool:
    """Test whether the text from the beginning of the statement to `end` consists of a type and specifiers."""
    before = _tokens(source, end)
    at = len(before) - 1
    words = 0
    while at >= 0:
        token = before[at]
        if token.kind is Kind.IDENT:
            if token.text in NO_TYPES:
                return False
            words += 1
        elif token.right_angles or token.text in ("]", ")"):
            begin = _group(before, at)
            if begin is None:
                return False
            at = begin
        elif token.text == ":":
            if at and before[at - 1].text == ":":
                at -= 1
            else:
                return bool(words) and at > 0 and before[at - 1].text in _ACCESS
        elif token.kind is not Kind.STRING and token.text not in ("*", "&"):
            return False
        at -= 1
    return words > 0


def _group(before: Sequence[Token], at: int) -> int | None:
    """Index of the opening bracket that matches the closing bracket at index `at`; None if there is no such bracket.

    The brackets enclose template arguments, an attribute `[[...]]`, or the arguments of an attribute. None also for
    parentheses that do not follow an attribute.
    """
    if before[at].text in CLOSE:
        begin = opening(before, at)
        if before[at].text == ")" and begin and before[begin - 1].text not in _ATTRIBUTES:
            return None
        return begin
    depth = 0
    for index in range(at, -1, -1):
        depth += before[index].right_angles - (before[index].text == "<")
        if depth == 0:
            return index
    return None


def _tokens(source: Source, end: int) -> list[Token]:
    """Tokens before `end` in the statement or macro body that contains `end`, without blanks and comments."""
    begin = code_start(source, ";{}", end, _REACH)
    found = [token for token in lex(source.text[begin:end]) if token.kind not in SILENT]
    first = next(
        (at + 1 for at in range(len(found) - 1, -1, -1) if found[at].kind in DIRECTIVES), 0
    )
    return found[first:]
