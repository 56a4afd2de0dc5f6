"""Rewriting of identifiers: one pass over the words of a file applies all rule kinds about words.

cudaMalloc(&p, n);          ->  musaMalloc(&p, n);
#if CUDA_VERSION >= 12000   ->  #if MUSA_COMPAT_VERSION >= 12000
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from porter.model.rewrite_result import Edit, Reason
from porter.model.rules import STRENGTH, Resolution, TokenClass
from porter.rewrite import conditionals, macro_values
from porter.rewrite.decision import decide
from porter.rewrite.resolver import CODE, Resolver, Verdict
from porter.rewrite.self_alias import self_aliases
from porter.rewrite.source import Source, WordSite
from porter.rewrite.word_hooks import Passed, Uses

_OTHER_CLASS = "the word is in a condition, but the rule is for code: needs a macro rule"
_OWN_BRANCH = "another branch of the conditional is for the target"
_UNGUARDED = "a comparison of the vendor's number may have another meaning: needs a value rule"


def apply(source: Source, resolver: Resolver) -> None:
    """Edit or report the identifiers of a file to which a rule or the pattern of vendor names applies."""
    places = source.all_places(resolver.mattering(source.runs), resolver.common)
    for word in places.keys() - resolver.vendor(source.runs):
        # `std::less` is not CUDA's `less`.
        places[word] = [at for at in places[word] if not source.text.endswith("std::", 0, at)]
    for hold in resolver.holds:
        source.held += hold(source)
    source.held += self_aliases(source, resolver)
    if source.held:
        held = sorted(source.held)
        source.decided.update(
            start
            for found in places.values()
            for start in found
            if _inside(start, held, first=True)
        )
        places = {
            word: [start for start in found if not _inside(start, held, first=True)]
            for word, found in places.items()
        }
    plain = places.keys() & resolver.plain
    taken: list[tuple[int, int]] = []
    intricate = places.keys() - plain
    for site in source.sites_at((start, word) for word in intricate for start in places[word]):
        if taken and site.start < taken[-1][1]:
            continue
        if site.where in CODE:
            if end := _site(source, site, resolver):
                taken.append((site.start, end))
        else:
            _elsewhere(source, site, resolver)
    for word in plain:
        code, others = source.parted(word, places[word])
        if taken:
            code = [start for start in code if not _inside(start, taken)]
        if code:
            _in_code(source, word, code, resolver)
        for site in others:
            if site.where not in CODE:
                _elsewhere(source, site, resolver)
            elif not _inside(site.start, taken):
                _site(source, site, resolver)


def _inside(start: int, taken: list[tuple[int, int]], *, first: bool = False) -> bool:
    """Test whether an offset lies inside one of the sorted spans `taken`.

    The first character of a span counts only if `first` is True.
    """
    index = bisect_left(taken, (start + first, 0)) - 1
    return index >= 0 and start < taken[index][1]


def _in_code(source: Source, word: str, places: list[int], resolver: Resolver) -> None:
    """Edit or report the occurrences of a word in code, at the offsets `places`.

    No rule is about uses of the word, so the decision does not depend on neighbouring tokens.
    """
    site = WordSite(places[0], word, TokenClass.CODE)
    verdict = resolver.verdict(word)
    if found := choose(source, site, verdict):
        name = resolver.bulk_name(found.rule, word)
        if found.replace is None:
            for start in places:
                here = WordSite(start, word, TokenClass.CODE)
                decide(source, here, found, name, vendor=verdict.vendor)
        else:
            source.hits[found.rule, name] += len(places)
            new, size = (found.replace,), len(word)
            source.edits += [Edit(start, start + size, new, found.rule, name) for start in places]
    elif verdict.vendor:
        for start in places:
            source.leave(start, Reason.UNMAPPED, word)


def _elsewhere(source: Source, site: WordSite, resolver: Resolver) -> None:
    """Edit or report an identifier in a literal or a comment, by the rules that apply to literals or comments."""
    if site.where not in resolver.classes:
        return
    verdict = resolver.verdict(site.word)
    if chosen := choose(source, site, verdict):
        source.decided.add(site.start)
        name = resolver.bulk_name(chosen.rule, site.word)
        decide(source, site, chosen, name, vendor=verdict.vendor)


def _site(source: Source, site: WordSite, resolver: Resolver) -> int:
    """Edit or report an identifier in code or a condition.

    Returns the end of the edited text, or 0 if only the word was edited or reported.
    """
    verdict = resolver.verdict(site.word)
    if verdict.owned and resolver.owners:
        found = (*verdict.exact, verdict.family) if verdict.family else verdict.exact
        if resolver.owners.keeps(source, site, found):
            return 0
    passed: list[tuple[Uses, Passed]] = []
    for uses, known in verdict.uses:
        outcome = uses.apply(source, site, known)
        if isinstance(outcome, int):
            return outcome
        if outcome:
            passed.append((uses, outcome))
    chosen = choose(source, site, verdict)
    overlooked = [one for _, one in reversed(passed)]
    if (index := _passed_over(source, site, verdict, chosen)) is not None:
        overlooked.append(Passed(index, _OTHER_CLASS))
    for index, note in overlooked:
        if not _covers(resolver, chosen, index):
            source.leave(site.start, Reason.AMBIGUOUS, site.word, index, note)
            return 0
    if chosen:
        name = resolver.bulk_name(chosen.rule, site.word)
        _by_name(source, site, chosen, name, passed, vendor=verdict.vendor)
    elif verdict.vendor:
        source.leave(site.start, Reason.UNMAPPED, site.word)
    return 0


def _by_name(
    source: Source,
    site: WordSite,
    chosen: Resolution,
    name: str,
    passed: Sequence[tuple[Uses, Passed]],
    *,
    vendor: bool,
) -> None:
    """Edit an identifier by the rule `chosen` about its name, or report the identifier if the edit is doubtful.

    The edit is doubtful if it renames CUDA's macro in a comparison, or if a kind in `passed` doubts it. `passed` lists
    the rules about uses that do not apply here. The hit is counted under `name`.
    """
    if macro_values.is_unguarded(source, site, chosen):
        source.leave(site.start, Reason.AMBIGUOUS, site.word, chosen.rule, _UNGUARDED)
        return
    for uses, (index, _) in passed:
        if doubt := uses.doubt(source, site, chosen, index):
            source.leave(site.start, Reason.AMBIGUOUS, site.word, index, doubt)
            return
    if conditionals.has_own_branch(source, site, chosen):
        source.hit(chosen.rule, name)
        source.leave(site.start, Reason.INTENDED, site.word, chosen.rule, _OWN_BRANCH)
        return
    decide(source, site, chosen, name, vendor=vendor)


def _passed_over(
    source: Source, site: WordSite, verdict: Verdict, chosen: Resolution | None
) -> int | None:
    """Index of a rule, stronger than `chosen`, that renames the word in code but does not apply in a condition.

    A rule with the replacement of `chosen` does not count. None without a rule, and for a word outside conditions.
    """
    if site.where is not TokenClass.CONDITION:
        return None
    candidates: list[Resolution] = list(verdict.exact)
    candidates += [verdict.family] if verdict.family else []
    for found in candidates:
        if found is chosen:
            break
        rule = source.rules.rules[found.rule]
        if found.replace is None or not source.applies(rule, TokenClass.CODE):
            continue
        if not chosen or chosen.replace != found.replace:
            return found.rule
    return None


def _covers(resolver: Resolver, chosen: Resolution | None, index: int) -> bool:
    """Test whether the rule `chosen` decides about a use of a word to which the rule `index` does not apply.

    `chosen` must list the word, and its layer must be at least as strong as that of the rule `index`.
    """
    if chosen is None:
        return False
    rules = resolver.rules.rules
    rule = rules[chosen.rule]
    return resolver.is_listed(rule) and STRENGTH[rule.layer] <= STRENGTH[rules[index].layer]


def choose(source: Source, site: WordSite, verdict: Verdict) -> Resolution | None:
    """Resolution by the strongest rule about an identifier's name that applies in its file and token class.

    Rules that list the word precede the matching `family` rule. None if no rule applies.
    """
    for found in verdict.exact:
        if source.applies(source.rules.rules[found.rule], site.where):
            return found
    found_family = verdict.family
    if found_family and source.applies(source.rules.rules[found_family.rule], site.where):
        return found_family
    return None
