"""Look-up tables with which the rewriter finds the rules about a word."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from porter.model.rules import Family, Layer, Profile, Resolution, Rule, RuleSet, Selection, Status
from porter.regex.prefilter import any_of, needles
from porter.rewrite.kind import RuleKind
from porter.rewrite.kinds import order

_FAMILIES = {Layer.TARGET: 0, Layer.CUDA: 1, Layer.PYTORCH: 2}
"""Maps a layer to the rank of its families. Families of `cuda` match names of one library, and precede `pytorch`."""


def assemble(
    rules: Sequence[Rule],
    profile: Profile,
    selection: Selection,
    vendor: re.Pattern[str],
    release: str = "",
    digest: str = "",
) -> RuleSet:
    """Create the rule set of the given rules. The rules must be sorted, strongest layer first."""
    kinds = order.kinds()
    uses = _uses(rules, kinds)
    families = tuple(
        Family(rule.match, index, any_of([needles(rule.match)]))
        for index, rule in sorted(enumerate(rules), key=lambda item: _FAMILIES[item[1].layer])
        if kinds[rule.kind].names_by_pattern and not rule.names
    )
    exact = _exact(rules, uses, kinds)
    return RuleSet(
        target=profile.target,
        release=release,
        profile=profile,
        rules=tuple(rules),
        exact={**_made(rules, exact, families, vendor), **exact},
        families=families,
        uses=uses,
        by_kind=_by_kind(rules),
        selection=selection,
        vendor=vendor,
        texts=any_of([*(family.texts for family in families), needles(vendor.pattern)]),
        digest=digest,
    )


_Uses = Mapping[str, Mapping[str, tuple[int, ...]]]


def _exact(
    rules: Sequence[Rule], uses: _Uses, kinds: Mapping[str, RuleKind]
) -> dict[str, tuple[Resolution, ...]]:
    found: dict[str, list[Resolution]] = defaultdict(list)
    for index, rule in enumerate(rules):
        if hooks := kinds[rule.kind].names:
            supported = rule.status is Status.SUPPORTED
            for name, new in hooks.resolutions(rule):
                found[name].append(Resolution(index, new if supported else None))
    for kind, table in uses.items():
        hooks_of_uses = kinds[kind].uses
        if hooks_of_uses and (is_first := hooks_of_uses.comes_before):
            for name in table.keys() & found.keys():
                ahead = [one for one in found[name] if is_first(rules[one.rule])]
                found[name] = ahead + [one for one in found[name] if one not in ahead]
    return {name: tuple(candidates) for name, candidates in found.items()}


def _made(
    rules: Sequence[Rule],
    exact: Mapping[str, tuple[Resolution, ...]],
    families: Sequence[Family],
    vendor: re.Pattern[str],
) -> dict[str, tuple[Resolution, ...]]:
    """Maps a replacement to a resolution that keeps it unchanged, if a family would rename it in a second port.

    Example: `cudaDevAttrSparseCudaArraySupported` becomes `acmeDevAttrSparseCudaArraySupported`. The `Cuda` in the
    replacement must not be renamed by a family for PyTorch's names.
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


def _uses(
    rules: Sequence[Rule], kinds: Mapping[str, RuleKind]
) -> dict[str, dict[str, tuple[int, ...]]]:
    found: dict[str, dict[str, list[int]]] = {}
    for index, rule in enumerate(rules):
        if hooks := kinds[rule.kind].uses:
            found.setdefault(rule.kind, {}).setdefault(hooks.about(rule), []).append(index)
    return {
        kind: {about: tuple(indexes) for about, indexes in table.items()}
        for kind, table in found.items()
    }


def _by_kind(rules: Sequence[Rule]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = defaultdict(list)
    for index, rule in enumerate(rules):
        found[rule.kind].append(index)
    return {kind: tuple(indexes) for kind, indexes in found.items()}
