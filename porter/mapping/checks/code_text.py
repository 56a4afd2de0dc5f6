"""Check of the code that rules write: the code must form one expression in every context."""

from __future__ import annotations

from porter.cpp.lex import Kind, lex

_PAIRS = {")": "(", "]": "[", "}": "{"}
_KINDS = {
    Kind.COMMENT: "holds a comment",
    Kind.INCLUDE: "holds a directive",
    Kind.CONDITION: "holds a directive",
    Kind.MESSAGE: "holds a directive",
    Kind.DIRECTIVE: "holds a directive",
}


def not_one_piece(text: str) -> str:
    """Reason why a text cannot replace an expression; empty when the text can."""
    if "\n" in text or "\r" in text:
        return "holds a line break"
    open_: list[str] = []
    for token in lex(text):
        if token.kind in _KINDS:
            return _KINDS[token.kind]
        if token.kind is not Kind.PUNCT:
            continue
        if token.text in ('"', "'"):
            return "holds a quote that is not closed"
        if token.text in _PAIRS.values():
            open_.append(token.text)
        elif token.text in _PAIRS and (not open_ or open_.pop() != _PAIRS[token.text]):
            return f"closes a '{token.text}' that is not open"
        elif token.text == ";" and not open_:
            return "ends a statement"
    return f"leaves a '{open_[-1]}' open" if open_ else ""
