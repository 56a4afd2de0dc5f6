"""Rules -> the tables by which the rewriter finds the rule for a word or a place."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from porter.model.rules import Family, Layer, Profile, Resolution, Rule, RuleSet, Selection, Status
from porter.regex.prefilter import any_of, needles

_FAMILIES = {Layer.TARGET: 0, Layer.CUDA: 1, Layer.PYTORCH: 2}
"""PyTorch's families take what CUDA's, which know what a library's names look like, leave."""


def assemble(
    rules: Sequence[Rule],
    profile: Profile,
    selection: Selection,
    vendor: re.Pattern[str],
    release: str = "",
    digest: str = "",
) -> RuleSet:
    """Rule set of the given rules, strongest layer first."""
    families = tuple(
        Family(rule.match, index, any_of([needles(rule.match)]))
        for index, rule in sorted(enumerate(rules), key=lambda item: _FAMILIES[item[1].layer])
        if rule.kind == "family" and not rule.names
    )
    exact = _exact(rules)
    return RuleSet(
        target=profile.target,
        release=release,
        profile=profile,
        rules=tuple(rules),
        exact={**_made(rules, exact, families, vendor), **exact},
        families=families,
        calls=_calls(rules),
        chains=_chains(rules),
        values=_by_name(rules, "value"),
        by_kind=_by_kind(rules),
        selection=selection,
        vendor=vendor,
        texts=any_of([*(family.texts for family in families), needles(vendor.pattern)]),
        digest=digest,
    )


def _exact(rules: Sequence[Rule]) -> dict[str, tuple[Resolution, ...]]:
    found: dict[str, list[Resolution]] = defaultdict(list)
    for index, rule in enumerate(rules):
        supported = rule.status is Status.SUPPORTED
        if rule.kind in ("name", "macro"):
            keep = rule.is_identity or not supported
            found[rule.match].append(Resolution(index, None if keep else rule.replace))
        elif rule.names:
            for name, new in rule.names.items():
                found[name].append(Resolution(index, new if supported else None))
    # A macro with a value rule is a guard: where its number is not compared, a macro rule of its
    # own decides before the lists of names, so that both uses of `defined(X) && X >= 2` speak of
    # one macro.
    for name in {rule.match for rule in rules if rule.kind == "value"} & found.keys():
        found[name].sort(key=lambda candidate: rules[candidate.rule].kind != "macro")
    return {name: tuple(candidates) for name, candidates in found.items()}


def _made(
    rules: Sequence[Rule],
    exact: Mapping[str, tuple[Resolution, ...]],
    families: Sequence[Family],
    vendor: re.Pattern[str],
) -> dict[str, tuple[Resolution, ...]]:
    """Names that rules make and a family would rename when a port is ported again: they stay.

    `cudaDevAttrSparseCudaArraySupported` becomes `acmeDevAttrSparseCudaArraySupported`, whose
    `Cuda` is no PyTorch's.
    """
    stay: dict[str, tuple[Resolution, ...]] = {}
    made = {
        found.replace: found.rule
        for candidates in exact.values()
        for found in candidates
        if found.replace
    }
    for name, index in made.items():
        if name in exact or not vendor.search(name):
            continue
        for family in families:
            if match := family.fullmatch(name):
                new = rules[family.rule].replace
                if new is not None and match.expand(new) != name:
                    stay[name] = (Resolution(index, None),)
                break
    return stay


def _by_name(rules: Sequence[Rule], kind: str) -> dict[str, tuple[Resolution, ...]]:
    found: dict[str, list[Resolution]] = defaultdict(list)
    for index, rule in enumerate(rules):
        if rule.kind == kind:
            found[rule.match].append(Resolution(index, rule.replace))
    return {name: tuple(candidates) for name, candidates in found.items()}


def _calls(rules: Sequence[Rule]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = defaultdict(list)
    for index in _of_kind(rules, "call"):
        found[rules[index].match.lstrip(".").split("(")[0]].append(index)
    return {name: tuple(indexes) for name, indexes in found.items()}


def _chains(rules: Sequence[Rule]) -> dict[str, dict[str, tuple[int, ...]]]:
    found: dict[str, dict[str, tuple[int, ...]]] = defaultdict(dict)
    for index in _of_kind(rules, "qualified"):
        chain = rules[index].match
        known = found[chain.split("::")[0]]
        known[chain] = (*known.get(chain, ()), index)
    return dict(found)


def _of_kind(rules: Sequence[Rule], kind: str) -> tuple[int, ...]:
    return tuple(index for index, rule in enumerate(rules) if rule.kind == kind)


def _by_kind(rules: Sequence[Rule]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = defaultdict(list)
    for index, rule in enumerate(rules):
        found[rule.kind].append(index)
    return {kind: tuple(indexes) for kind, indexes in found.items()}
