r"""Expansion of replacement templates with group references, for example `musa\1`.

>>> import re
>>> expand(re.fullmatch(r"cuda(\w+)", "cudaMalloc"), r"musa\1")
'musaMalloc'
"""

from __future__ import annotations

import functools
import re

_GROUP = re.compile(r"\\([1-9])(?!\d)")


def expand(match: re.Match[str], template: str) -> str:
    """Expand a template like `match.expand(template)`, but several times faster: each template is parsed only once."""

    pieces = _pieces(template)
    if pieces is None:
        return match.expand(template)
    out = [pieces[0]]
    for group, literal in zip(pieces[1::2], pieces[2::2], strict=True):
        out += (match[int(group)] or "", literal)
    return "".join(out)


@functools.cache
def _pieces(template: str) -> list[str] | None:
    """Literal texts and group numbers of a template, alternating; None if an escape is not a single-digit group
    reference."""
    pieces = _GROUP.split(template)
    return None if any("\\" in literal for literal in pieces[0::2]) else pieces
