"""`call` rules: a call by name and number of arguments.

t.is_cuda()                                  ->  t.is_privateuseone()
cudaMemcpyAsync(dst, src, n, kind, stream)   ->  suMemcpyAsync(dst, src, n, stream, kind)
"""

from __future__ import annotations

import functools
import re
from enum import Enum, auto

from porter.model.port import Edit, Reason
from porter.model.rules import Status
from porter.rules.brackets import arguments, lost_lines
from porter.rules.source import WORD, Site, Source

_OPENING = re.compile(r"(?:\s|\\\r?\n)*\(")
_MEMBER = re.compile(r"(?:\.|->)\s*\Z")


class Shape(Enum):
    """How the text at a site compares with a call rule."""

    MATCHES = auto()
    OTHER_CALL = auto()
    """A call with other arguments, or the name used without a call."""
    NO_CALL = auto()
    """Not what the rule is about: a function of that name where a method was meant, a declaration."""


@functools.cache
def _parts(match: str) -> tuple[bool, tuple[str, ...]]:
    inner = match[match.index("(") + 1 : -1]
    return match.startswith("."), tuple(name.strip() for name in inner.split(",") if name.strip())


def apply(source: Source, site: Site, index: int) -> Shape:
    """What a call rule makes of the place."""
    rule = source.rules.rules[index]
    text, end = source.text, site.start + len(site.word)
    method, names = _parts(rule.match)
    member = bool(_MEMBER.search(text, max(0, site.start - 40), site.start))
    if method and not member:
        return Shape.NO_CALL
    opening = _OPENING.match(text, end)
    found = arguments(text, opening.end() - 1) if opening else None
    if not found or len(found[0]) != len(names):
        return Shape.OTHER_CALL
    spans, close = found
    source.hit(index)
    if rule.status is not Status.SUPPORTED:
        source.leave(site.start, Reason.UNSUPPORTED, site.word, index, rule.note)
    elif rule.is_identity:
        if source.rules.vendor.search(site.word):
            source.leave(site.start, Reason.INTENDED, site.word, index, rule.note)
    else:
        parts = _rewritten(rule.replace or "", method, dict(zip(names, spans, strict=True)))
        lines = lost_lines(text, site.start, close + 1, parts)
        source.edits.append(Edit(site.start, close + 1, (*parts, lines), index))
    return Shape.MATCHES


def _rewritten(
    template: str, method: bool, spans: dict[str, tuple[int, int]]
) -> list[str | tuple[int, int]]:
    text = template.removeprefix(".") if method else template
    parts: list[str | tuple[int, int]] = []
    last = 0
    for match in WORD.finditer(text):
        if match[0] in spans:
            parts += [text[last : match.start()], spans[match[0]]]
            last = match.end()
    return [*parts, text[last:]]
