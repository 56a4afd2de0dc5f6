"""`kernel` rules insert a statement with the kernel's name at the beginning of each kernel's body.

    template <class T, int N>                         template <class T, int N>
    __global__ void scale(T* x) { ... }       ->      __global__ void scale(T* x) { SIMT_KERNEL(scale<T, N>); ... }

A kernel whose name porter cannot determine gets no statement. The port works without the statement, unless a program
launches the kernel by an untyped address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porter.cpp.lex import Kind, Token, tokens
from porter.cpp.region import CLOSE, DIRECTIVES, OPEN, SILENT
from porter.model.rewrite_result import Edit
from porter.model.rules import Rule
from porter.rewrite.brackets import Span, is_arrow, tokens_before
from porter.rewrite.kind import (
    Mistake,
    OnHost,
    RuleKind,
    VendorWords,
    key_of_kind,
    preview_template,
)
from porter.rewrite.kind_schema import WRITTEN, Field
from porter.rewrite.macros import breaks_line, in_macro
from porter.rewrite.source import Source

FIELD = "{kernel}"
_QUALIFIER = "__global__"
_REACH = 4000
"""Largest distance, in characters, between a declaration's beginning and `__global__`, and from there to the body."""
_ATTRIBUTE = re.compile(r"(?i)launch_?bounds|^(?:__\w+__|noexcept|alignas|decltype)$")
"""Words, for example attributes, whose parentheses do not contain the kernel's parameters."""
_TYPES = frozenset(
    [
        *("auto", "bool", "char", "class", "double", "float", "int", "long", "short", "signed"),
        *("typename", "unsigned", "void"),
    ]
)
"""Words of types. A template parameter that ends with such a word has no name."""


class _Definition(NamedTuple):
    start: int
    body: int
    """Offset after the `{` of the body."""
    name: Span
    arguments: tuple[Span | str, ...]
    """Texts of the template arguments by which the kernel's body names the kernel: `T`, `, `, `N`.

    The arguments are the names of the template parameters; `...` follows a parameter pack.
    """


def apply(source: Source) -> None:
    """Insert the statement of a `kernel` rule into the kernel definitions of a file."""
    if not source.rules.of_kind("kernel") or _QUALIFIER not in source.runs:
        return
    index = source.first_of(source.rules.of_kind("kernel"))
    if index is None or source.rules.rules[index].match == "keep":
        return
    rule = source.rules.rules[index]
    before, _, after = rule.match.partition(FIELD)
    for found in _definitions(source):
        if source.text.startswith(f" {before}", found.body):
            continue  # The file was ported before.
        arguments = ("<", *found.arguments, ">") if found.arguments else ()
        parts = ((found.start, found.body), f" {before}", found.name, *arguments, after)
        source.hit(index)
        source.edits.append(Edit(found.start, found.body, parts, index))


def _definitions(source: Source) -> Iterator[_Definition]:
    last = -1
    for start in source.places(_QUALIFIER):
        if source.at(start) is not None or start < last:
            continue
        if found := _definition(source, start):
            last = found.body
            yield found


def _definition(source: Source, start: int) -> _Definition | None:
    """Kernel definition to which the `__global__` at an offset belongs.

    None for a declaration without a body, and for text that porter cannot parse.
    """
    declared = _to_body(source.text, start)
    opened = _parameters(declared) if declared else None
    if declared is None or opened is None:
        return None
    first = _name(declared, opened)
    if declared[first].kind is not Kind.IDENT or declared[first - 1].text in (":", "#", "~"):
        return None
    if any(token.text == declared[first].text for token in declared[opened:]):
        return None  # A parameter has the kernel's name, so that the body cannot name the kernel.
    before = _before(source, start)
    if any(token.text == "friend" for token in (*before, *declared[:first])):
        return None
    arguments = _template_arguments(before)
    if arguments is None:
        return None
    name = (declared[first].start, declared[opened - 1].end)
    begin = before[0].start if arguments else start
    return _Definition(begin, declared[-1].end, name, tuple(arguments))


def _to_body(text: str, start: int) -> list[Token] | None:
    """Tokens from `__global__` to the `{` of the body; None if there is no body."""
    found: list[Token] = []
    depth = 0
    macro = in_macro(text, start)
    for token in tokens(text, start):
        if token.kind is Kind.BLANK and macro and breaks_line(token.text):
            return None
        # A preprocessor condition may exclude some of the parameters.
        if token.kind in SILENT or (depth > 0 and _is_condition(token)):
            continue
        if token.kind in DIRECTIVES or token.start - start > _REACH:
            return None
        found.append(token)
        if token.kind is Kind.PUNCT:
            if token.text == "{" and depth == 0:
                return found
            depth += (token.text in OPEN) - (token.text in CLOSE)
            if depth < 0 or (token.text == ";" and depth == 0):
                return None
    return None


