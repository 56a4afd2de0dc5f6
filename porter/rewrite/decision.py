"""Effect of a rule on one occurrence of a word: an edit, or a report that the word is unchanged."""

from __future__ import annotations

from porter.model.rewrite_result import Reason
from porter.model.rules import Resolution, Status
from porter.rewrite.source import Source, WordSite


def decide(source: Source, site: WordSite, found: Resolution, name: str, *, vendor: bool) -> None:
    """Edit an occurrence of a word by the resolution `found`, or report that the word is unchanged.

    A supported word that stays unchanged is reported only if it is a vendor word (`vendor` is True). `name` is the word
    if hits of the rule are counted for each name, and empty otherwise.
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
