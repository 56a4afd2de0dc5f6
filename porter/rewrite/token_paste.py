"""Report of names that macros paste from parts (`##`), if rules rename the parts and the whole name differently.

    #define STUB(LIB) get##LIB##Library()
    STUB(CUDA)

In this example, rules rename CUDA to PrivateUse1 and getCUDALibrary to getAcmeLibrary. The ported macro would form
the name getPrivateUse1Library, which does not exist. This module edits nothing. It reports such a part as ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from porter.cpp.lex import Kind, Token
from porter.model.rewrite_result import Reason
from porter.model.rules import TokenClass
from porter.rewrite.identifiers import choose
from porter.rewrite.macros import MacroArgument, MacroArguments, MacroDefinition, Macros
from porter.rewrite.resolver import Resolver
from porter.rewrite.source import WORD, Source, WordSite

_PROBES = ("Xx", "_XX")
"""Sample texts for an unknown part after `##`."""


def apply(source: Source, resolver: Resolver) -> None:
    """Report the pasted names of a file whose renamed parts do not form the renamed name."""
    if "##" not in source.text:
        return
    renamed = {
        edit.start: (source.text[edit.start : edit.end], edit.parts[0])
        for edit in source.edits
        if len(edit.parts) == 1 and isinstance(edit.parts[0], str) and edit.end > edit.start
    }
    known = Macros(source)
    told: set[tuple[int, str]] = set()
    for macro in known.all:
        for chain in _chains(macro):
            for binding in known.bindings(macro) or [{}]:
                for left in _disagreement(source, resolver, renamed, macro, chain, binding):
                    if left[:2] not in told:
                        told.add(left[:2])
                        source.leave(left[0], Reason.AMBIGUOUS, left[1], note=left[2])


def _chains(macro: MacroDefinition) -> Iterator[list[Token]]:
    """Yield the operands of `##` for each pasted name in the body of a macro."""
    body = macro.body
    at = 0
    while at < len(body):
        operands = [body[at]]
        while at + 3 < len(body) and body[at + 1].text == body[at + 2].text == "#":
            at += 3
            operands.append(body[at])
        if len(operands) > 1 and all(one.kind in (Kind.IDENT, Kind.NUMBER) for one in operands):
            yield operands
        at += 1


def _disagreement(
    source: Source,
    resolver: Resolver,
    renamed: Mapping[int, tuple[str, object]],
    macro: MacroDefinition,
    chain: Sequence[Token],
    binding: MacroArguments,
) -> Iterator[tuple[int, str, str]]:
    """Yield (offset, name, note) for a pasted name if its renamed parts do not form the renamed name.

    `renamed` maps the offset of an edit to (old text, new text). `chain` lists the operands of `##`. `binding` has the
    macro's arguments in one use. If a part of the pasted name is unknown, the results of `_unknown` are yielded.
    """
    words: list[MacroArgument] = []
    for operand in chain:
        if operand.text in macro.parameters:
            bound = binding.get(operand.text)
            if bound is None:
                yield from _unknown(source, resolver, renamed, macro, chain)
                return
            words.append(bound)
        else:
            words.append(MacroArgument(operand.text, operand.start))
    name = "".join(word.text for word in words)
    if not WORD.fullmatch(name):
        return
    made = "".join(_renamed(renamed, word) for word in words)
    wanted = _becomes(source, resolver, name)
    if made == wanted:
        return
    first = next((word for word in words if _renamed(renamed, word) != word.text), words[0])
    if wanted is None:
        note = "the name is pasted together, and a rule depends on its use"
    else:
        note = f"the name is pasted from parts that give {made}, but becomes {wanted} elsewhere"
    yield first.start, name, note


def _unknown(
    source: Source,
    resolver: Resolver,
    renamed: Mapping[int, tuple[str, object]],
    macro: MacroDefinition,
    chain: Sequence[Token],
) -> Iterator[tuple[int, str, str]]:
    """Yield (offset, name, note) for each known part that may form a vendor name with an unknown part.

    The unknown part comes from another file, or from an argument of several tokens.
    """
    for at, operand in enumerate(chain):
        if operand.kind is not Kind.IDENT or operand.text in macro.parameters:
            continue
        word = MacroArgument(operand.text, operand.start)
        begins = at + 1 < len(chain) and not resolver.is_vendor(operand.text)
        if _renamed(renamed, word) != operand.text or (
            begins and any(resolver.is_vendor(operand.text + end) for end in _PROBES)
        ):
            yield (
                operand.start,
                operand.text,
                "the word is pasted into a name whose other parts are in other files",
            )


def _renamed(renamed: Mapping[int, tuple[str, object]], word: MacroArgument) -> str:
    before, after = renamed.get(word.start, ("", ""))
    return str(after) if before == word.text else word.text


def _becomes(source: Source, resolver: Resolver, name: str) -> str | None:
    """Replacement of a name in this file; None if the replacement depends on neighbouring tokens."""
    verdict = resolver.verdict(name)
    if verdict.uses:
        return None
    if verdict.owned and resolver.owners and (kept := resolver.owners.pasted(name)):
        return kept
    chosen = choose(source, WordSite(0, name, TokenClass.CODE), verdict)
    return (chosen.replace if chosen else None) or name
