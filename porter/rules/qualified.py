"""`qualified` rules: a chain of names.

c10::cuda::impl::state  ->  c10::acme::state
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from porter.model.port import Reason
from porter.model.rules import Status
from porter.rules.brackets import lost_lines
from porter.rules.source import Site, Source

_BLANKS = r"(?>(?:\s|\\[ \t]*\r?\n)*)"
_JOINT = rf"{_BLANKS}::{_BLANKS}"
_CHAIN = re.compile(rf"\w+(?:{_JOINT}[A-Za-z_]\w*)+", re.ASCII)
_INSIDE = re.compile(r"[\w>)\]]\s*::\s*\Z", re.ASCII)
_GLOBAL = re.compile(r"::\s*\Z")
_REACH = 40
"""Characters before a name in which a qualifier of it must end."""


def apply(source: Source, site: Site, known: Mapping[str, tuple[int, ...]]) -> int:
    """Apply the rule about the longest known chain that begins at the site; returns where it ends, 0 for none.

    A chain inside a longer one (`at::cub::X` for `cub::X`) is another name; `::cub::X` is the same.
    """
    written = _CHAIN.match(source.text, site.start)
    if not written or _INSIDE.search(source.text, max(0, site.start - _REACH), site.start):
        return 0
    names = re.split(_JOINT, written[0])
    for length in range(len(names), 1, -1):
        for index in known.get("::".join(names[:length]), ()):
            if source.applies(source.rules.rules[index], site.where):
                return _decide(source, site, index, length)
    return 0


def _decide(source: Source, site: Site, index: int, length: int) -> int:
    rule = source.rules.rules[index]
    chain = re.compile(r"\w+" + rf"{_JOINT}\w+" * (length - 1)).match(source.text, site.start)
    assert chain
    source.hit(index)
    if rule.status is not Status.SUPPORTED:
        source.leave(site.start, Reason.UNSUPPORTED, rule.match, index, rule.note)
    elif rule.is_identity:
        if any(map(source.rules.vendor.search, rule.match.split("::"))):
            source.leave(site.start, Reason.INTENDED, rule.match, index, rule.note)
    else:
        new = rule.replace or ""
        if _GLOBAL.search(source.text, max(0, site.start - _REACH), site.start):
            new = new.removeprefix("::")
        if new != chain[0]:
            lines = lost_lines(source, site.start, chain.end(), [new])
            source.edit(site.start, chain.end(), new + lines, index)
    return chain.end()
