r"""`ptx` rules replace instructions of NVIDIA's assembly language in `asm` statements by expressions.

    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(x) : "r"(y));   ->   (x) = simtrt::ptx::bfe((y), 4, 8);

A rule matches the name of an instruction (`bfe\.u32`) or of a special register (`%laneid`). `$0`, `$1` ... in the
replacement are the operands of the instruction. A statement changes only if rules match all of its instructions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from porter.cpp.asm_statement import AsmStatement, read
from porter.model.rewrite_result import Edit, Reason
from porter.model.rules import Rule
from porter.regex.samples import samples
from porter.rewrite.brackets import Span, lost_lines
from porter.rewrite.kind import (
    Mistake,
    OnHost,
    Preview,
    Resolve,
    RuleKind,
    VendorWords,
)
from porter.rewrite.kind_schema import ONE_LINE, TEXT, Field, Regex
from porter.rewrite.source import Source

_WORDS = ("asm", "__asm__", "__asm")
_INSTRUCTION = re.compile(r"([a-z][\w.:]*)(?:\s+(.*))?\Z", re.ASCII | re.DOTALL)
_OPERAND = re.compile(r"%(?:(\d+)|\[(\w+)\])\Z", re.ASCII)
_NUMBER = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|\d+)U?\Z", re.ASCII)
_FIELD = re.compile(r"\$(\d)")
_UNREAD = "porter cannot parse this asm statement"
_NO_RULE = "no rule replaces this instruction of PTX"

Parts = tuple[str | Span, ...]


class _Unsupported(NamedTuple):
    """Instruction or operand that no rule replaces."""

    text: str


def apply(source: Source) -> None:
    """Replace the `asm` statements of a file whose instructions the rules match."""
    known = [
        index for index in source.rules.of_kind("ptx") if source.applies(source.rules.rules[index])
    ]
    if not known:
        return
    for word in _WORDS:
        for start in source.places(word) if word in source.runs else ():
            if source.at(start) is None:
                _statement(source, start, start + len(word), known)


def _statement(source: Source, start: int, after: int, known: list[int]) -> None:
    asm = read(source.text, after)
    if asm is None:
        source.leave(start, Reason.UNSUPPORTED, "asm", -1, _UNREAD)
        return
    parts: list[str | Span] = []
    used: list[int] = []
    for instruction in re.split(r"[;\n]", asm.text):
        if not instruction.strip():
            continue
        made = _instruction(source, instruction.strip(), asm, known, used)
        if isinstance(made, _Unsupported):
            source.leave(start, Reason.UNSUPPORTED, made.text, -1, _NO_RULE)
            return
        parts += [", ", *made] if parts else made
    if not used:
        return  # A statement without instructions, such as `asm volatile("" ::: "memory")`, is a compiler barrier.
    for index in used:
        source.hit(index)
    lines = lost_lines(source, start, asm.end, parts)
    source.edits.append(Edit(start, asm.end, (*parts, lines), used[0]))


def _instruction(
    source: Source, text: str, asm: AsmStatement, known: list[int], used: list[int]
) -> Parts | _Unsupported:
    found = _INSTRUCTION.match(text)
    if found is None:
        return _Unsupported(text.split()[0])
    rule = _matching(source, found[1], known)
    if rule is None:
        return _Unsupported(found[1])
    index, template = rule
    used.append(index)
    operands: list[Parts] = []
    for operand in (found[2] or "").split(",") if found[2] else ():
        made = _operand(source, operand.strip(), asm, known)
        if made is None:
            return _Unsupported(operand.strip())
        operands.append(made)
    parts: list[str | Span] = []
    last = 0
    for field in _FIELD.finditer(template):
        if int(field[1]) >= len(operands):
            return _Unsupported(found[1])
        parts += [template[last : field.start()], *operands[int(field[1])]]
        last = field.end()
    return (*parts, template[last:])


def _matching(source: Source, name: str, known: list[int]) -> tuple[int, str] | None:
    """Index and expanded replacement of the first rule that matches the name of an instruction or register."""
    for index in known:
        rule = source.rules.rules[index]
        if match := re.fullmatch(rule.match, name, re.ASCII):
            return index, match.expand(rule.replace or "")
    return None


def _operand(source: Source, text: str, asm: AsmStatement, known: list[int]) -> Parts | None:
    """Expression of an operand; None for an unsupported operand. An address `[%1]` has the expression of `%1`."""
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip()
    if asm.has_operands and text.startswith("%%"):
        text = text[1:]
    elif found := _OPERAND.match(text):
        place = _place(found, asm)
        return ("(", (place[1], place[2]), ")") if place else None
    if _NUMBER.match(text):
        return (text,)
    rule = _matching(source, text, known) if text.startswith("%") else None
    return (rule[1],) if rule else None


def _place(found: re.Match[str], asm: AsmStatement) -> tuple[str, int, int] | None:
    if found[2]:
        return next((one for one in asm.operands if one[0] == found[2]), None)
    number = int(found[1])
    return asm.operands[number] if number < len(asm.operands) else None


def _apply(source: Source, words: VendorWords) -> None:
    apply(source)


def _preview(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    pattern = re.compile(rule.match, re.ASCII)
    for text in samples(rule.match):
        if match := pattern.fullmatch(text):
            yield Preview("", "", _FIELD.sub("x", match.expand(rule.replace or "")))


def _mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    groups = re.compile(rule.match).groups
    for number in re.findall(r"\\(\d)", rule.replace or ""):
        if int(number) > groups:
            yield Mistake(f"the replacement has \\{number}, but the expression has {groups} groups")


KIND = RuleKind(
    name="ptx",
    summary="Instruction or special register of PTX in an `asm` statement.",
    fields=(
        Field("ptx", TEXT, regex=Regex.WHOLE),
        Field("replace", ONE_LINE),
    ),
    listed=13,
    apply=_apply,
    match_is_regex=True,
    match_is_verbatim=True,
    can_affect=lambda rule, path, text: "asm" in text,
    preview=_preview,
    mistakes=_mistakes,
    on_host=OnHost.SIMT,
)
