r"""`ptx` rules replace instructions of NVIDIA's assembly language in `asm` statements by expressions.

    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(x) : "r"(y));   ->   (x) = simtrt::ptx::bfe((y), 4, 8);

A rule matches the name of an instruction (`bfe\.u32`) or of a special register (`%laneid`). `$0`, `$1` ... in the
replacement are the operands of the instruction, `$@` all of them, separated by commas. A statement changes only if
rules match all of its instructions.
`ptx_block` has the rules for registers, predicates, labels and branches, which need no rules of a mapping.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porter.cpp.asm_statement import AsmStatement, Expand, content, read
from porter.cpp.lex import Kind
from porter.model.rewrite_result import Edit, Reason
from porter.model.rules import Rule
from porter.regex.samples import samples
from porter.rewrite import ptx_block
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
from porter.rewrite.macros import MacroDefinition, Macros
from porter.rewrite.source import Source

_WORDS = ("asm", "__asm__", "__asm")
_INSTRUCTION = re.compile(r"([a-z][\w.:]*)(?:(?:\s+|(?=[{\[]))(.*))?\Z", re.ASCII | re.DOTALL)
_OPERAND = re.compile(r"%(?:(\d+)|\[(\w+)\])\Z", re.ASCII)
_NUMBER = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|\d+)U?\Z", re.ASCII)
_FLOAT = re.compile(r"0([fFdD])([0-9a-fA-F]{8}|[0-9a-fA-F]{16})\Z", re.ASCII)
_OFFSET = re.compile(r"(.*?)\s*([+-])\s*(\d+)\Z", re.DOTALL)
_FIELD = re.compile(r"\$(\d|@)")
_UNREAD = "porter cannot parse this asm statement"
_NO_RULE = "no rule replaces this instruction of PTX"

Parts = tuple[str | Span, ...]


class _Unsupported(NamedTuple):
    """Instruction or operand that no rule replaces."""

    text: str


class _Replaced(NamedTuple):
    """Replacement of an `asm` statement."""

    end: int
    """Offset after the statement."""
    used: tuple[int, ...]
    """Rules that have matched."""
    parts: Parts


class _Statement(NamedTuple):
    """An `asm` statement while its instructions are replaced."""

    source: Source
    asm: AsmStatement
    known: list[int]
    """Rules that apply to the file."""
    used: list[int]
    """Rules that have matched."""
    block: ptx_block.Block


def apply(source: Source) -> None:
    """Replace the `asm` statements of a file whose instructions the rules match."""
    words = [word for word in _WORDS if word in source.runs]
    if not words:
        return
    known = [
        index for index in source.rules.of_kind("ptx") if source.applies(source.rules.rules[index])
    ]
    if not known:
        return
    for word in words:
        for start in source.places(word):
            if source.at(start) is None:
                _statement(source, start, start + len(word), known)


def _statement(source: Source, start: int, after: int, known: list[int]) -> None:
    results = [_replaced(source, asm, known) for asm in read(source.text, after, _expand(source))]
    if not results or any(one != results[0] for one in results[1:]):
        source.leave(start, Reason.UNSUPPORTED, "asm", -1, _UNREAD)
        return
    result = results[0]
    if isinstance(result, _Unsupported):
        source.leave(start, Reason.UNSUPPORTED, result.text, -1, _NO_RULE)
        return
    if not result.used:
        return  # A statement without instructions, such as `asm volatile("" ::: "memory")`, is a compiler barrier.
    for index in result.used:
        source.hit(index)
    lines = lost_lines(source, start, result.end, list(result.parts))
    source.edits.append(Edit(start, result.end, (*result.parts, lines), result.used[0]))


def _replaced(source: Source, asm: AsmStatement, known: list[int]) -> _Replaced | _Unsupported:
    """Replacement of a statement, or its first instruction or operand without a rule."""
    block = ptx_block.read(asm.text)
    statement = _Statement(source, asm, known, [], block)
    made: list[Parts] = []
    for line in block.lines:
        parts = _line(statement, line)
        if isinstance(parts, _Unsupported):
            return parts
        made.append(parts)
    return _Replaced(asm.end, tuple(statement.used), ptx_block.joined(block, made))


def _expand(source: Source) -> Expand:
    """Function that gives the texts of the file's macros that consist of literals and `#parameter`."""

    def texts(name: str, given: Sequence[str]) -> list[str]:
        found = [
            _text(macro, given)
            for macro in Macros(source).all
            if macro.name == name and len(macro.parameters) == len(given)
        ]
        return [] if None in found else [text for text in found if text is not None]

    return texts


