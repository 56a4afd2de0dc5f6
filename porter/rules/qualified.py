"""`qualified` rules: a chain of names.

c10::cuda::impl::state  ->  c10::acme::state
"""

from __future__ import annotations

import functools
import re

from porter.model.port import Reason
from porter.model.rules import Status
from porter.rules.source import Site, Source


@functools.cache
def _chain(match: str) -> re.Pattern[str]:
    names = r"\s*::\s*".join(map(re.escape, match.split("::")))
    return re.compile(names + r"(?![A-Za-z0-9_])")


def apply(source: Source, site: Site, index: int) -> int:
    """Where the chain that begins at the site ends; 0 when it does not begin there."""
    rule = source.rules.rules[index]
    match = _chain(rule.match).match(source.text, site.start)
    if not match or source.text[: site.start].rstrip().endswith("::"):
        return 0
    source.hit(index)
    if rule.status is not Status.SUPPORTED:
        source.leave(site.start, Reason.UNSUPPORTED, rule.match, index, rule.note)
    elif rule.is_identity:
        if source.rules.vendor.search(rule.match):
            source.leave(site.start, Reason.INTENDED, rule.match, index, rule.note)
    else:
        lines = "\n" * match[0].count("\n")
        source.edit(site.start, match.end(), (rule.replace or "") + lines, index)
    return match.end()