def _is_condition(token: Token) -> bool:
    return token.kind is Kind.CONDITION or (
        token.kind is Kind.DIRECTIVE and token.text.endswith(("else", "endif"))
    )


def _parameters(declared: Sequence[Token]) -> int | None:
    """Index of the `(` before the kernel's parameters; None if there are several candidates, or none."""
    found: list[int] = []
    depth = 0
    for at, token in enumerate(declared):
        if token.kind is Kind.PUNCT:
            if token.text == "(" and depth == 0 and not _ATTRIBUTE.search(declared[at - 1].text):
                found.append(at)
            depth += (token.text in OPEN) - (token.text in CLOSE)
    return found[0] if len(found) == 1 else None


def _name(declared: Sequence[Token], opened: int) -> int:
    """Index of the first token of the kernel's name: `scale` in `scale<float>(`. The `(` has the index `opened`."""
    at = opened - 1
    angle = 0
    while at > 0:
        angle += declared[at].right_angles - declared[at].left_angles
        if angle == 0 and declared[at].kind is Kind.IDENT:
            break
        at -= 1
    return at


def _before(source: Source, start: int) -> list[Token]:
    """Tokens of a declaration before its `__global__`, which is at offset `start`."""
    loud = tokens_before(source, start, _REACH)
    directives = [at for at, token in enumerate(loud) if token.kind in DIRECTIVES]
    if not directives:
        return loud
    if in_macro(source.text, start):
        heads = [at for at, token in enumerate(loud) if token.text == "template"]
        return loud[heads[-1] :] if heads else []
    line = source.text.find("\n", loud[directives[-1]].end)
    return [token for token in loud[directives[-1] + 1 :] if token.start > line >= 0]


def _template_arguments(before: Sequence[Token]) -> list[Span | str] | None:
    """Template parameters of a declaration, written as template arguments; None if a parameter has no name.

    The list is empty for a declaration that is not a template, and for a specialisation, because the name of a
    specialisation already contains the arguments.
    """
    heads = sum(token.text == "template" for token in before)
    if not before or before[0].text != "template":
        return None if heads else []
    parameters = _template_parameters(before)
    if parameters is None:
        return None
    parts: list[Span | str] = []
    for parameter in parameters:
        name = _parameter_name(parameter)
        if name is None:
            # A template argument with a default can be omitted, and so can all arguments after it.
            if not any(token.text == "=" for token in parameter):
                return None
            break
        parts += [", "] if parts else []
        parts.append((name.start, name.end))
        if any(token.text == "." for token in parameter):
            parts.append("...")
    return parts or (None if parameters else [])


def _template_parameters(before: Sequence[Token]) -> list[list[Token]] | None:
    """Parameters of the template head in `before`, each as its tokens; None if there is a second template head."""
    parameters: list[list[Token]] = [[]]
    angle = depth = 0
    for at, token in enumerate(before[1:], 1):
        depth += (token.text in OPEN) - (token.text in CLOSE)
        if depth == 0 and not is_arrow(before, at):
            angle += token.left_angles - token.right_angles
        if angle <= 0:
            rest = before[at + 1 :]
            return None if any(one.text == "template" for one in rest) else _filled(parameters)
        if token.text == "," and angle == 1 and depth == 0:
            parameters.append([])
        elif at > 1:
            parameters[-1].append(token)
    return None


def _filled(parameters: list[list[Token]]) -> list[list[Token]]:
    return [parameter for parameter in parameters if parameter]


def _parameter_name(parameter: Sequence[Token]) -> Token | None:
    words: list[Token] = []
    for token in parameter:
        if token.text == "=":
            break
        words.append(token)
    if len(words) < 2 or words[-1].kind is not Kind.IDENT or words[-1].text in _TYPES:
        return None
    return None if words[-2].text == ":" else words[-1]


def _apply(source: Source, words: VendorWords) -> None:
    apply(source)


def _mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    if rule.match != "keep" and rule.match.count(FIELD) != 1:
        yield Mistake(f"the statement needs the field {FIELD}, once")


KIND = RuleKind(
    name="kernel",
    summary="Statement to insert at the beginning of the body of each `__global__` function.",
    fields=(Field("kernel", WRITTEN),),
    listed=11,
    apply=_apply,
    template_fields=frozenset(["kernel"]),
    is_construct=True,
    can_affect=lambda rule, path, text: _QUALIFIER in text,
    preview=preview_template,
    keys=key_of_kind,
    mistakes=_mistakes,
    on_host=OnHost.SIMT,
    written_field="kernel",
)
