"""Evidence for replaced names: guessed, listed by the target, or seen in the target's SDK."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from porter.model.evidence import Evidence, Replacement
from porter.model.manifest import RuleHits
from porter.model.rules import Layer, Rule, RuleSet, Status
from porter.rewrite.kinds import order
from porter.rewrite.resolver import Resolver
from porter.rewrite.source import WORD

if TYPE_CHECKING:
    from porter.mapping.sdk import Sdk

_CPP = re.compile(
    r"auto|bool|char|const|constexpr|decltype|double|false|float|inline|int|long|nullptr|operator|return|short|signed|"
    r"sizeof|static_cast|std|struct|template|this|true|typename|unsigned|using|void"
)
"""Words of C++ itself. A replacement may contain them, but no SDK declares them."""


def grade(rule: Rule, becomes: str, sdk: Sdk | None = None) -> Evidence | None:
    """Evidence that the target declares the name `becomes`, which `rule` writes.

    None for PyTorch's own names, because the port itself declares them.
    """
    if rule.layer is Layer.PYTORCH:
        return None
    if sdk and _is_in(sdk, rule, becomes):
        return Evidence.SEEN
    if rule.layer is not Layer.TARGET or order.kind(rule.kind).is_pattern(rule):
        return Evidence.GUESSED
    return Evidence.LISTED


def replacements(
    uses: Mapping[tuple[str, str], RuleHits], rules: RuleSet, sdk: Sdk | None = None
) -> tuple[Replacement, ...]:
    """CUDA names that a port replaced, sorted by evidence (weakest first), then by occurrences (most first).

    `uses` are the rule hits in the port's manifest.
    """
    by_key: dict[str, list[Rule]] = defaultdict(list)
    graded = {kind.name for kind in order.ORDER if kind.is_graded}
    for rule in rules.rules:
        if rule.kind in graded and rule.status is Status.SUPPORTED:
            by_key[rule.key].append(rule)
    resolver = Resolver(rules)
    found = []
    for (key, name), use in uses.items():
        for rule in by_key.get(key, ()):
            before, becomes = name or rule.match, _becomes(rule, name, resolver)
            evidence = grade(rule, becomes, sdk) if becomes and becomes != before else None
            if evidence:
                found.append(Replacement(before, becomes, evidence, key, *use))
                break
    grades = list(Evidence)
    return tuple(sorted(found, key=lambda one: (grades.index(one.evidence), -one.places, one.name)))


def counts(found: Iterable[Replacement]) -> dict[Evidence, tuple[int, int]]:
    """Maps each grade of evidence to (number of replaced names, number of their occurrences)."""
    names = dict.fromkeys(Evidence, 0)
    places = dict.fromkeys(Evidence, 0)
    for one in found:
        names[one.evidence] += 1
        places[one.evidence] += one.places
    return {grade: (names[grade], places[grade]) for grade in Evidence}


def _becomes(rule: Rule, name: str, resolver: Resolver) -> str:
    """Target's name that a rule writes instead of `name`; empty if the rule leaves the name unchanged."""
    if rule.names:
        return rule.names.get(name) or ""
    if order.kind(rule.kind).names_by_pattern:
        found = resolver.family(name)
        return (found.replace or "") if found else ""
    return rule.replace or ""


def _is_in(sdk: Sdk, rule: Rule, becomes: str) -> bool:
    if order.kind(rule.kind).names_headers:
        return becomes in sdk.headers
    return sdk.has([*_vendor_words(rule, becomes)])


def _vendor_words(rule: Rule, becomes: str) -> Iterator[str]:
    """Yield the words of a replacement that the SDK must declare."""
    own = set(order.kind(rule.kind).own_names(rule))
    for word in WORD.findall(becomes):
        if word not in own and not _CPP.fullmatch(word):
            yield word
