"""Identifiers: `name`, `names`, `family`, `macro` and `value` rules.

cudaMalloc(&p, n);            ->  musaMalloc(&p, n);
#if CUDA_VERSION >= 12000     ->  #if MUSA_COMPAT_VERSION >= 12000
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from porter.model.port import Reason
from porter.model.rules import Layer, Resolution, RuleSet, Status, TokenClass
from porter.rules import calls, qualified
from porter.rules.source import Site, Source

_BEFORE = re.compile(r"(?:[<>=!]=|[<>]|[-+*/%])[ \t(]*\Z")
_AFTER = re.compile(r"[ \t)]*(?:[<>=!]=|<(?!<)|>(?!>)|[-+*/%])")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rule set has to say of one word, in any file."""

    exact: tuple[Resolution, ...]
    """Candidates by strength; several when some apply to certain files only."""
    family: Resolution | None
    values: tuple[Resolution, ...]
    calls: tuple[int, ...]
    chains: Mapping[str, tuple[int, ...]]
    vendor: bool
    matters: bool
    """False: nothing to edit, nothing to report."""


class Resolver:
    """Looks words up in a rule set, each word once."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._known: dict[str, Verdict] = {}
        self._mattering: set[str] = set()

    def verdict(self, word: str) -> Verdict:
        """The verdict on one word."""
        if word not in self._known:
            made = self._known[word] = self._decide(word)
            if made.matters:
                self._mattering.add(word)
        return self._known[word]

    def mattering(self, words: set[str]) -> set[str]:
        """Those of the words about which a rule, or a report, has something to say."""
        for word in words - self._known.keys():
            self.verdict(word)
        return words & self._mattering

    def family(self, word: str) -> Resolution | None:
        """What the first matching family makes of the word."""
        for pattern, index in self.rules.families:
            match = pattern.fullmatch(word)
            if match:
                rule = self.rules.rules[index]
                new = None
                if rule.replace is not None and rule.status is Status.SUPPORTED:
                    new = match.expand(rule.replace)
                    if rule.follows:
                        new = new.replace(match[1], self._plain(match[1]))
                return Resolution(index, None if new == word else new)
        return None

    def _plain(self, name: str) -> str:
        """What becomes of a name in files without rules of their own."""
        verdict = self.verdict(name)
        found = verdict.exact[0] if verdict.exact else verdict.family
        return found.replace or name if found else name

    def _decide(self, word: str) -> Verdict:
        rules = self.rules
        exact = rules.exact.get(word, ())
        family = self.family(word)
        values = rules.values.get(word, ())
        calls = rules.calls.get(word, ())
        chains = rules.chains.get(word, {})
        vendor = bool(rules.vendor.search(word))
        decided = exact or ((family,) if family else ())
        acts = any(
            found.replace is not None or rules.rules[found.rule].status is not Status.SUPPORTED
            for found in decided
        )
        counted = any(rules.rules[found.rule].kind in ("name", "macro") for found in exact)
        matters = bool(vendor or acts or counted or values or calls or chains)
        return Verdict(exact, family, values, calls, chains, vendor, matters)


def apply(source: Source, resolver: Resolver) -> None:
    """Edits and residue for every identifier of a file."""
    done = 0
    for site in source.sites(resolver.mattering(source.words)):
        if site.start >= done and site.where in (TokenClass.CODE, TokenClass.CONDITION):
            done = _site(source, site, resolver)


def _site(source: Source, site: Site, resolver: Resolver) -> int:
    """Handle one identifier; returns the offset up to which nothing more is to be done."""
    verdict = resolver.verdict(site.word)
    for found in verdict.values:
        if source.applies(source.rules.rules[found.rule], site.where) and _is_number(source, site):
            _decide(source, site, found)
            return 0
    if verdict.chains and (end := qualified.apply(source, site, verdict.chains)):
        return end
    ambiguous = -1
    for index in verdict.calls:
        if not source.applies(source.rules.rules[index], site.where):
            continue
        match calls.apply(source, site, index):
            case calls.Shape.MATCHES:
                return 0
            case calls.Shape.OTHER_CALL:
                ambiguous = index
    chosen = choose(source, site, verdict)
    if chosen and _is_unguarded_number(source, site, chosen):
        note = "its number is compared, which may mean something else for the target: needs a value rule"
        source.leave(site.start, Reason.AMBIGUOUS, site.word, chosen.rule, note)
    elif chosen:
        _decide(source, site, chosen)
    elif ambiguous >= 0:
        note = "the call has another shape than the rule's"
        source.leave(site.start, Reason.AMBIGUOUS, site.word, ambiguous, note)
    elif verdict.vendor:
        source.leave(site.start, Reason.UNMAPPED, site.word)
    return 0


def choose(source: Source, site: Site, verdict: Verdict) -> Resolution | None:
    """The candidate that applies to this file and class of token: the strongest exact one, else the family."""
    for found in verdict.exact:
        if source.applies(source.rules.rules[found.rule], site.where):
            return found
    found_family = verdict.family
    if found_family and source.applies(source.rules.rules[found_family.rule], site.where):
        return found_family
    return None


def _decide(source: Source, site: Site, found: Resolution) -> None:
    rule = source.rules.rules[found.rule]
    name = site.word if rule.kind in ("names", "family") else ""
    source.hit(found.rule, name)
    if found.replace is not None:
        source.edit(site.start, site.start + len(site.word), found.replace, found.rule, name)
    elif rule.status is not Status.SUPPORTED:
        source.leave(site.start, Reason.UNSUPPORTED, site.word, found.rule, rule.note)
    elif source.rules.vendor.search(site.word):
        source.leave(site.start, Reason.INTENDED, site.word, found.rule, rule.note)


def _is_unguarded_number(source: Source, site: Site, chosen: Resolution) -> bool:
    """Whether a vendor's macro would be renamed although its number is compared."""
    return (
        site.where is TokenClass.CONDITION
        and chosen.replace is not None
        and source.rules.rules[chosen.rule].layer is not Layer.PYTORCH
        and _is_number(source, site)
    )


def _is_number(source: Source, site: Site) -> bool:
    """Whether the macro's value is used: it stands beside a comparison or arithmetic."""
    end = site.start + len(site.word)
    line = source.text[max(0, site.start - 40) : site.start]
    return bool(_AFTER.match(source.text, end) or _BEFORE.search(line))
