"""Findings that end a port with exit code 1: rules with too few hits, residue over the budget, expired overlays."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from porter.base.errors import Problem
from porter.mapping.library import MappingLibrary
from porter.model.overlay import OverlaidFile, OverlayStatus, is_expired
from porter.model.rewrite_result import Reason
from porter.model.summary import ResidueWord, RuleUse, Summary

_NAMED = 3
"""Largest number of words in a finding; the report contains all words."""


def findings(
    summary: Summary, library: MappingLibrary, outdated: Mapping[str, str] = {}
) -> list[Problem]:
    """Findings of a port that end the command with exit code 1: rules with too few hits, and residue over the budget.

    `library` has the target's budget. `outdated` maps the key of a patch to the reason why the patch no longer applies.
    Raises MappingError if the target's budget is malformed.
    """
    unmet = [
        Problem(
            f"expected at least {_hits(use.wanted)} on PyTorch {summary.release}, found {use.hits}: {use.key}"
            + (f" '{use.text}'" if use.text else ""),
            use.origin,
            outdated.get(use.key) or _mending(use, summary.release),
        )
        for use in summary.broken
    ]
    return unmet + over_budget(summary, library)


def _hits(count: int) -> str:
    return f"{count} hit" if count == 1 else f"{count} hits"


def _mending(use: RuleUse, release: str) -> str:
    """Help line for a rule with too few hits: the version bounds to write in the mapping."""
    bounds = [
        f"{name}: '{value}'"
        for name, value in (("since", use.since), ("until", use.until))
        if value
    ]
    stated = f"has {' and '.join(bounds)}" if bounds else "has neither since nor until"
    major, minor = (*release.split("."), "0")[:2]
    following = f"{major}.{int(minor) + 1}"
    return (
        f"the source tree is PyTorch {release}, and the rule {stated}; if upstream added the text of the rule after "
        f"{major}.{minor}, write since: '{following}' (or the first release with the text); if upstream changed the "
        "text before, write until: with the last release with the text, and add a rule for the new text; with "
        "--keep-going, porter builds without the rule"
    )


def expired(files: Mapping[str, OverlaidFile], today: datetime.date) -> list[Problem]:
    """One problem for each overlay that has expired and whose bounds include the release.

    `files` maps an upstream path to the overlays of the file.
    """
    return [
        Problem(
            f"overlay {use.name} expired on {use.expires} (owner: {use.owner}; reason: {use.reason})",
            path,
            f"drop it: porter overlay drop {use.name}; or write a later day as 'Expires:' in its patch file",
        )
        for path, file in files.items()
        for use in file.uses
        if use.status is not OverlayStatus.OUTSIDE and is_expired(use.expires, today)
    ]


def over_budget(summary: Summary, library: MappingLibrary) -> list[Problem]:
    """One problem for each residue reason that has more occurrences in the port than the target's budget permits.

    Empty if the budget does not contain the release. Raises MappingError if the budget is malformed.
    """
    if not summary.places(Reason.UNMAPPED) and not summary.places(Reason.AMBIGUOUS):
        return []
    # Imported here: YAML loads slowly, and a port without residue needs no budget.
    from porter.mapping import budget

    accepted = budget.read(library, summary.target).get(summary.release)
    if accepted is None:
        return []
    return [
        Problem(
            f"{reason}: {_places(count)} left in the port of PyTorch {summary.release}, "
            f"{allowed} accepted",
            str(accepted.origin),
            f"{_first(summary.residue[reason])}; map them, mark them unsupported, or raise the budget",
        )
        for reason, allowed in accepted.places.items()
        if (count := summary.places(reason)) > allowed
    ]


def without_budget(summary: Summary, library: MappingLibrary) -> list[Problem]:
    """One problem if the port has unmapped or ambiguous residue and the target has no budget for the release.

    Raises MappingError when the target's budget is malformed.
    """
    left = {reason: summary.places(reason) for reason in (Reason.UNMAPPED, Reason.AMBIGUOUS)}
    if not any(left.values()):
        return []
    # Imported here for the same reason as in `over_budget`.
    from porter.mapping import budget

    if summary.release in budget.read(library, summary.target):
        return []
    counts = ", ".join(f"{reason}: {_places(count)}" for reason, count in left.items() if count)
    words = tuple(word for reason in left for word in summary.residue[reason])
    allowed = ", ".join(f"{reason}: {count}" for reason, count in left.items())
    line = f"{summary.target}: {{{summary.release}: {{{allowed}}}}}"
    return [
        Problem(
            f"{counts} left in the port of PyTorch {summary.release}, which has no budget",
            budget.FILE,
            f"{_first(words)}; map them, mark them unsupported, or accept them: {line}",
        )
    ]


def _first(words: tuple[ResidueWord, ...]) -> str:
    named = [f"{word.name} ({word.count}, first {word.first})" for word in words[:_NAMED]]
    more = len(words) - _NAMED
    return ", ".join(named) + (f", and {more} more" if more > 0 else "")


def _places(count: int) -> str:
    return f"{count} place" if count == 1 else f"{count} places"
