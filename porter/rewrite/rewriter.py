"""The rewriter: applies all kinds of rules to the text of one file. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from porter.cpp.lex import decode, encode
from porter.model.port import Edit, Reason, Residue, Rewrite
from porter.model.rules import RuleSet
from porter.rewrite import added_includes, identifiers, token_paste
from porter.rewrite.identifiers import Resolver
from porter.rewrite.include_lookup import IncludeRules
from porter.rewrite.kinds import order
from porter.rewrite.source import ResidueSite, Source
from porter.rewrite.stages import Reporter, prepared


class Rewriter:
    """Rewrites files under one rule set. Knowledge about a word is reused for all files."""

    def __init__(self, rules: RuleSet, moved: Mapping[str, str]) -> None:
        self.rules = rules
        self.moved = moved
        self.resolver = Resolver(rules)
        self.include_rules = IncludeRules(rules)
        self.reporter = Reporter(rules)

    def rewrite(self, path: str, raw: bytes) -> Rewrite:
        """Port of one file, given its upstream path and bytes."""
        source = self.examine(path, raw)
        edits = outermost(source)
        text = source.text
        added = _added_lines(text, edits)
        return Rewrite(
            text=render(text, edits) if edits else text,
            edits=tuple(edits),
            hits=dict(source.hits),
            residue=_residue(source.left, text, added),
            hazards=tuple(
                hazard._replace(line=_ported(hazard.line, added))
                for hazard in self.reporter.hazards(source)
            ),
        )

    def examine(self, path: str, raw: bytes) -> Source:
        """File with the results of all rules, by place: edits, hits and residue."""
        text, patches = prepared(path, decode(raw), self.rules)
        source = Source(path, text, self.rules, self.moved, self.include_rules, patches)
        self.reporter.learn(self.resolver.learn(source.runs))
        words_done = False
        for kind in order.ORDER:
            if kind.apply:
                kind.apply(source, self.resolver)
            elif kind.by_word and not words_done:
                # One pass for all kinds that are applied word by word, in the place of the first one.
                identifiers.apply(source, self.resolver)
                token_paste.apply(source, self.resolver)
                words_done = True
        added_includes.insert_missing(source, source.included)
        return source


def ported_bytes(rewrite: Rewrite) -> bytes:
    """Bytes of a ported file."""
    return encode(rewrite.text)


def outermost(source: Source) -> list[Edit]:
    """Edits sorted by place, outer edits before inner ones. Of two edits that partly overlap, the later is dropped and
    reported."""
    ordered = sorted(source.edits, key=lambda edit: (edit.start, edit.start != edit.end, -edit.end))
    kept: list[Edit] = []
    open_: list[Edit] = []
    for edit in ordered:
        while open_ and open_[-1].end <= edit.start:
            open_.pop()
        if open_ and edit.end > open_[-1].end:
            note = "two rules match overlapping text"
            source.leave(
                edit.start, Reason.AMBIGUOUS, source.text[edit.start : edit.end], edit.rule, note
            )
            continue
        kept.append(edit)
        if edit.end > edit.start:
            open_.append(edit)
    return kept


def render(text: str, edits: Sequence[Edit], start: int = 0, end: int | None = None) -> str:
    """Text from `start` to `end` (default: the whole text) with nested edits applied."""
    inner = _nested(edits)
    out: list[str] = []
    # Stack of texts to write and of upstream spans, each with the edits that may lie inside; the last item is
    # next.
    whole = (start, len(text) if end is None else end, inner[-1])
    todo: list[str | tuple[int, int, Sequence[int]]] = [whole]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        at, last, among = item
        pieces: list[str | tuple[int, int, Sequence[int]]] = []
        for index in _within(edits, inner, among, at, last):
            edit = edits[index]
            pieces.append(text[at : edit.start])
            pieces += [
                part if isinstance(part, str) else (*part, inner[index]) for part in edit.parts
            ]
            at = edit.end
        pieces.append(text[at:last])
        todo += reversed(pieces)
    return "".join(out)


def _nested(edits: Sequence[Edit]) -> dict[int, list[int]]:
    """Index of an edit -> indexes of the edits directly inside it; -1 -> edits that no other edit contains."""
    inner: dict[int, list[int]] = {index: [] for index in range(-1, len(edits))}
    open_: list[int] = []
    for index, edit in enumerate(edits):
        while open_ and edits[open_[-1]].end <= edit.start:
            open_.pop()
        inner[open_[-1] if open_ else -1].append(index)
        if edit.end > edit.start:
            open_.append(index)
    return inner


def _within(
    edits: Sequence[Edit],
    inner: Mapping[int, Sequence[int]],
    among: Sequence[int],
    start: int,
    end: int,
) -> Iterator[int]:
    """Indexes of the edits inside a span, in order. An edit that exceeds the span is replaced by its inner edits."""
    first = bisect_left(among, start, key=lambda index: edits[index].end)
    for index in among[first:]:
        edit = edits[index]
        if edit.start > end:
            break
        if start <= edit.start and edit.end <= end:
            yield index
        else:
            yield from _within(edits, inner, inner[index], start, end)


def _added_lines(text: str, edits: Sequence[Edit]) -> list[tuple[int, int]]:
    """(line number, number of lines added before it). Only added includes add lines."""
    return [
        (text.count("\n", 0, edit.start) + 1, str(edit.parts[0]).count("\n"))
        for edit in edits
        if edit.start == edit.end and "\n" in str(edit.parts[0])
    ]


def _ported(line: int, added: Sequence[tuple[int, int]]) -> int:
    """Number of a line in the ported file."""
    return line + sum(lines for before, lines in added if before <= line)


def _residue(
    left: Sequence[ResidueSite], text: str, added: Sequence[tuple[int, int]]
) -> tuple[Residue, ...]:
    """One entry for each word, reason and rule, with the first line in the ported file."""
    if not left:
        return ()
    counts: Counter[tuple[Reason, str, int, str]] = Counter()
    first: dict[tuple[Reason, str, int, str], int] = {}
    for item in left:
        key = (item.reason, item.name, item.rule, item.note)
        counts[key] += 1
        first[key] = min(first.get(key, item.start), item.start)
    found = []
    line, at = 1, 0
    for key, start in sorted(first.items(), key=lambda item: item[1]):
        reason, name, rule, note = key
        line, at = line + text.count("\n", at, start), start
        found.append(Residue(reason, name, _ported(line, added), counts[key], rule, note))
    return tuple(sorted(found, key=lambda item: (item.line, item.reason, item.name)))
