"""`launch` rules rewrite kernel launches in the target's syntax.

    fill<T><<<g, b, 0, s>>>(p, n);  ->  SIMT_LAUNCH((fill<T>), (g), (b), (0), (s), p, n);

Only the punctuation of a launch is edited. The texts of the kernel, the settings and the arguments are not moved.
Therefore line numbers and the edits inside these texts stay valid, also in macros with line splices. A rule's template
must name the fields in the order of CUDA's syntax: kernel, grid, block, shared memory, stream, arguments.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from porter.cpp.lex import Kind, Token, has_launch, tokens
from porter.cpp.region import SILENT
from porter.model.rewrite_result import Reason
from porter.model.rules import Resolution, Rule, RuleSet
from porter.rewrite import launch_settings
from porter.rewrite.kind import (
    Mistake,
    OnHost,
    RuleKind,
    VendorWords,
    key_of_kind,
    preview_template,
    template,
)
from porter.rewrite.kind_schema import WRITTEN, Field
from porter.rewrite.launched_kernel import kernel_start
from porter.rewrite.source import Source

_FIELDS = ("kernel", "grid", "block", "shmem", "stream")
_DEFAULTS = {"shmem": "0", "stream": "0"}
"""Values of settings that a launch omits (CUDA C++ Programming Guide, "Execution Configuration")."""


@functools.cache
def _literals(template: str) -> list[str] | None:
    """Texts of a template before, between and after its fields; None if the fields are not all in CUDA's order."""
    pieces = re.split(r"\{(,?[a-z]+)\}", template)
    names = [name.lstrip(",") for name in pieces[1::2]]
    if names != [*_FIELDS, "args"]:
        return None
    return pieces[0::2]


def well_formed(template: str) -> bool:
    """Test whether a template has all fields in the order of CUDA's syntax."""
    return template == "keep" or _literals(template) is not None


def apply(source: Source) -> None:
    """Edit every kernel launch in a file."""
    if not source.rules.of_kind("launch") or not source.of_kind(Kind.CHEVRON_OPEN):
        return
    index = source.first_of(source.rules.of_kind("launch"))
    if index is None:
        for token in source.of_kind(Kind.CHEVRON_OPEN):
            note = "the rules about launches exclude this file"
            source.leave(
                token.start, Reason.AMBIGUOUS, "<<<>>>", source.rules.of_kind("launch")[0], note
            )
        return
    rule = source.rules.rules[index]
    for token in source.of_kind(Kind.CHEVRON_OPEN):
        if rule.match == "keep":
            _kept(source, token, index)
        else:
            _one(source, token, index, rule.match)


def _kept(source: Source, opening: Token, index: int) -> None:
    """Keep a launch. Only nvcc accepts blanks in its brackets: clang reads `<< <` as two operators."""
    source.hit(index)
    settings = launch_settings.read(source.region(opening.start), opening)
    for token, text in ((opening, "<<<"), *(((settings.close, ">>>"),) if settings else ())):
        if token.text != text:
            source.edit(token.start, token.end, text, index)


def _one(source: Source, opening: Token, index: int, template: str) -> None:
    text = source.text
    kernel = kernel_start(source, opening.start)
    settings = launch_settings.read(source.region(opening.start), opening)
    if kernel is None or settings is None:
        source.leave(
            opening.start, Reason.AMBIGUOUS, "<<<>>>", index, "porter cannot parse this launch"
        )
        return
    close = settings.close
    opened = _argument_list(text, close.end)
    closed = _closing(source, opened) if opened is not None else None
    literals = _literals(template)
    if literals is not None and settings.overrides and not _in_parentheses(literals):
        note = "a condition adds a setting to this launch"
        source.leave(opening.start, Reason.AMBIGUOUS, "<<<>>>", index, note)
        return
    if opened is None or closed is None or literals is None:
        source.leave(
            opening.start, Reason.AMBIGUOUS, "<<<>>>", index, "the launch has no argument list"
        )
        return
    source.hit(index)
    source.edit(kernel, kernel, literals[0], index)
    source.edit(opening.start, opening.end, literals[1], index)
    for comma, number in settings.commas:
        source.edit(comma.start, _past_blanks(text, comma.end), literals[2 + number], index)
    for offset, number in settings.defaults:
        default = literals[2 + number] + _DEFAULTS[_FIELDS[2 + number]]
        source.edit(offset, offset, default, index)
    given = settings.given
    rest = ""
    for field, literal in zip(_FIELDS[1 + given :], literals[1 + given :], strict=False):
        rest += literal + _DEFAULTS[field]
    end, has_arguments = closed
    source.edit(close.start, close.end, rest + literals[5], index)
    separator = ""
    if "{,args}" in template and has_arguments:
        separator = "," if text[opened + 1] in " \t\r\n\\" else ", "
    source.edit(opened, opened + 1, separator, index)
    source.edit(end, end + 1, literals[6], index)


def _in_parentheses(literals: list[str]) -> bool:
    """Test whether a template writes each setting in parentheses, where `(0, s)` has the value of `s`."""
    return all(literal[-1:] == "(" for literal in literals[1:5]) and all(
        literal[:1] == ")" for literal in literals[2:6]
    )


def _argument_list(text: str, start: int) -> int | None:
    """Offset of the `(` before a launch's arguments; None if another token follows. `start` is the end of the `>>>`."""
    for token in tokens(text, start):
        if token.kind not in SILENT:
            return token.start if token.text == "(" else None
    return None


def _past_blanks(text: str, at: int) -> int:
    while text[at] in " \t":
        at += 1
    return at


def _closing(source: Source, start: int) -> tuple[int, bool] | None:
    """Offset of the `)` that closes the `(` at `start`, and True if the parentheses contain more than comments."""
    region = source.region(start)
    first = region.index(start)
    last = region.close(first) if first is not None else None
    if first is None or last is None:
        return None
    inside = (token.kind is not Kind.COMMENT for token in region.outer(first + 1, last))
    return region.tokens[last].start, any(inside)


def _apply(source: Source, words: VendorWords) -> None:
    apply(source)


def _mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    if not well_formed(rule.match):
        fields = "{kernel} {grid} {block} {shmem} {stream} {args}"
        yield Mistake(f"the launch needs the fields {fields}, in this order")


def _in_code(rules: RuleSet, text: str) -> Resolution | None:
    index = next(iter(rules.of_kind("launch")), None)
    if not has_launch(text) or index is None or rules.rules[index].match == "keep":
        return None
    return Resolution(index, text)


KIND = RuleKind(
    name="launch",
    summary="Kernel launch `kernel<<<...>>>(...)`, in the target's syntax.",
    fields=(Field("launch", WRITTEN),),
    listed=9,
    apply=_apply,
    template_fields=frozenset([*_FIELDS, "args", ",args"]),
    is_construct=True,
    first_rule="Launches: `keep` leaves kernel<<<grid, block, shmem, stream>>>(args) unchanged. A compiler that\n"
    "does not accept this syntax needs a macro:\n"
    "  launch: '{UPPER}_LAUNCH(({kernel}), ({grid}), ({block}), ({shmem}), ({stream}){,args})'",
    edits_in_pieces=True,
    can_affect=lambda rule, path, text: has_launch(text),
    preview=preview_template,
    in_code=_in_code,
    keys=key_of_kind,
    mistakes=_mistakes,
    code=template,
    on_host=OnHost.SIMT,
    written_field="launch",
)
