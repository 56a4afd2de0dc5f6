"""`hazard` rules: text that compiles for the target and may be wrong there. They change nothing."""

from __future__ import annotations

import functools
import re

from porter.lex import Kind
from porter.model.port import Hazard
from porter.model.rules import Rule
from porter.rules.source import Source


@functools.cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def apply(source: Source) -> list[Hazard]:
    """The hazards of a file, each with its first line and how often it stands there."""
    found = []
    for index in source.rules.hazards:
        rule = source.rules.rules[index]
        if found_at := places(source, rule):
            line = source.text.count("\n", 0, found_at[0]) + 1
            found.append(Hazard(rule.match, line, len(found_at), index))
    return found


def places(source: Source, rule: Rule) -> list[int]:
    """Offsets at which a file shows the hazard of a rule."""
    if not source.applies(rule):
        return []
    return [
        match.start()
        for match in _pattern(rule.pattern).finditer(source.text)
        if not _silent(source, match.start())
    ]


def _silent(source: Source, offset: int) -> bool:
    token = source.at(offset)
    return token is not None and token.kind in (
        Kind.COMMENT,
        Kind.STRING,
        Kind.INCLUDE,
        Kind.MESSAGE,
    )
