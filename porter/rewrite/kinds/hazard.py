"""`hazard` rules: text that compiles for the target and may be wrong there. They change nothing."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from porter.cpp.lex import Kind
from porter.model.port import Hazard
from porter.model.rules import Rule, RuleSet
from porter.regex.prefilter import alternatives, needles, openings
from porter.rewrite.cast_operands import local_array, operand
from porter.rewrite.kind import Key, RuleKind
from porter.rewrite.kind_schema import IDENT, TEXT, Choice, Field
from porter.rewrite.source import Source
from porter.rewrite.word_index import Vocabulary

_RUN = re.compile(r"\w+", re.ASCII)
_SILENT = (Kind.COMMENT, Kind.STRING, Kind.INCLUDE, Kind.MESSAGE)


def vocabulary(rules: RuleSet) -> Vocabulary:
    """Index of the words that hazards depend on."""
    patterns = [rules.rules[index].pattern for index in rules.of_kind("hazard")]
    return Vocabulary(
        word for pattern in patterns for one in alternatives(pattern) for word in _needles(one)[0]
    )


def apply(source: Source, known: Vocabulary | None = None) -> list[Hazard]:
    """Hazards of a file, each with its first line and its number of places.

    `known`: index of words that contains the words of the file.
    """
    found = []
    known = known or _vocabulary_of(source)
    for index in source.rules.of_kind("hazard"):
        rule = source.rules.rules[index]
        if found_at := _places(source, rule, known):
            line = source.text.count("\n", 0, found_at[0]) + 1
            found.append(Hazard(rule.match, line, len(found_at), index))
    return found


def places(source: Source, rule: Rule) -> list[int]:
    """Offsets at which a file shows the hazard of a rule."""
    return _places(source, rule, _vocabulary_of(source))


def _vocabulary_of(source: Source) -> Vocabulary:
    known = vocabulary(source.rules)
    known.learn(source.runs)
    return known


def _places(source: Source, rule: Rule, known: Vocabulary) -> list[int]:
    if not source.applies(rule):
        return []
    possible = [one for one in alternatives(rule.pattern) if _may_match(source, one, known)]
    if not possible:
        return []
    return [
        start
        for start, end in _matches(source, possible)
        if not _is_silent(source, start) and _fits(source, rule, start, end)
    ]


def _fits(source: Source, rule: Rule, start: int, end: int) -> bool:
    """True if the operand of a cast satisfies the rule, or the rule has no condition on operands."""
    if not (rule.operand or rule.operand_not or rule.operand_is):
        return True
    text = operand(source, end)
    if rule.operand_is and not local_array(source, start, text):
        return False
    if rule.operand and not _pattern(rule.operand).search(text):
        return False
    return not (rule.operand_not and _pattern(rule.operand_not).search(text))


def _may_match(source: Source, pattern: str, known: Vocabulary) -> bool:
    words, others = _needles(pattern)
    for word in words:
        if known.holds(source.runs, word):
            return True
    return any(text in source.folded for text in others)


def _matches(source: Source, patterns: list[str]) -> Iterator[tuple[int, int]]:
    """Places of matches, from left to right and without overlap: beginnings and ends."""
    pattern = _pattern("|".join(patterns))
    begins = [openings(one) for one in patterns]
    if None in begins:
        yield from (match.span() for match in pattern.finditer(source.text))
        return
    # To search for what every match begins with, and to look there only, is several times faster.
    starts = {at for texts in begins for text in texts or () for at in _occurrences(source, text)}
    end = 0
    for start in sorted(starts):
        if start >= end and (match := pattern.match(source.text, start)):
            yield match.span()
            end = match.end()


def _occurrences(source: Source, text: str) -> Iterator[int]:
    at = source.folded.find(text)
    while at >= 0:
        yield at
        at = source.folded.find(text, at + 1)


@functools.cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


@functools.cache
def _needles(pattern: str) -> tuple[list[str], list[str]]:
    """Texts of which one is in what the pattern matches: the ones that are words, and the others."""
    texts = needles(pattern)
    if texts is None:
        return [], [""]
    words = [text for text in texts if _RUN.fullmatch(text)]
    return words, [text for text in texts if text not in words]


def _is_silent(source: Source, offset: int) -> bool:
    token = source.at(offset)
    return token is not None and token.kind in _SILENT


def _keys(rule: Rule) -> Iterator[Key]:
    yield "hazard", rule.pattern


KIND = RuleKind(
    name="hazard",
    summary="Code that compiles for the target and may be wrong there.",
    fields=(
        Field("hazard", IDENT),
        Field("pattern", TEXT),
        Field(
            "operand",
            str,
            default="",
            description="regular expression found in the operand of the cast",
        ),
        Field("operand_not", str, default="", description="regular expression not found in it"),
        Field(
            "operand_is", Choice(("", "local array")), default="", description="what the operand is"
        ),
    ),
    listed=14,
    match_is_verbatim=True,
    only_reports=True,
    can_affect=lambda rule, path, text: bool(re.search(rule.pattern, text, re.ASCII)),
    keys=_keys,
)
