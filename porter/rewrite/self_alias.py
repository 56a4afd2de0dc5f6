"""Aliases that the port would turn into aliases for themselves.

Packages that support ROCm declare CUDA's name for a namespace of the vendor, and use CUDA's name in both builds:

namespace cub = hipcub;   ->  unchanged; `namespace hipcub = hipcub;` is an error
"""

from __future__ import annotations

import re

from porter.rewrite.resolver import Resolver
from porter.rewrite.source import Source
from porter.rewrite.word_hooks import Span

_ALIAS = re.compile(r"\bnamespace\s+(\w+)\s*=\s*(?:::\s*)?(\w+)\s*;", re.ASCII)


def self_aliases(source: Source, resolver: Resolver) -> list[Span]:
    """Spans of the declared names of namespace aliases whose target is the name's replacement."""
    return [
        match.span(1)
        for match in _ALIAS.finditer(source.text)
        if any(found.replace == match[2] for found in resolver.verdict(match[1]).exact)
    ]
