"""Search for the rules that match a name, and for the rules that made the changes in a file.

`Explainer.symbol` lists all rules that match a name, in order of precedence. `Explainer.file` lists the changes in one
file, in the order of their lines. Each rule is listed with its mapping file and line.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from porter.cpp.lex import decode
from porter.model.explanation import Candidate, ExplainedPlace, FileExplained, RuleRef
from porter.model.project_names import ProjectNames
from porter.model.rewrite_result import Edit, Reason
from porter.model.rules import Origin, Rule, RuleSet, Status, TokenClass
from porter.rewrite import added_includes, applied_patch
from porter.rewrite.kinds import include, order
from porter.rewrite.kinds import path as path_rules
from porter.rewrite.ported_lines import PortedLines
from porter.rewrite.rendering import Piece, pieces, render, written
from porter.rewrite.resolver import Resolver
from porter.rewrite.rewriter import Rewriter, outermost
from porter.rewrite.source import Source
from porter.rewrite.word_hooks import Uses

OriginOf = Callable[[Rule, str], Origin]
"""Function that takes a rule and a name, and returns the rule's line in a mapping file."""


class Explainer:
    """Finds the rules of one rule set that apply to a name or to a file."""

    def __init__(
        self,
        rules: RuleSet,
        moved: Mapping[str, str],
        origin_of: OriginOf,
        names: ProjectNames | None = None,
    ) -> None:
        self.rules = rules
        self.rewriter = Rewriter(rules, moved, names)
        self._origin_of = origin_of
        self._references: dict[tuple[int, str], RuleRef] = {}

    def reference(self, index: int, name: str = "") -> RuleRef:
        """Reference to the rule with the given index. For a bulk rule, `name` is the name that the rule matched."""
        known = self._references.get((index, name))
        if known is None:
            rule = self.rules.rules[index]
            match, origin = rule.match or name, str(self._origin_of(rule, name))
            known = RuleRef(rule.kind, match, origin, rule.layer, rule.area, rule.note, rule.key)
            self._references[index, name] = known
        return known

    # -- names

    def symbol(self, name: str) -> list[Candidate]:
        """Rules that match an identifier, `a::b`, `.f()` or an include path, in order of precedence."""
        if "::" in name:
            return self._chain(name.removeprefix("::"))
        if "/" in name or name.endswith((".h", ".hpp", ".cuh", ".cu")):
            return list(self._include(name))
        word = name.lstrip(".").split("(")[0].strip()
        verdict = self.rewriter.resolver.verdict(word)
        found = [
            self._candidate(index, word, self.rules.rules[index].replace, self._where(uses, index))
            for uses, known in verdict.uses
            for index in known.get(word, ())
        ]
        return [*found, *self._names(word, self.rewriter.resolver)]

    def _where(self, uses: Uses, index: int) -> str:
        return uses.where(self.rules.rules[index])

    def _names(self, word: str, resolver: Resolver) -> Iterator[Candidate]:
        """Exact rules for a word, then families that match it. Rules that never decide are included."""
        open_: set[TokenClass] = {TokenClass.CODE, TokenClass.CONDITION}
        exact = [(item.rule, item.replace) for item in resolver.verdict(word).exact]
        for index, new in (*exact, *self._families(word, resolver)):
            rule = self.rules.rules[index]
            left = open_ & rule.classes
            if not (rule.only_in or rule.not_in):
                open_ -= rule.classes
            where = _in(left or rule.classes)
            yield self._candidate(index, word, new, where, decides=bool(left))

    def _families(self, word: str, resolver: Resolver) -> Iterator[tuple[int, str | None]]:
        first = resolver.family(word)
        for family in self.rules.families:
            match, index = family.fullmatch(word), family.rule
            if match and first and index == first.rule:
                yield index, first.replace
            elif match:
                rule = self.rules.rules[index]
                new = match.expand(rule.replace) if rule.replace is not None else None
                yield index, None if new == word else new

    def _chain(self, name: str) -> list[Candidate]:
        """Rules that match a qualified name `a::b::c` or its beginning `a::b`, then rules for `a`, `b` and `c`."""
        names = name.split("::")
        uses_of_first = self.rewriter.resolver.verdict(names[0]).uses
        found: list[Candidate] = []
        taken = 0
        for length in range(len(names), 1, -1):
            chain = "::".join(names[:length])
            about = [
                (uses, index) for uses, known in uses_of_first for index in known.get(chain, ())
            ]
            for uses, index in about:
                rule = self.rules.rules[index]
                where = uses.where(rule)
                found.append(self._candidate(index, "", rule.replace, where, decides=not taken))
                if not (rule.only_in or rule.not_in):
                    taken = taken or length
        for place, part in enumerate(names):
            hidden = place < taken
            found += [replace(c, decides=c.decides and not hidden) for c in self._unqualified(part)]
        return found

    def _unqualified(self, name: str) -> list[Candidate]:
        """Rules that match an identifier of a qualified name, which is no method of an object."""
        return [one for one in self.symbol(name) if not one.rule.match.startswith(".")]

    def _include(self, path: str) -> Iterator[Candidate]:
        source = Source(path, "", self.rules, self.rewriter.moved)
        exact, globs = include.candidates(source, path)
        moved = self.rewriter.moved.get(path)
        for index in exact:
            new = self.rules.rules[index].replace
            decides = index == exact[0]
            yield self._candidate(index, path, new, "in includes", decides=decides)
        if moved:
            for ref in self._path_rules(path, moved):
                where = "as the path of a ported file"
                yield Candidate(path, ref, Status.SUPPORTED, moved, where, decides=not exact)
        for index in globs:
            rule = self.rules.rules[index]
            new = rule.replace
            if new and "*" in new:
                head, _, tail = rule.match.partition("*")
                new = new.replace("*", path[len(head) : len(path) - len(tail)])
            decides = not exact and not moved and index == globs[0]
            yield self._candidate(index, path, new, "in includes", decides=decides)

    def _path_rules(self, path: str, moved: str) -> list[RuleRef]:
        """Rules that renamed a ported file. `path` and `moved`: the file's upstream and ported path in an include."""
        for root in path_rules.INCLUDE_ROOTS:
            new, hits = path_rules.renamed(root + path, self.rules)
            if new.removeprefix(root) == moved:
                return [self.reference(index) for index in dict.fromkeys(hits)]
        _, hits = path_rules.renamed_part("suffix", path.rpartition(".")[2], path, self.rules)
        return [self.reference(index) for index in hits]

    def _candidate(
        self, index: int, name: str, new: str | None, where: str, *, decides: bool = True
    ) -> Candidate:
        rule = self.rules.rules[index]
        places = [where]
        if rule.only_in:
            places.append(f"of files {', '.join(rule.only_in)}")
        if rule.not_in:
            places.append(f"except in {', '.join(rule.not_in)}")
        stays = rule.status is not Status.SUPPORTED or new == name
        becomes = None if stays else new
        ref = self.reference(index, name)
        about = name or rule.match
        return Candidate(about, ref, rule.status, becomes, " ".join(places), decides)

    # -- files

    def file(self, path: str, raw: bytes) -> FileExplained:
        """Edits, residue and hazards of a file, given its upstream path and bytes."""
        source = self.rewriter.examine(path, raw)
        edits = outermost(source)
        text = decode(raw)
        made = pieces(edits, 0, len(source.text))
        at = _Lines(text, source, edits, made)
        places = [
            *self._patches(source, at),
            *self._edits(source, edits, at),
            *self._left(source, at),
            *self._hazards(source, at),
        ]
        order = {"patch": 0, "edit": 1, "left": 2, "hazard": 3}
        places.sort(key=lambda place: (place.line, place.column, order[place.kind]))
        return FileExplained(text, written(source.text, made), tuple(places), at.pairs())

    def _patches(self, source: Source, at: _Lines) -> Iterator[ExplainedPlace]:
        for number, applied in enumerate(source.patches):
            ref = self.reference(applied.rule)
            earlier, later = source.patches[:number], source.patches[number + 1 :]
            for was, place in zip(applied.starts, applied.places(), strict=True):
                line, column = at.upstream(applied_patch.undone(earlier, was))
                start = applied_patch.done(later, place)
                ported = at.ported(start, start + 1)
                lines = applied.before.count("\n") + 1
                texts = (applied.before, applied.after)
                yield ExplainedPlace("patch", line, ported, lines, column, *texts, (ref,), ref.note)

    def _edits(self, source: Source, edits: list[Edit], at: _Lines) -> Iterator[ExplainedPlace]:
        kept = set(map(id, edits))
        starts = [edit.start for edit in edits]
        for group in _groups([edit for edit in source.edits if id(edit) in kept], self.rules):
            start, end = min(e.start for e in group), max(e.end for e in group)
            inner = [
                edit
                for edit in edits[bisect_left(starts, start) : bisect_right(starts, end)]
                if edit.end <= end and (edit.end > start or edit in group)
            ]
            after = render(source.text, inner, start, end)
            before = source.text[start:end]
            rules, why = self._makers(source, group[0], after)
            yield ExplainedPlace("edit", *at.of(start, end), before, after, rules, why)

    def _makers(self, source: Source, edit: Edit, after: str) -> tuple[tuple[RuleRef, ...], str]:
        if edit.rule >= 0:
            ref = self.reference(edit.rule, edit.name)
            return (ref,), ref.note
        if added_includes.is_removed_line(edit):
            return (), added_includes.WHY_REMOVED
        if edit.start < edit.end:
            spelled = source.text[edit.start : edit.end]
            folder = posixpath.dirname(source.path)
            beside = posixpath.normpath(posixpath.join(folder, spelled))
            known = spelled if spelled in source.moved else beside
            rules = self._path_rules(known, source.moved.get(known, ""))
            return tuple(rules), "the new path of a ported file"
        shims = {
            index
            for index, _ in source.hits
            if self.rules.rules[index].shim and self.rules.rules[index].shim in after
        }
        refs = [self.reference(index) for index in sorted(shims)]
        header = self.rules.profile.main_header
        if header and f"<{header}>" in after:
            place = f"{self.rules.target}/target.yaml"
            refs.insert(0, RuleRef("main_header", header, place, "target", ""))
        return tuple(refs), (
            "CUDA's compiler includes this header by itself"
            if not shims
            else "the code below uses a function of this header"
        )

    def _left(self, source: Source, at: _Lines) -> Iterator[ExplainedPlace]:
        for item in source.left:
            rules = (self.reference(item.rule, item.name),) if item.rule >= 0 else ()
            why = f"{item.reason}: {item.note}" if item.note else str(item.reason)
            if item.reason is Reason.UNMAPPED:
                why = f"{item.reason}: no rule matches the word"
            end = item.start + len(item.name)
            yield ExplainedPlace("left", *at.of(item.start, end), item.name, item.name, rules, why)

    def _hazards(self, source: Source, at: _Lines) -> Iterator[ExplainedPlace]:
        for index, found in self.rewriter.reporter.places(source):
            ref = self.reference(index)
            for start in found:
                text = source.text[start : source.text.find("\n", start)].rstrip()
                line = at.of(start, start + 1)
                yield ExplainedPlace("hazard", *line, text, text, (ref,), ref.note)


