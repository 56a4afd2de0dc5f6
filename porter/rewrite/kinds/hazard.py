"""`hazard` rules report text that compiles for the target and may be wrong there. They change nothing."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from porter.cpp.lex import Kind
from porter.model.rules import Rule, RuleSet
from porter.regex.prefilter import alternatives, needles, openings
from porter.rewrite.cast_operands import local_array, operand
from porter.rewrite.kind import Key, OnHost, RuleKind
from porter.rewrite.kind_schema import IDENT, TEXT, Choice, Field, Regex
from porter.rewrite.source import Source
from porter.rewrite.word_index import Vocabulary

_RUN = re.compile(r"\w+", re.ASCII)
_SILENT = (Kind.COMMENT, Kind.STRING, Kind.INCLUDE, Kind.MESSAGE)


class Hazards:
    """Finder of hazards. A word is searched once for the literal texts of the patterns, and the result is reused."""

    def __init__(self, rules: RuleSet) -> None:
        patterns = [rules.rules[index].option("pattern") for index in rules.of_kind("hazard")]
        self._known = Vocabulary(
            word
            for pattern in patterns
            for one in alternatives(pattern)
            for word in _needles(one)[0]
        )

    def learn(self, words: set[str]) -> None:
        """Record which of the words contain a literal text of a hazard's pattern.

        Call it with the new words of a file before `places` for the file.
        """
        self._known.learn(words)

    def places(self, source: Source, index: int) -> list[int]:
        """Offsets in a file at which the rule with index `index` reports its hazard."""
        return _places(source, source.rules.rules[index], self._known)


def _places(source: Source, rule: Rule, known: Vocabulary) -> list[int]:
    if not source.applies(rule):
        return []
    pattern = rule.option("pattern")
    possible = [one for one in alternatives(pattern) if _may_match(source, one, known)]
    if not possible:
        return []
    replaced = _replaced_statements(source)
    return [
        start
        for start, end in _matches(source, possible)
        if start not in replaced
        and not _is_silent(source, start)
        and _fits(source, rule, start, end)
    ]


def _replaced_statements(source: Source) -> set[int]:
    """Offsets of the `asm` statements that `ptx` rules have replaced."""
    rules = source.rules.rules
    return {
        edit.start for edit in source.edits if edit.rule >= 0 and rules[edit.rule].kind == "ptx"
    }


def _fits(source: Source, rule: Rule, start: int, end: int) -> bool:
    """Test whether a match satisfies the rule's conditions on the operand of a cast; True without conditions."""
    wanted, unwanted = rule.option("operand"), rule.option("operand_not")
    is_array = bool(rule.option("operand_is"))
    if not (wanted or unwanted or is_array):
        return True
    text = operand(source, end)
    if is_array and not local_array(source, start, text):
        return False
    if wanted and not _pattern(wanted).search(text):
        return False
    return not (unwanted and _pattern(unwanted).search(text))


def _may_match(source: Source, pattern: str, known: Vocabulary) -> bool:
    words, others = _needles(pattern)
    for word in words:
        if known.holds(source.runs, word):
            return True
    return any(text in source.folded for text in others)


def _matches(source: Source, patterns: list[str]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) for each match of one of the patterns, from left to right and without overlap."""
    pattern = _pattern("|".join(patterns))
    end = 0
    for start in sorted({at for one in patterns for at in _starts(source, one)}):
        if start >= end and (match := pattern.match(source.text, start)):
            yield match.span()
            end = match.end()


def _starts(source: Source, pattern: str) -> Iterator[int]:
    """Yield offsets, among them every offset at which the pattern matches.

    Searching for the literal texts with which matches begin is several times faster than searching for the pattern,
    except for texts of one character, which are too frequent.
    """
    texts = openings(pattern)
    if texts and min(map(len, texts)) > 1:
        for text in texts:
            yield from _occurrences(source, text)
        return
    search, at = _pattern(pattern).search, -1
    while match := search(source.text, at + 1):
        at = match.start()
        yield at


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
    """Lower-case texts as two lists: words, and texts that are no words. Every match contains at least one text.

    If no such texts are known, the second list contains the empty text.
    """
    texts = needles(pattern)
    if texts is None:
        return [], [""]
    words = [text for text in texts if _RUN.fullmatch(text)]
    return words, [text for text in texts if text not in words]


def _is_silent(source: Source, offset: int) -> bool:
    token = source.at(offset)
    return token is not None and token.kind in _SILENT


def _keys(rule: Rule) -> Iterator[Key]:
    yield "hazard", rule.option("pattern")


KIND = RuleKind(
    name="hazard",
    summary="Code that compiles for the target and may be wrong there.",
    fields=(
        Field("hazard", IDENT),
        Field("pattern", TEXT, regex=Regex.SEARCHED),
        Field(
            "operand",
            str,
            default="",
            description="regular expression found in the operand of the cast",
            regex=Regex.SEARCHED,
        ),
        Field(
            "operand_not",
            str,
            default="",
            description="regular expression not found in the operand of the cast",
            regex=Regex.SEARCHED,
        ),
        Field(
            "operand_is", Choice(("", "local array")), default="", description="kind of the operand"
        ),
    ),
    listed=14,
    match_is_verbatim=True,
    reports=Hazards,
    can_affect=lambda rule, path, text: bool(re.search(rule.option("pattern"), text, re.ASCII)),
    keys=_keys,
    on_host=OnHost.UNUSED,
)
