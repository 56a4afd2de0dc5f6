"""The rewriter applies all kinds of rules to the text of one file. It does no I/O."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from porter.cpp.lex import decode, encode
from porter.model.rewrite_result import Edit, Reason, Residue, Rewrite
from porter.model.rules import RuleSet
from porter.rewrite import added_includes, identifiers, token_paste
from porter.rewrite.identifiers import Resolver
from porter.rewrite.include_lookup import IncludeRules
from porter.rewrite.kinds import order
from porter.rewrite.source import ResidueSite, Source
from porter.rewrite.stages import Reporter, prepared


class Rewriter:
    """Rewrites files by one rule set. The rules about a word are looked up once for all files.

    `moved` maps the include path of a ported file to its include path in the port.
    """

    def __init__(self, rules: RuleSet, moved: Mapping[str, str]) -> None:
        self.rules = rules
        self.moved = moved
        self.resolver = Resolver(rules)
        self.include_rules = IncludeRules(rules)
        self.reporter = Reporter(rules)

    def rewrite(self, path: str, raw: bytes) -> Rewrite:
        """Rewrite one file: return the ported text, edits, residue and hazards.

        `path` is the upstream path, and `raw` is the content.
        """
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
        """Apply all rules except `hazard` rules to one file. The result has the edits, hits and residue."""
        text, patches = prepared(path, decode(raw), self.rules)
        source = Source(path, text, self.rules, self.moved, self.include_rules, patches)
        self.reporter.learn(self.resolver.learn(source.runs))
        words_done = False
        for kind in order.ORDER:
            if kind.apply:
                kind.apply(source, self.resolver)
            elif kind.by_word and not words_done:
                # One pass over the words applies all kinds that are applied word by word.
                identifiers.apply(source, self.resolver)
                token_paste.apply(source, self.resolver)
                words_done = True
        added_includes.insert_missing(source, source.included)
        return source


def ported_bytes(rewrite: Rewrite) -> bytes:
    """Bytes of a ported file."""
    return encode(rewrite.text)


def outermost(source: Source) -> list[Edit]:
    """Edits of a file, sorted by offset. An edit precedes the edits inside its span.

    If two edits overlap partly, the later one is dropped and reported as ambiguous.
    """
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
    # Stack of pieces to write: new texts, and upstream spans with the edits that may lie inside. The last piece is
    # written next.
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
    """Maps the index of an edit to the indexes of the edits directly inside its span.

    The key -1 is for the edits that no edit encloses.
    """
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
    """Yield the indexes of the edits in `among` that are inside a span, in order.

    If an edit is only partly inside the span, its nested edits (`inner`) that are inside are yielded in its place.
    """
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
    """List of (line number, number of lines added before that line). Only added includes add lines."""
    return [
        (text.count("\n", 0, edit.start) + 1, str(edit.parts[0]).count("\n"))
        for edit in edits
        if edit.start == edit.end and "\n" in str(edit.parts[0])
    ]


def _ported(line: int, added: Sequence[tuple[int, int]]) -> int:
    """Convert a line number in the upstream file to the line number in the ported file."""
    return line + sum(lines for before, lines in added if before <= line)


def _residue(
    left: Sequence[ResidueSite], text: str, added: Sequence[tuple[int, int]]
) -> tuple[Residue, ...]:
    """Residue of a file: one entry for each combination of word, reason, rule and note in `left`.

    An entry has the number of occurrences, and the line of the first occurrence in the ported file. `text` is the
    upstream text; `added` is the result of `_added_lines`.
    """
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
