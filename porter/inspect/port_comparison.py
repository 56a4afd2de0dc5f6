"""Comparison, token by token, of the ports of one tree to two targets. Nothing is compiled and no port is written."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base.fork_pool import share_out
from porter.cpp.lex import Kind, Token, lex
from porter.inspect.same_lines import SameLines
from porter.model.comparison import Difference, PortComparison
from porter.model.rewrite_result import Edit
from porter.model.rules import RuleSet
from porter.port.file import read
from porter.port.select import select
from porter.port.stage import plan_of
from porter.rewrite.rendering import render
from porter.rewrite.rewriter import Rewriter, outermost

_SILENT = (Kind.BLANK, Kind.COMMENT)
_TEXTS = (Kind.COMMENT, Kind.STRING, Kind.CHAR, Kind.INCLUDE, Kind.MESSAGE)
"""Kinds of tokens whose content is not code."""
_PIECE = 24
"""Number of files that one process compares at a time."""


class _Found(NamedTuple):
    """Differences that were found in some files."""

    names: dict[str, set[str]]
    """Maps a name in the first port to its names in the second port."""
    other_words: int
    """Number of edits that differ in comments, strings and other text that is not code."""
    differences: list[Difference]
    """Differences in more than names."""


def compare(tree: Path, a: RuleSet, b: RuleSet, jobs: int = 1) -> PortComparison:
    """Compare the ports of a tree that the rule sets `a` and `b` give. Raises SourceError for unreadable sources."""
    plans = [plan_of(select(tree, rules.selection), rules) for rules in (a, b)]
    chosen = [{job.path for job in plan.jobs} for plan in plans]
    common = sorted(chosen[0] & chosen[1])
    pieces = [common[start : start + _PIECE] for start in range(0, len(common), _PIECE)]

    @functools.cache
    def pair() -> _Pair:
        rewriters = [Rewriter(r, plan.moved) for r, plan in zip((a, b), plans, strict=True)]
        return _Pair(rewriters[0], rewriters[1], a, b)

    def work(number: int) -> _Found:
        return _piece(tree, pieces[number], pair())

    names: dict[str, set[str]] = defaultdict(set)
    words, differences = 0, []
    for found in share_out(len(pieces), work, jobs):
        for name, others in found.names.items():
            names[name] |= others
        words += found.other_words
        differences += found.differences
    only = [tuple(sorted(paths.difference(common))) for paths in chosen]
    fixed = {name: frozenset(others) for name, others in sorted(names.items())}
    return PortComparison(
        len(common), only[0], only[1], fixed, words, tuple(sorted(differences, key=lambda d: d[:2]))
    )


class _Pair(NamedTuple):
    """Rewriters and rule sets of the two targets."""

    a: Rewriter
    b: Rewriter
    rules_a: RuleSet
    rules_b: RuleSet


def _piece(tree: Path, paths: Sequence[str], pair: _Pair) -> _Found:
    found = _Found(defaultdict(set), 0, [])
    for path in paths:
        raw = read(f"{tree}/{path}")
        one = _File(path, raw, pair)
        found.differences.extend(one.differences(found.names))
        found = found._replace(other_words=found.other_words + one.other_words)
    return found


class _File:
    """Comparison of the two ports of one file."""

    def __init__(self, path: str, raw: bytes, pair: _Pair) -> None:
        self.path, self.pair = path, pair
        self.other_words = 0
        sources = pair.a.examine(path, raw), pair.b.examine(path, raw)
        self.source = sources[0]
        self.texts = sources[0].text, sources[1].text
        self.edits = outermost(sources[0]), outermost(sources[1])

    def differences(self, names: dict[str, set[str]]) -> Iterator[Difference]:
        """Differences between the two ports of the file. Pairs of names are not yielded, but added to `names`."""
        lines = SameLines(*self.texts)
        edited = [(edit.start, edit.end) for edit in self.edits[0]]
        edited += [(lines.first(edit.start), lines.first(edit.end)) for edit in self.edits[1]]
        for start, end in _spans([*edited, *lines.changed]):
            spans = (start, end), (lines.second(start), lines.second(end))
            inside = [
                [edit for edit in some if first <= edit.start and edit.end <= last]
                for some, (first, last) in zip(self.edits, spans, strict=True)
            ]
            made = [
                render(text, some, *span)
                for text, some, span in zip(self.texts, inside, spans, strict=True)
            ]
            if made[0] == made[1]:
                continue
            token = self.source.at(start)
            if token and token.kind in _TEXTS and start < end <= token.end:
                self.other_words += 1
            elif not _paired(made[0], made[1], names):
                keys = [self._keys(side, inside[side], spans[side]) for side in (0, 1)]
                line = self.texts[0].count("\n", 0, start) + 1
                yield Difference(self.path, line, made[0], made[1], keys[0], keys[1])

    def _keys(self, side: int, edits: Sequence[Edit], span: tuple[int, int]) -> tuple[str, ...]:
        """Keys of the rules that made one side's port of a span: of its edits, and of patches, which ran before."""
        rules = (self.pair.rules_a, self.pair.rules_b)[side]
        keys = {_key(rules, edit.rule) for edit in edits}
        text = self.texts[side][slice(*span)]
        for index in rules.of_kind("patch"):
            rule = rules.rules[index]
            if rule.match == self.path and _share_a_line(text, rule.option("after")):
                keys.add(rule.key)
        return tuple(sorted(keys))


def _share_a_line(text: str, after: str) -> bool:
    """Test whether the text has a line of a patch. The lines that surround a patch's span are not in `text`."""
    return any(line.strip() and line in text for line in after.splitlines())


def _key(rules: RuleSet, index: int) -> str:
    """Key of the rule with the given index. Index -1 denotes an edit that adds the profile's main header."""
    return rules.rules[index].key if index >= 0 else f"{rules.target}/target.yaml: main_header"


def _paired(a: str, b: str, names: dict[str, set[str]]) -> bool:
    """Test whether two texts differ in names only. If so, pairs of different identifiers are added to `names`."""
    tokens = [[token for token in lex(text) if token.kind not in _SILENT] for text in (a, b)]
    if len(tokens[0]) != len(tokens[1]):
        return False
    pairs = [(x, y) for x, y in zip(*tokens, strict=True) if x.text != y.text]
    if not all(_are_names(x, y) for x, y in pairs):
        return False
    for x, y in pairs:
        if x.kind is Kind.IDENT:
            names[x.text].add(y.text)
    return True


def _are_names(x: Token, y: Token) -> bool:
    """Test whether two tokens are both identifiers, or both of the same kind in `_TEXTS`."""
    return x.kind is y.kind and (x.kind is Kind.IDENT or x.kind in _TEXTS)


def _spans(edited: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Smallest disjoint spans of the text such that each given span lies in one of them."""
    at: tuple[int, int] | None = None
    for start, end in sorted(edited):
        if at and (start < at[1] or start == at[0]):
            at = at[0], max(at[1], end)
            continue
        if at:
            yield at
        at = start, end
    if at:
        yield at
