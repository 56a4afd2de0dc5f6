"""`launch` rules: kernel launches, in the target's spelling.

    fill<T><<<g, b, 0, s>>>(p, n);  ->  SIMT_LAUNCH((fill<T>), (g), (b), (0), (s), p, n);

Only the punctuation of a launch is edited; what stands between stays where it is, so nested edits and line counts are
kept, also inside macros with line splices.
"""

from __future__ import annotations

import functools
import re

from porter.lex import Kind, Token, lex, tokens
from porter.model.port import Reason
from porter.rules.calls import arguments
from porter.rules.source import Source

_FIELDS = ("kernel", "grid", "block", "shmem", "stream")
_DEFAULTS = {"shmem": "0", "stream": "0"}
"""What CUDA takes when a launch does not say (CUDA C++ Programming Guide, "Execution Configuration")."""
_SILENT = (Kind.BLANK, Kind.COMMENT)
_REACH = 4000
"""How far before `<<<` the kernel's name may begin."""


@functools.cache
def _literals(template: str) -> list[str] | None:
    """The text before each field and after the last; None when the fields are not as they must be."""
    pieces = re.split(r"\{(,?[a-z]+)\}", template)
    names = [name.lstrip(",") for name in pieces[1::2]]
    if names != [*_FIELDS, "args"]:
        return None
    return pieces[0::2]


def well_formed(template: str) -> bool:
    """Whether a template names all fields, in source order."""
    return template == "keep" or _literals(template) is not None


def apply(source: Source) -> None:
    """Edit every launch of a file."""
    index = source.rules.launch
    if index is None or "<<<" not in source.text:
        return
    rule = source.rules.rules[index]
    if not source.applies(rule):
        return
    for token in source.opaque:
        if token.kind is Kind.CHEVRON_OPEN:
            if rule.match == "keep":
                source.hit(index)
            else:
                _one(source, token, index, rule.match)


def _one(source: Source, opening: Token, index: int, template: str) -> None:
    text = source.text
    kernel = _kernel_start(text, opening.start)
    config = _config(text, opening.end)
    if kernel is None or config is None:
        source.leave(
            opening.start, Reason.AMBIGUOUS, "<<<>>>", index, "not a launch porter can read"
        )
        return
    commas, close = config
    after = re.compile(r"(?:\s|\\\r?\n)*\(").match(text, close.end)
    args = arguments(text, after.end() - 1) if after else None
    literals = _literals(template)
    if after is None or args is None or literals is None:
        source.leave(
            opening.start, Reason.AMBIGUOUS, "<<<>>>", index, "the launch has no argument list"
        )
        return
    source.hit(index)
    source.edit(kernel, kernel, literals[0], index)
    source.edit(opening.start, opening.end, literals[1], index)
    for literal, comma in zip(literals[2:], commas, strict=False):
        source.edit(comma.start, _past_blanks(text, comma.end), literal, index)
    given = len(commas) + 1
    rest = ""
    for field, literal in zip(_FIELDS[1 + given :], literals[1 + given :], strict=False):
        rest += literal + _DEFAULTS[field]
    with_comma = "{,args}" in template and args[0]
    source.edit(close.start, close.end, rest + literals[5], index)
    ends_line = text[after.end()] in " \t\r\n\\"
    comma_text = ("," if ends_line else ", ") if with_comma else ""
    source.edit(after.end() - 1, after.end(), comma_text, index)
    source.edit(args[1], args[1] + 1, literals[6], index)


def _past_blanks(text: str, at: int) -> int:
    while text[at] in " \t":
        at += 1
    return at


def _config(text: str, start: int) -> tuple[list[Token], Token] | None:
    """The commas between the 2 to 4 settings of a launch, and its `>>>`."""
    depth = 0
    commas: list[Token] = []
    for token in tokens(text, start):
        if token.kind is Kind.CHEVRON_CLOSE and depth == 0:
            return (commas, token) if 1 <= len(commas) <= 3 else None
        if token.kind is Kind.PUNCT:
            if token.text in "([{":
                depth += 1
            elif token.text in ")]}":
                depth -= 1
                if depth < 0:
                    return None
            elif token.text == "," and depth == 0:
                commas.append(token)
            elif token.text == ";" and depth == 0:
                return None
    return None


def _kernel_start(text: str, chevron: int) -> int | None:
    """Where the kernel's expression begins: `a::b<T, (n > 1)>`, `(pick<T>())`, `fns[i]`."""
    begin = max(0, chevron - _REACH, *(text.rfind(c, 0, chevron) + 1 for c in ";"))
    before = [t for t in lex(text[begin:chevron]) if t.kind not in _SILENT]
    at = len(before) - 1
    start: int | None = None
    while at >= 0:
        token = before[at]
        if token.kind is Kind.CHEVRON_CLOSE or token.text in (">", ")", "]"):
            opened = _matching(before, at)
            if opened is None:
                return None
            at, start = opened - 1, before[opened].start
            if token.text == ")" and not (at >= 0 and before[at].kind is Kind.IDENT):
                break
        elif token.kind is Kind.IDENT:
            start = token.start
            if at >= 2 and before[at - 1].text == ":" and before[at - 2].text == ":":
                at -= 3
                start = before[at + 1].start
                if at < 0 or not (before[at].kind is Kind.IDENT or before[at].text == ">"):
                    break
            elif at >= 1 and before[at - 1].text == ".":
                at -= 2
            else:
                break
        else:
            break
    return None if start is None else begin + start


def _matching(before: list[Token], at: int) -> int | None:
    """Index of the bracket that opens what the one at `at` closes; comparisons stand in parentheses, as C++ asks."""
    closing = before[at].text
    angle = 0
    round_ = 0
    for index in range(at, -1, -1):
        text = before[index].text
        if text in (")", "]", "}"):
            round_ += 1
        elif text in ("(", "[", "{"):
            round_ -= 1
            if round_ < 0:
                return None
            if round_ == 0 and closing in (")", "]"):
                return index
        elif round_ == 0 and text in (">", ">>>"):
            angle += len(text)
        elif round_ == 0 and text == "<":
            angle -= 1
            if angle == 0:
                return index
    return None
