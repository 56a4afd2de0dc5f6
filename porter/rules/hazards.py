"""`hazard` rules: text that compiles for the target and may be wrong there. They change nothing."""

from __future__ import annotations

import functools
import re

from porter.lex import Kind
from porter.literals import alternatives, needles
from porter.model.port import Hazard
from porter.model.rules import Rule
from porter.rules.source import Source

_RUN = re.compile(r"\w+", re.ASCII)


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
    possible = [one for one in alternatives(rule.pattern) if _may_match(source, one)]
    if not possible:
        return []
    return [
        match.start()
        for match in _pattern("|".join(possible)).finditer(source.text)
        if not _silent(source, match.start())
    ]


def _may_match(source: Source, pattern: str) -> bool:
    words, others = _needles(pattern)
    if words:
        vocabulary = source.vocabulary
        for word in words:
            if word in vocabulary:
                return True
    return bool(others) and any(text in source.text.lower() for text in others)


@functools.cache
def _needles(pattern: str) -> tuple[list[str], list[str]]:
    """Texts of which one is in what the pattern matches: the ones that are words, and the others."""
    texts = needles(pattern)
    if texts is None:
        return [], [""]
    words = [text for text in texts if _RUN.fullmatch(text)]
    return words, [text for text in texts if text not in words]


def _silent(source: Source, offset: int) -> bool:
    token = source.at(offset)
    return token is not None and token.kind in (
        Kind.COMMENT,
        Kind.STRING,
        Kind.INCLUDE,
        Kind.MESSAGE,
    )
