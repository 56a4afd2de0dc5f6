"""Search for the beginning of the expression that names the kernel in a launch: `a::b<T, (n > 1)>`, `s->fns[i]`,
`(pick<T>(x))`.

The search reads the tokens backwards from `<<<`. The result is None if the tokens are ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from porter.cpp.lex import Kind, Token
from porter.cpp.region import CLOSE, DIRECTIVES, OPEN, SILENT
from porter.rewrite.brackets import code_start, is_arrow, opening
from porter.rewrite.source import Source

_REACH = 4000
"""Largest length, in characters, of the expression before `<<<` that names the kernel."""
_SPLICE = re.compile(r"\\[ \t]*\r?\n")
_STATEMENT = frozenset(["return", "else", "do", "case", "co_return", "throw"])
"""Words that can precede an expression and are not part of the expression."""
_CONTROL = frozenset(["if", "while", "for", "switch", "constexpr"])
"""Words that begin `word (...)`, after which a statement follows."""
_MAY_PRECEDE = frozenset(";{}(),:?]")


def kernel_start(source: Source, chevron: int) -> int | None:
    """Offset of the expression that names the launched kernel; None if the tokens are ambiguous.

    The expression ends before the `<<<` at offset `chevron`.
    """
    begin = code_start(source, ";", chevron, _REACH)
    found = source.region(begin).between(begin, chevron)
    before = [token for token in found[_after_directive(found) :] if token.kind not in SILENT]
    first = _expression(before)
    if first is None or not _may_begin(before, first):
        return None
    return before[first].start


def _after_directive(found: Sequence[Token]) -> int:
    """Index of the first token after the last directive in `found`; 0 without a directive.

    If the tokens end inside a `#define`, the result is the index of the first token of the macro's body.
    """
    last = next((at for at in range(len(found) - 1, -1, -1) if found[at].kind in DIRECTIVES), -1)
    if last < 0 or found[last].kind is not Kind.DIRECTIVE:
        return last + 1
    for at in range(last + 1, len(found)):
        if found[at].kind is Kind.BLANK and "\n" in _SPLICE.sub("", found[at].text):
            return at
    if not found[last].text.endswith("define"):
        return last + 1
    name = next((at for at in range(last, len(found)) if found[at].kind is Kind.IDENT), last)
    if name + 1 < len(found) and found[name + 1].text == "(":
        close = (at for at in range(name, len(found)) if found[at].text == ")")
        return next(close, name) + 1
    return name + 1


def _expression(before: Sequence[Token]) -> int | None:
    """Index of the first token of the postfix expression with which `before` ends; None if there is none."""
    at = len(before) - 1
    first: int | None = None
    while at >= 0:
        token = before[at]
        if token.text in (")", "]"):
            first = opening(before, at)
            if first is None:
                return None
            if token.text == ")" and _begins_with_parentheses(before, first):
                return first
            at = first - 1
        elif token.right_angles:
            first = _template_start(before, at)
            if first is None:
                return None
            at = first - 1
        elif token.kind is Kind.IDENT and token.text not in _STATEMENT:
            first = at
            at = _qualifier(before, at)
            if at == first or at < 0:
                return first if at >= 0 else 0
            if before[at].text == ":":
                return at
        else:
            return None
    return first


def _qualifier(before: Sequence[Token], at: int) -> int:
    """Index of the last token of the qualifier before the name at index `at`: of `a` in `a::name` and `a->name`.

    For a name without a qualifier, the result is the index `at`; for `::name`, the index of the first `:`.
    """
    left = at - 1
    if left >= 0 and before[left].text == "template":
        left -= 1
    texts = [token.text for token in before[max(0, left - 2) : left + 1]]
    if texts[-2:] == [":", ":"]:
        named = len(texts) == 3 and bool(
            (before[left - 2].kind is Kind.IDENT and texts[0] not in _STATEMENT)
            or before[left - 2].right_angles
            or (texts[0] == ")" and not _is_condition(before, left - 2))
        )
        return left - 2 if named else left - 1
    if texts[-2:] in (["-", ">"], ["#", "#"]):
        return left - 2
    return left - 1 if texts[-1:] == ["."] else at


def _begins_with_parentheses(before: Sequence[Token], at: int) -> bool:
    """Test whether the `(` at index `at` begins the expression. If not, the parenthesis belongs to a call or a cast."""
    if at == 0:
        return True
    left = before[at - 1]
    if left.kind is Kind.IDENT:
        return left.text in _STATEMENT
    if left.text == ")":
        return _is_condition(before, at - 1)
    return not left.right_angles and left.text != "]"


def _is_condition(before: Sequence[Token], close: int) -> bool:
    """Test whether the `)` at index `close` ends the condition of an `if (...)` or a similar statement."""
    begin = opening(before, close)
    return bool(begin) and before[(begin or 0) - 1].text in _CONTROL


def _template_start(before: Sequence[Token], at: int) -> int | None:
    """Index of the `<` that begins the template argument list which ends at index `at`.

    None if the tokens are ambiguous, or if no name precedes the `<`. A comparison in the arguments is recognised only
    in parentheses.
    """
    angle = 0
    index = at
    while index >= 0:
        token = before[index]
        if token.right_angles and not is_arrow(before, index):
            angle += token.right_angles
        elif token.text in CLOSE and token.kind is Kind.PUNCT:
            bracket = opening(before, index)
            if bracket is None:
                return None
            index = bracket
        elif token.text == "<" and not _is_operator(before, index):
            angle -= 1
            if angle == 0:
                named = index > 0 and before[index - 1].kind is Kind.IDENT
                return index if named else None
        elif token.text in OPEN and token.kind is Kind.PUNCT:
            return None
        index -= 1
    return None


def _is_operator(before: Sequence[Token], at: int) -> bool:
    """Test whether the `<` at index `at` is part of `<=` or `<<`."""
    return any(
        0 <= other < len(before)
        and before[other].text in texts
        and abs(before[other].start - before[at].start) == 1
        for other, texts in ((at - 1, "<"), (at + 1, "<="))
    )


def _may_begin(before: Sequence[Token], first: int) -> bool:
    """Test whether a launch can begin at index `first`. The token before this index decides."""
    if first == 0:
        return True
    left = before[first - 1]
    if left.kind is not Kind.PUNCT:
        return left.kind not in (Kind.STRING, Kind.CHAR, Kind.NUMBER, Kind.CHEVRON_CLOSE)
    if left.text == ",":
        return not _in_angle_brackets(before, first - 1)
    return left.text in _MAY_PRECEDE


def _in_angle_brackets(before: Sequence[Token], comma: int) -> bool:
    """Test whether the comma at index `comma` may separate template arguments, as in `f<T, n < 3>`.

    In the example, the text after the comma looks like a template `n` with the argument `3`.
    """
    angle = 0
    index = comma - 1
    while index >= 0:
        token = before[index]
        if token.kind is Kind.PUNCT and token.text in CLOSE:
            bracket = opening(before, index)
            if bracket is None:
                return False
            index = bracket
        elif token.kind is Kind.PUNCT and token.text in OPEN:
            return False
        elif token.right_angles and not is_arrow(before, index):
            angle += token.right_angles
        elif token.text == "<" and not _is_operator(before, index):
            angle -= 1
            if angle < 0:
                return True
        index -= 1
    return False
