"""Names that macros paste from parts (`##`).

    #define RUNTIME(fn) cuda##fn        ->  #define RUNTIME(fn) simt##fn
    RUNTIME(GetDevice(&device));            RUNTIME(GetDevice(&device));

The first part is renamed if rules rename every pasted name by it. The parts of a name can be in other files; then the
first part is renamed if the target renames CUDA's names with this beginning in the same way, and it is reported as
ambiguous. A pasted name is reported as ambiguous if its ported parts do not form the ported name:

    #define STUB(LIB) get##LIB##Library()
    STUB(CUDA)

In this example, rules rename CUDA to PrivateUse1 and getCUDALibrary to getAcmeLibrary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porter.cpp.lex import Kind, Token
from porter.model.rewrite_result import Reason
from porter.model.rules import Resolution, Rule, Status, TokenClass
from porter.rewrite.identifiers import choose
from porter.rewrite.macros import ArgumentToken, MacroArguments, MacroDefinition, Macros
from porter.rewrite.pasted_prefix import common_prefix, prefix_of
from porter.rewrite.resolver import Resolver
from porter.rewrite.source import WORD, ResidueSite, Source, WordSite

_PROBES = ("Xx", "_XX")
"""Sample texts for an unknown part after `##`."""
_ELSEWHERE = "the word is pasted into a name whose other parts are in other files"
_PREFIX = f"{_ELSEWHERE}; it is renamed as in most names of CUDA that begin with it"


class _Name(NamedTuple):
    """Name that one use of a macro pastes from parts."""

    parts: tuple[ArgumentToken, ...]
    is_prefix: bool
    """True if the first part stands only in pasted names."""

    @property
    def text(self) -> str:
        """The pasted name."""
        return "".join(part.text for part in self.parts)


class _Part(NamedTuple):
    """Known part of a name whose other parts are in other files."""

    part: ArgumentToken
    begins: bool
    """True if other parts follow."""


def apply(source: Source, resolver: Resolver) -> None:
    """Rename the first parts of the pasted names of a file, and report names whose parts do not form the new name."""
    if "##" not in source.text:
        return
    names, parts = _pasted(source)
    renamed: dict[int, tuple[str, str]] = {}
    for edit in source.edits:
        if len(edit.parts) == 1 and isinstance(edit.parts[0], str) and edit.end > edit.start:
            renamed[edit.start] = (source.text[edit.start : edit.end], edit.parts[0])
    pasting = _Pasting(source, resolver, renamed)
    pasting.rename(names, parts)
    pasting.report(names, parts)


def _pasted(source: Source) -> tuple[list[_Name], list[_Part]]:
    """Names that the macros of a file paste, and parts of names whose other parts are unknown."""
    known = Macros(source)
    names: dict[_Name, None] = {}
    parts: dict[_Part, None] = {}
    for macro in known.all:
        for chain in _chains(macro):
            for binding in known.bindings(macro) or [{}]:
                if any(one.text in macro.parameters and one.text not in binding for one in chain):
                    parts.update(dict.fromkeys(_known_parts(macro, chain)))
                else:
                    found = _names(macro, chain, binding)
                    names.update(dict.fromkeys(one for one in found if WORD.fullmatch(one.text)))
    return list(names), list(parts)


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


def _names(
    macro: MacroDefinition, chain: Sequence[Token], binding: MacroArguments
) -> Iterator[_Name]:
    """Yield the names that one use of a macro pastes: several if an operand inside the chain has several tokens."""
    parts: list[ArgumentToken] = []
    head = chain[0]
    for operand in chain:
        if operand.text not in macro.parameters:
            parts.append(ArgumentToken(operand.text, operand.start))
            continue
        first, last = binding[operand.text]
        if first == last:
            parts.append(first)
            continue
        if parts:
            yield _Name((*parts, first), _only_pasted(macro, head))
        parts, head = [last], operand
    if len(parts) > 1:
        yield _Name(tuple(parts), _only_pasted(macro, head))


def _only_pasted(macro: MacroDefinition, operand: Token) -> bool:
    """Test whether each use of an operand in the body of a macro is before `##`, so that its text is a prefix."""
    texts = [token.text for token in macro.body] + ["", ""]
    return operand.text not in macro.parameters or all(
        texts[at + 1] == texts[at + 2] == "#"
        for at, text in enumerate(texts)
        if text == operand.text
    )


def _known_parts(macro: MacroDefinition, chain: Sequence[Token]) -> Iterator[_Part]:
    for at, operand in enumerate(chain):
        if operand.kind is Kind.IDENT and operand.text not in macro.parameters:
            yield _Part(ArgumentToken(operand.text, operand.start), at == 0)


class _Pasting:
    """Edits and reports about the pasted names of one file. `renamed` maps the offset of an edit to (old, new text)."""

    def __init__(
        self, source: Source, resolver: Resolver, renamed: dict[int, tuple[str, str]]
    ) -> None:
        self._source = source
        self._resolver = resolver
        self._renamed = renamed
        self._by_prefix: set[int] = set()
        """Offsets of the parts that are renamed as most names of CUDA are."""

    def rename(self, names: Sequence[_Name], parts: Sequence[_Part]) -> None:
        """Rename the first parts that no rule renames, if the pasted names agree about the new text."""
        decided = {*self._renamed}
        decided.update(one.start for one in self._source.left if one.reason is Reason.AMBIGUOUS)
        firsts: dict[int, list[_Name]] = {}
        for name in names:
            firsts.setdefault(name.parts[0].start, []).append(name)
        for start, found in firsts.items():
            if start not in decided and all(name.is_prefix for name in found):
                self._rename_known(found)
        for part, begins in parts:
            if not begins or part.start in decided or part.start in firsts:
                continue
            prefix = common_prefix(self._resolver, part.text) if self._may_begin(part) else None
            if prefix:
                self._by_prefix.add(part.start)
                self._edit(part, prefix.text, prefix.rule, prefix.example)

    def _rename_known(self, names: Sequence[_Name]) -> None:
        """Rename the first part of pasted names that begin with the same part, if the rules give it the same text."""
        found: dict[str, tuple[Resolution, str]] = {}
        for name in names:
            chosen = self._chosen(name.text)
            if chosen and self._rules[chosen.rule].status is not Status.SUPPORTED:
                continue
            rest = "".join(self._now(part) for part in name.parts[1:])
            prefix = prefix_of(chosen.replace, rest) if chosen and chosen.replace else None
            if not chosen or not prefix:
                return
            found.setdefault(prefix, (chosen, name.text))
        if len(found) == 1:
            ((prefix, (chosen, example)),) = found.items()
            self._edit(names[0].parts[0], prefix, chosen.rule, example)

    def _edit(self, part: ArgumentToken, new: str, rule: int, name: str) -> None:
        if new == part.text:
            return
        source = self._source
        name = self._resolver.bulk_name(rule, name)
        source.left = [item for item in source.left if item.start != part.start]
        source.hit(rule, name)
        source.edit(part.start, part.start + len(part.text), new, rule, name)
        self._renamed[part.start] = (part.text, new)

    def report(self, names: Sequence[_Name], parts: Sequence[_Part]) -> None:
        """Report names whose ported parts do not form the ported name, and parts of names that are unknown."""
        found = [self._about(name) for name in names]
        found += [self._about_part(part, begins) for part, begins in parts]
        for site in dict.fromkeys(found):
            if site:
                self._source.left.append(site)

    def _about(self, name: _Name) -> ResidueSite | None:
        """Report of a pasted name; None if its parts form a name that the target has."""
        made = "".join(self._now(part) for part in name.parts)
        wanted = self._becomes(name.text)
        changed = [part for part in name.parts if self._now(part) != part.text]
        start = (changed or name.parts)[0].start
        if wanted is None:
            note = "the name is pasted together, and a rule depends on its use"
            return ResidueSite(start, Reason.AMBIGUOUS, name.text, -1, note)
        chosen = self._chosen(name.text)
        if changed and chosen and self._rules[chosen.rule].status is not Status.SUPPORTED:
            rule = self._rules[chosen.rule]
            reason = Reason.UNMAPPED if rule.unlisted else Reason.UNSUPPORTED
            return ResidueSite(start, reason, name.text, chosen.rule, rule.note)
        if made == wanted:
            return None
        note = f"the name is pasted from parts that give {made}, but becomes {wanted} elsewhere"
        return ResidueSite(start, Reason.AMBIGUOUS, name.text, -1, note)

    def _about_part(self, part: ArgumentToken, begins: bool) -> ResidueSite | None:
        """Report of a part that may form a vendor name with a part from another file."""
        note = _PREFIX if part.start in self._by_prefix else _ELSEWHERE
        may_begin = begins and not self._resolver.is_vendor(part.text) and self._may_begin(part)
        if self._now(part) == part.text and not may_begin:
            return None
        return ResidueSite(part.start, Reason.AMBIGUOUS, part.text, -1, note)

    def _may_begin(self, part: ArgumentToken) -> bool:
        """Test whether names that begin with a part are vendor names."""
        return any(self._resolver.is_vendor(part.text + end) for end in _PROBES)

    @property
    def _rules(self) -> Sequence[Rule]:
        return self._resolver.rules.rules

    def _now(self, part: ArgumentToken) -> str:
        """Text of a part in the port."""
        before, after = self._renamed.get(part.start, ("", ""))
        return after if before == part.text else part.text

    def _chosen(self, name: str) -> Resolution | None:
        """Rule about a pasted name; None for a name of the project."""
        verdict = self._resolver.verdict(name)
        owners = self._resolver.owners
        if verdict.owned and owners and owners.pasted(name):
            return None
        return choose(self._source, WordSite(0, name, TokenClass.CODE), verdict)

    def _becomes(self, name: str) -> str | None:
        """Replacement of a name in this file; None if the replacement depends on neighbouring tokens."""
        verdict = self._resolver.verdict(name)
        if verdict.uses:
            return None
        owners = self._resolver.owners
        if verdict.owned and owners and (kept := owners.pasted(name)):
            return kept
        chosen = self._chosen(name)
        return (chosen.replace if chosen else None) or name
