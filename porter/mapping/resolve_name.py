"""Resolution of a name by a rule set, regardless of the file in which the name occurs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from porter.mapping.evidence import grade
from porter.model.evidence import Evidence
from porter.model.rules import Resolution, Rule, RuleSet, Status, TokenClass
from porter.rewrite.kinds import include, order
from porter.rewrite.resolver import Resolver
from porter.rewrite.source import Source

if TYPE_CHECKING:
    from porter.mapping.sdk import Sdk

UNMAPPED = "unmapped"
_HEADER = re.compile(r"/|\.(?:h|hh|hpp|hxx|cuh|inl)\Z")
"""Slash or suffix of a header: text that occurs in include paths and never in identifiers."""


@dataclass(frozen=True, slots=True)
class ResolvedName:
    """Resolution of a name by a rule set: status, replacement, deciding rule and evidence."""

    status: str
    """Status of the rule, or `unmapped`."""
    replace: str | None = None
    """Name in the port; None when the target has no such name, or no rule matches the name."""
    rule: Rule | None = None
    evidence: Evidence | None = None
    """Evidence that the target has the name; None unless the status is `supported`."""

    @property
    def note(self) -> str:
        """Note of the rule that decides; empty if there is no such rule."""
        return self.rule.note if self.rule else ""


class Decider:
    """Resolves names under one rule set.

    A rule that is limited to certain files, or does not apply to code, decides only if no unlimited rule does.
    """

    def __init__(
        self, rules: RuleSet, sdk: Sdk | None = None, moved: Mapping[str, str] | None = None
    ) -> None:
        """Create a resolver. `moved` maps the include path of a ported file to its include path in the port."""
        self.rules = rules
        self.sdk = sdk
        self._moved = moved if moved is not None else {}
        self._resolver = Resolver(rules)

    def decide(self, name: str) -> ResolvedName:
        """Resolution of a name.

        For an identifier, the strongest rule that lists the name decides, else the first family that matches, else
        the first rule about uses of the name. For an include path, the rules about includes decide. For a qualified
        name `a::b::X`, a rule about the whole name decides, else the rules about each part.
        """
        if "::" in name:
            return self._by_parts(name)
        if _HEADER.search(name):
            return self._header(name)
        verdict = self._resolver.verdict(name)
        found = (*verdict.exact, *((verdict.family,) if verdict.family else ()))
        for resolution in sorted(found, key=self._is_bound):
            return self._decision(name, resolution)
        for index in self._uses(name):
            rule = self.rules.rules[index]
            return self._decision(rule.match, Resolution(index, rule.replace))
        return ResolvedName(UNMAPPED)

    def elsewhere(self, name: str, decision: ResolvedName) -> Iterator[tuple[Rule, str | None]]:
        """Yield (rule, replacement) for each rule, except `decision.rule`, that applies in certain contexts only.

        The contexts are calls, comparisons with numbers, or certain files. The replacement is None if the rule has
        none.
        """
        rules = self.rules.rules
        for index in self._uses(name):
            if rules[index] is not decision.rule:
                yield rules[index], rules[index].replace
        for found in self.rules.exact.get(name, ()):
            if rules[found.rule] is not decision.rule and self._is_bound(found):
                yield rules[found.rule], found.replace

    def _uses(self, name: str) -> Iterator[int]:
        """Yield the indexes of the rules about uses of a word or qualified name, by kind in the order of `ORDER`."""
        for kind in order.ORDER:
            yield from self.rules.about(kind.name, name)

    def decide_chain(self, chain: str) -> ResolvedName:
        """Resolution of a qualified name, for example `cub::Sum`."""
        for index in self._uses(chain):
            return self._decision(chain, Resolution(index, self.rules.rules[index].replace))
        return ResolvedName(UNMAPPED)

    def _header(self, path: str) -> ResolvedName:
        """Resolution of an include path by an exact rule, the new path of a ported file, or a rule with `*`."""
        exact, globs = include.candidates(Source("", "", self.rules, {}), path)
        if not exact and (new := self._moved.get(path)):
            return ResolvedName(Status.SUPPORTED, new, None, Evidence.LISTED)
        for index in (*exact, *globs):
            rule = self.rules.rules[index]
            return self._decision(path, Resolution(index, include.replaced(rule, path)))
        return ResolvedName(UNMAPPED)

    def _by_parts(self, chain: str) -> ResolvedName:
        whole = self.decide_chain(chain)
        if whole.rule:
            return whole
        parts = chain.split("::")
        decisions = [self.decide(part) for part in parts]
        decided = [decision for decision in decisions if decision.rule]
        if not decided:
            return ResolvedName(UNMAPPED)
        lacking = [decision for decision in decided if decision.replace is None]
        if lacking:
            return lacking[0]
        new = "::".join(d.replace or part for d, part in zip(decisions, parts, strict=True))
        weakest = min((d.evidence for d in decided if d.evidence), key=list(Evidence).index)
        return ResolvedName(Status.SUPPORTED, new, decided[-1].rule, weakest)

    def _is_bound(self, found: Resolution) -> bool:
        rule = self.rules.rules[found.rule]
        return bool(rule.only_in or rule.not_in) or TokenClass.CODE not in rule.classes

    def _decision(self, name: str, found: Resolution) -> ResolvedName:
        rule = self.rules.rules[found.rule]
        if rule.status is not Status.SUPPORTED:
            return ResolvedName(UNMAPPED if rule.unlisted else rule.status, None, rule)
        becomes = found.replace or name
        return ResolvedName(rule.status, becomes, rule, self._evidence(rule, becomes))

    def _evidence(self, rule: Rule, becomes: str) -> Evidence:
        # The port itself declares PyTorch's own names, so they need no further evidence.
        return grade(rule, becomes, self.sdk) or Evidence.LISTED

    def all(self) -> Iterator[tuple[str, ResolvedName]]:
        """Yield (name, resolution) for each name and qualified name that rules list, sorted.

        The families follow, each as (regular expression, resolution), in the order of application.
        """
        chains = (name for table in self.rules.uses.values() for name in table if "::" in name)
        for name in sorted((*self.rules.exact, *chains)):
            yield name, self.decide(name)
        for family in self.rules.families:
            rule = self.rules.rules[family.rule]
            # `\g<0>` in a replacement is the whole match.
            new = rule.replace or r"\g<0>"
            supported = rule.status is Status.SUPPORTED
            evidence = Evidence.GUESSED if supported else None
            yield rule.match, ResolvedName(rule.status, new if supported else None, rule, evidence)