def _text(macro: MacroDefinition, given: Sequence[str]) -> str | None:
    arguments = dict(zip(macro.parameters, given, strict=True))
    words: list[str] = []
    is_argument = False
    for token in macro.body:
        if is_argument and token.text in arguments:
            words.append(arguments[token.text])
        elif not is_argument and token.kind is Kind.STRING:
            words.append(content(token))
        elif is_argument or token.text != "#":
            return None
        is_argument = token.text == "#"
    return None if is_argument else "".join(words)


def _line(statement: _Statement, line: ptx_block.Line) -> Parts | _Unsupported:
    """Expression of one instruction, or a whole statement if the block needs statements."""
    if branch := ptx_block.branch(line):
        return (branch,)
    made = _instruction(statement, line.instruction) if line.instruction else ()
    if isinstance(made, _Unsupported) or not statement.block.needs_statements:
        return made
    return ptx_block.as_statement(line, made)


def _instruction(statement: _Statement, text: str) -> Parts | _Unsupported:
    found = _INSTRUCTION.match(text)
    if found is None:
        return _Unsupported(text.split()[0])
    rule = _matching(statement, found[1])
    if rule is None:
        return _Unsupported(found[1])
    index, template = rule
    statement.used.append(index)
    operands = ptx_block.operands(found[2] or "")
    parts: list[str | Span] = []
    last = 0
    for field in _FIELD.finditer(template):
        parts.append(template[last : field.start()])
        last = field.end()
        wanted = range(len(operands)) if field[1] == "@" else [int(field[1])]
        made: list[Parts] = []
        for number in wanted:
            if number >= len(operands):
                return _Unsupported(found[1])
            operand = _operand(statement, operands[number])
            if operand is None:
                return _Unsupported(operands[number])
            made.append(operand)
        parts += ptx_block.separated(made)
    return (*parts, template[last:])


def _matching(statement: _Statement, name: str) -> tuple[int, str] | None:
    """Index and expanded replacement of the first rule that matches the name of an instruction or register."""
    for index in statement.known:
        rule = statement.source.rules.rules[index]
        if match := re.fullmatch(rule.match, name, re.ASCII):
            return index, match.expand(rule.replace or "")
    return None


def _operand(statement: _Statement, text: str) -> Parts | None:
    """Expression of an operand; None for an unsupported operand. An address `[%1]` has the expression of `%1`."""
    if text.startswith("[") and text.endswith("]"):
        return _address(statement, text[1:-1].strip())
    if text.startswith("{") and text.endswith("}"):
        return _several(statement, "parts", ptx_block.operands(text[1:-1]))
    if "|" in text:
        return _several(statement, "results", [one.strip() for one in text.split("|")])
    if register := statement.block.register(text):
        return (register,)
    if statement.asm.has_operands and text.startswith("%%"):
        text = text[1:]
    elif found := _OPERAND.match(text):
        place = _place(found, statement.asm)
        return ("(", (place[1], place[2]), ")") if place else None
    if _NUMBER.match(text):
        return (text,)
    if number := _FLOAT.match(text):
        kind = "single" if number[1] in "fF" else "twice"
        return (f"{ptx_block.RUNTIME}::{kind}(0x{number[2]})",)
    rule = _matching(statement, text) if text.startswith("%") or text.isupper() else None
    return (rule[1],) if rule else None


def _address(statement: _Statement, text: str) -> Parts | None:
    """Expression of an address, which may have an offset in bytes."""
    offset = _OFFSET.match(text)
    if offset is None:
        return _operand(statement, text)
    base = _operand(statement, offset[1].strip())
    return (f"{ptx_block.RUNTIME}::at(", *base, f", {offset[2]}{offset[3]})") if base else None


def _several(statement: _Statement, function: str, texts: list[str]) -> Parts | None:
    """Call of the runtime's `function` with several operands."""
    made: list[Parts] = []
    for text in texts:
        operand = _operand(statement, text)
        if operand is None:
            return None
        made.append(operand)
    return (f"{ptx_block.RUNTIME}::{function}(", *ptx_block.separated(made), ")")


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
