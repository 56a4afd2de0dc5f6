"""Comparison, token by token, of the ports of one tree to two targets. Nothing is compiled and no port is written."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base.fork_pool import share_out
from porter.cpp.lex import Kind, Token, lex
from porter.model.comparison import Difference, PortComparison
from porter.model.rules import RuleSet
from porter.port.file import read
from porter.port.select import select
from porter.port.stage import plan_of
from porter.rewrite.applied_patch import AppliedPatch, done, undone
from porter.rewrite.rendering import render
from porter.rewrite.rewriter import Rewriter, outermost
from porter.rewrite.source import Source

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


class _Side:
    """Port of one file to one target, addressed by offsets in upstream's text.

    The patches of the two targets differ, so that offsets in the patched texts do not agree.
    """

    def __init__(self, rules: RuleSet, source: Source) -> None:
        self.rules, self.source = rules, source
        self.edits = outermost(source)
        self.patches = [
            (_before(source.patches[:number], start, start + len(patch.before)), patch.rule)
            for number, patch in enumerate(source.patches)
            for start in patch.starts
        ]

    def spans(self) -> Iterator[tuple[int, int]]:
        """Spans of upstream's text that the patches and edits replace."""
        yield from (span for span, _ in self.patches)
        for edit in self.edits:
            yield _before(self.source.patches, edit.start, edit.end)

    def ported(self, start: int, end: int) -> tuple[str, tuple[str, ...]]:
        """Port of a span of upstream's text, and the keys of the rules that made it."""
        first, last = self._after(start, end)
        inside = [edit for edit in self.edits if first <= edit.start and edit.end <= last]
        indexes = {edit.rule for edit in inside}
        indexes |= {rule for (begin, stop), rule in self.patches if start <= begin and stop <= end}
        keys = sorted({_key(self.rules, index) for index in indexes})
        return render(self.source.text, inside, first, last), tuple(keys)

    def is_text(self, start: int, end: int) -> bool:
        """Test whether a span lies in one comment, string or other token whose content is not code."""
        first, last = self._after(start, end)
        token = self.source.at(first)
        return bool(token and token.kind in _TEXTS and first < last <= token.end)

    def _after(self, start: int, end: int) -> tuple[int, int]:
        """Span of the patched text for a span of upstream's text."""
        return done(self.source.patches, start), done(self.source.patches, end)


def _before(patches: Sequence[AppliedPatch], start: int, end: int) -> tuple[int, int]:
    """Span of the text before the patches for a span of the text after them."""
    first = undone(patches, start)
    return first, undone(patches, end - 1) + 1 if end > start else first


class _File:
    """Comparison of the two ports of one file."""

    def __init__(self, path: str, raw: bytes, pair: _Pair) -> None:
        self.path = path
        self.other_words = 0
        self.a = _Side(pair.rules_a, pair.a.examine(path, raw))
        self.b = _Side(pair.rules_b, pair.b.examine(path, raw))

    def differences(self, names: dict[str, set[str]]) -> Iterator[Difference]:
        """Differences between the two ports of the file. Pairs of names are not yielded, but added to `names`."""
        source = self.a.source
        for start, end in _spans([*self.a.spans(), *self.b.spans()]):
            (a, rules_a), (b, rules_b) = self.a.ported(start, end), self.b.ported(start, end)
            if a == b:
                continue
            if self.a.is_text(start, end) and self.b.is_text(start, end):
                self.other_words += 1
            elif not _paired(a, b, names):
                # A patch keeps the number of lines, so this line is upstream's.
                line = source.text.count("\n", 0, done(source.patches, start)) + 1
                yield Difference(self.path, line, a, b, rules_a, rules_b)


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
