"""Edit or report of one place of a word that a rule decides about."""

from __future__ import annotations

from porter.model.port import Reason
from porter.model.rules import Resolution, Status
from porter.rewrite.source import Source, WordSite


def decide(source: Source, site: WordSite, found: Resolution, name: str, *, vendor: bool) -> None:
    """Edit a place, or report that the word stays.

    `name` is the word for a bulk rule, and empty for other rules. `vendor` is True for a vendor word.
    """
    rule = source.rules.rules[found.rule]
    source.hit(found.rule, name)
    if found.replace is not None and found.replace != site.word:
        source.edit(site.start, site.start + len(site.word), found.replace, found.rule, name)
    elif rule.status is not Status.SUPPORTED:
        reason = Reason.UNMAPPED if rule.unlisted else Reason.UNSUPPORTED
        source.leave(site.start, reason, site.word, found.rule, rule.note)
    elif vendor:
        source.leave(site.start, Reason.INTENDED, site.word, found.rule, rule.note)
