"""The rewriter applies all kinds of rules to the text of one file. It does no I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from porter.cpp.lex import decode, encode
from porter.model.project_names import ProjectNames
from porter.model.rewrite_result import Edit, Reason, Residue, Rewrite
from porter.model.rules import RuleSet
from porter.rewrite import added_includes, identifiers, member_templates, token_paste
from porter.rewrite.include_lookup import IncludeRules
from porter.rewrite.kinds import order
from porter.rewrite.name_owner import NameOwners
from porter.rewrite.ported_lines import PortedLines
from porter.rewrite.rendering import pieces, written
from porter.rewrite.resolver import Resolver
from porter.rewrite.source import ResidueSite, Source
from porter.rewrite.stages import Reporter, prepared


class Rewriter:
    """Rewrites files by one rule set. The rules about a word are looked up once for all files.

    `moved` maps the include path of a ported file to its include path in the port. `names` are the names of the project
    that is ported; None for PyTorch.
    """

    def __init__(
        self, rules: RuleSet, moved: Mapping[str, str], names: ProjectNames | None = None
    ) -> None:
        self.rules = rules
        self.moved = moved
        self.owners = NameOwners(rules, names) if names else None
        self.resolver = Resolver(rules, self.owners)
        self.include_rules = IncludeRules(rules)
        self.reporter = Reporter(rules)

    def rewrite(self, path: str, raw: bytes) -> Rewrite:
        """Rewrite one file: return the ported text, edits, residue and hazards.

        `path` is the upstream path, and `raw` is the content.
        """
        source = self.examine(path, raw)
        edits = outermost(source)
        made = pieces(edits, 0, len(source.text))
        lines = PortedLines(source, made)
        return Rewrite(
            text=written(source.text, made),
            edits=tuple(edits),
            hits=dict(source.hits),
            residue=_residue(source.left, lines),
            hazards=tuple(self.reporter.hazards(source, lines.at)),
        )

    def examine(self, path: str, raw: bytes) -> Source:
        """Apply all rules except `hazard` rules to one file. The result has the edits, hits and residue."""
        text, patches = prepared(path, decode(raw), self.rules)
        source = Source(path, text, self.rules, self.moved, self.include_rules, patches)
        source.of_project = self.owners is not None
        self.reporter.learn(self.resolver.learn(source.runs))
        words_done = False
        for kind in order.ORDER:
            if kind.apply:
                kind.apply(source, self.resolver)
            elif kind.by_word and not words_done:
                # One pass over the words applies all kinds that are applied word by word.
                identifiers.apply(source, self.resolver)
                token_paste.apply(source, self.resolver)
                if self.owners:
                    self.owners.report_definitions(source, self._has_uses)
                words_done = True
        added_includes.insert_missing(source, source.included)
        if source.of_project:
            # PyTorch's own sources are compiled by g++ and clang, too.
            source.edits += member_templates.edits(source)
        return source

    def _has_uses(self, word: str) -> bool:
        return bool(self.resolver.verdict(word).uses)


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


def _residue(left: Sequence[ResidueSite], lines: PortedLines) -> tuple[Residue, ...]:
    """Residue of a file: one entry for each combination of word, reason, rule and note in `left`.

    An entry has the number of occurrences, and the line of the first occurrence in the ported file.
    """
    counts: Counter[tuple[Reason, str, int, str]] = Counter()
    first: dict[tuple[Reason, str, int, str], int] = {}
    for item in left:
        key = (item.reason, item.name, item.rule, item.note)
        counts[key] += 1
        first[key] = min(first.get(key, item.start), item.start)
    found = [
        Residue(reason, name, lines.at(start), counts[key], rule, note)
        for key, start in first.items()
        for reason, name, rule, note in (key,)
    ]
    return tuple(sorted(found, key=lambda item: (item.line, item.reason, item.name)))
