r"""Structure of PTX in an `asm` statement: blocks, registers, predicates, labels and branches.

    { .reg .pred p; setp.lt.u32 p, %1, 7; @p add.u32 %0, %0, 1; }

becomes a lambda that is called at once:

    [&] { bool ptx_p; ...; if (ptx_p) { ...; } }()

A text without registers, guards and labels is an expression: the instructions, separated by commas.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from porter.rewrite.brackets import Span

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_REGISTERS = re.compile(r"\.reg\s+\.(\w+)\s+(.+)\Z", re.ASCII | re.DOTALL)
_NUMBERED = re.compile(r"([\w$%]+)<(\d+)>\Z", re.ASCII)
_LABEL = re.compile(r"([A-Za-z_$][\w$]*):(?!:)\s*", re.ASCII)
_GUARD = re.compile(r"@(!?)([\w$%]+)\s+", re.ASCII)
_BRANCH = re.compile(r"bra(?:\.uni)?\s+([\w$]+)\Z", re.ASCII)
_MOST_NUMBERED = 64

RUNTIME = "simtrt::ptx"
"""Namespace of types and of functions for operands. Only target `simt` has rules for PTX."""

Parts = tuple[str | Span, ...]


class Line(NamedTuple):
    """One instruction, with the label before it and its guard."""

    label: str
    guard: str
    """Condition in C++, or empty text."""
    instruction: str


class Block(NamedTuple):
    """Text of an `asm` statement."""

    registers: dict[str, str]
    """Type in C++ of each register that the text declares."""
    lines: tuple[Line, ...]

    @property
    def needs_statements(self) -> bool:
        """True if the text is not a sequence of expressions."""
        return bool(self.registers) or any(line.label or line.guard for line in self.lines)

    def register(self, text: str) -> str:
        """Name in C++ of a register that the text declares, also negated (`!p`) or `_`; empty for other text."""
        if text == "_":
            return f"{RUNTIME}::ignored()"
        negated = text.startswith("!")
        if (text[1:] if negated else text) not in self.registers:
            return ""
        return f"!{_name(text[1:])}" if negated else _name(text)


def read(text: str) -> Block:
    """Read the text of the instructions, without C++ escapes."""
    registers: dict[str, str] = {}
    lines: list[Line] = []
    for piece in re.split(r"[;\n]", _COMMENT.sub(" ", text)):
        piece = piece.strip()
        while piece[:1] in ("{", "}"):
            piece = piece[1:].strip()
        if not piece:
            continue
        if declared := _REGISTERS.match(piece):
            for name in _declared(declared[2]):
                registers[name] = _type(declared[1])
            continue
        label = _LABEL.match(piece)
        piece = piece[label.end() :] if label else piece
        guard = _GUARD.match(piece)
        piece = piece[guard.end() :] if guard else piece
        lines.append(
            Line(
                label[1] if label else "",
                f"{guard[1]}{_name(guard[2])}" if guard else "",
                piece.strip(),
            )
        )
    return Block(registers, tuple(lines))


def operands(text: str) -> list[str]:
    """Operands of an instruction; a vector in braces is one operand."""
    found, depth = [""], 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return [one.strip() for one in found if one.strip()]


def branch(line: Line) -> str:
    """Statement of a branch; empty for another instruction."""
    found = _BRANCH.match(line.instruction)
    if found is None:
        return ""
    condition = f"if ({line.guard}) " if line.guard else ""
    return f"{_label(line)}{condition}goto {_name(found[1])};"


def as_statement(line: Line, expression: Parts) -> Parts:
    """Statement of an instruction, with its label and guard."""
    if not expression:
        return (f"{_label(line)};",)
    if line.guard:
        return (f"{_label(line)}if ({line.guard}) {{ ", *expression, "; }")
    return (_label(line), *expression, ";")


def joined(block: Block, made: list[Parts]) -> Parts:
    """Expression of the whole text."""
    if not block.needs_statements:
        return separated(made)
    declared = [f"{kind} {_name(name)}{{}};" for name, kind in block.registers.items()]
    parts: list[str | Span] = [" ".join(["[&] {", *declared])]
    for one in made:
        parts += [" ", *one]
    return (*parts, " }()")


def separated(texts: list[Parts]) -> Parts:
    """Texts with commas between them."""
    parts: list[str | Span] = []
    for text in texts:
        parts += [", ", *text] if parts else text
    return tuple(parts)


def _label(line: Line) -> str:
    return f"{_name(line.label)}: " if line.label else ""


def _name(register: str) -> str:
    """Name in C++, different from the program's names."""
    return "ptx_" + re.sub(r"\W", "_", register)


def _type(kind: str) -> str:
    return "bool" if kind == "pred" else f"{RUNTIME}::{kind}"


def _declared(text: str) -> list[str]:
    names: list[str] = []
    for name in (one.strip() for one in text.split(",")):
        if numbered := _NUMBERED.match(name):
            names += [f"{numbered[1]}{i}" for i in range(min(int(numbered[2]), _MOST_NUMBERED))]
        else:
            names.append(name)
    return names