def _in(classes: Iterable[TokenClass]) -> str:
    """Description of token classes: `in code and conditions`."""
    plural = {TokenClass.CONDITION: "conditions", TokenClass.STRING: "strings"}
    return "in " + " and ".join(sorted(plural.get(one, str(one)) for one in classes))


class _Lines:
    """Conversion of offsets in the patched text to lines of the upstream file and of the ported file."""

    def __init__(
        self, upstream: str, source: Source, edits: Sequence[Edit], made: Sequence[Piece]
    ) -> None:
        self._upstream = _line_starts(upstream)
        self._starts = _line_starts(source.text)
        self._text = source.text
        self._patches = source.patches
        self._lines = PortedLines(source, made)
        self._removed = {edit.start for edit in edits if added_includes.is_removed_line(edit)}

    def of(self, start: int, end: int) -> tuple[int, int, int, int]:
        """Upstream line, ported line, number of lines and upstream column of a span in the patched text."""
        line, column = self.upstream(applied_patch.undone(self._patches, start))
        lines = self._text.count("\n", start, max(start, end - 1)) + 1
        return line, self.ported(start, end), lines, column

    def upstream(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset in the upstream text."""
        line = bisect_right(self._upstream, offset)
        return line, offset - self._upstream[line - 1] + 1

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """(upstream line, ported line) for each line of the patched text; ported line 0 for a removed line."""
        return tuple(
            (
                self.upstream(applied_patch.undone(self._patches, start))[0],
                0 if start in self._removed else self.ported(start, start + 1),
            )
            for start in self._starts
        )

    def ported(self, start: int, end: int) -> int:
        """First ported line of a span in the patched text. An empty span is the place of inserted text."""
        return self._lines.at(start) if start < end else self._lines.before(start)


def _line_starts(text: str) -> list[int]:
    """Offset of the first character of each line."""
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _groups(edits: list[Edit], rules: RuleSet) -> Iterator[list[Edit]]:
    """Groups of edits. Successive edits by one rule that edits in pieces form a group; any other edit is a group."""
    group: list[Edit] = []
    for edit in edits:
        in_pieces = edit.rule >= 0 and order.kind(rules.rules[edit.rule].kind).edits_in_pieces
        if group and not (in_pieces and edit.start < edit.end and group[0].rule == edit.rule):
            yield group
            group = []
        group.append(edit)
    if group:
        yield group
