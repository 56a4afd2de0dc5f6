"""Scan of CUDA sources: API names and headers by area, launches, dynamic shared memory, hazards.

With a rule set for a target, the scan also determines the outcome of a port for each name and header.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping

from porter.cpp.lex import Kind, decode
from porter.inspect.cuda_usage import ApiDetector
from porter.model.project_names import ProjectNames
from porter.model.rewrite_result import Edit, Reason
from porter.model.rules import Layer, RuleSet
from porter.model.scan import OTHER, ApiUse, PortOutcome, Scan
from porter.rewrite.kinds import include
from porter.rewrite.rewriter import Rewriter
from porter.rewrite.shared_declarations import declarations
from porter.rewrite.source import WORD, Source
from porter.rewrite.stages import Reporter


def scan(
    files: Iterable[tuple[str, bytes]],
    apis: ApiDetector,
    rules: RuleSet,
    moved: Mapping[str, str],
    names: ProjectNames | None = None,
    *,
    with_outcomes: bool,
) -> Scan:
    """Scan files, given as pairs of path and content. `names` are the names of a project other than PyTorch.

    If `with_outcomes` is true, the result includes the outcome of a port to the rule set's target. Otherwise, the rule
    set only identifies vendor words, headers and hazards, and the rules for its target are ignored.
    """
    found = Scan()
    rewriter = Rewriter(rules, moved, names)
    for path, raw in files:
        if with_outcomes:
            source = rewriter.examine(path, raw)
            outcomes: _Outcomes | None = _Outcomes(source)
        else:
            source, outcomes = Source(path, decode(raw), rules, moved), None
        rewriter.reporter.learn(source.runs)
        _add(found, source, apis, outcomes, rewriter.reporter)
    return found


_LEFT = {
    Reason.UNSUPPORTED: PortOutcome.UNSUPPORTED,
    Reason.UNMAPPED: PortOutcome.UNMAPPED,
    Reason.AMBIGUOUS: PortOutcome.AMBIGUOUS,
}


class _Outcomes:
    """Outcome of the port for each name in one file: mapped, kept, unsupported, unmapped or ambiguous.

    Requires a source to which all rules have been applied.
    """

    def __init__(self, source: Source) -> None:
        self._left = {item.start: _LEFT.get(item.reason, PortOutcome.KEPT) for item in source.left}
        # For a qualified name a::b, `left` has only the offset of the beginning.
        for item in source.left:
            for match in WORD.finditer(item.name) if "::" in item.name else ():
                self._left[item.start + match.start()] = self._left[item.start]
        replaced = sorted((e for e in source.edits if e.start < e.end), key=lambda e: e.start)
        self._starts = [edit.start for edit in replaced]
        self._edits: list[Edit] = replaced

    def of(self, start: int) -> PortOutcome:
        """Outcome for the name at an offset."""
        if start in self._left:
            return self._left[start]
        index = bisect_right(self._starts, start) - 1
        if index >= 0 and self._takes(self._edits[index], start):
            return PortOutcome.MAPPED
        return PortOutcome.KEPT

    @staticmethod
    def _takes(edit: Edit, offset: int) -> bool:
        kept = any(not isinstance(p, str) and p[0] <= offset < p[1] for p in edit.parts)
        return edit.start <= offset < edit.end and not kept


def _add(
    found: Scan,
    source: Source,
    apis: ApiDetector,
    outcomes: _Outcomes | None,
    reporter: Reporter,
) -> None:
    found.files[source.path.rsplit("/", 1)[-1].partition(".")[2]] += 1
    found.lines += source.text.count("\n")
    names = [(area, site.word, site.start) for site, area in apis.sites(source)]
    headers = [
        (_area_of_header(source, header), header, start)
        for header, start in include.included(source)
    ]
    if outcomes:
        names += _also_left(source, {start for _, _, start in (*names, *headers)})
    _count(found.apis, names, source, outcomes)
    _count(found.headers, (item for item in headers if item[0]), source, outcomes)
    launches = [token.start for token in source.of_kind(Kind.CHEVRON_OPEN)]
    for use, starts in (
        (found.launches, launches),
        (found.dynamic_shared, [found.start for found in declarations(source)]),
    ):
        if starts:
            use.add(source.path, _line(source, starts[0]), len(starts))
    for hazard in reporter.hazards(source, lambda offset: _line(source, offset)):
        rule = source.rules.rules[hazard.rule]
        if outcomes or rule.layer is not Layer.TARGET:
            use = found.hazards.setdefault(hazard.name, ApiUse(hazard.name))
            use.add(source.path, hazard.line, hazard.places)
            found.why.setdefault(hazard.name, rule.note)


def _also_left(source: Source, known: set[int]) -> Iterator[tuple[str, str, int]]:
    """Residue whose offset is not in `known`, as (area, name, offset): words that do not look like names of CUDA.

    A rule marks such a word as unsupported, or matches only some uses of the word, for example its calls.
    """
    for item in source.left:
        if item.reason in _LEFT and item.start not in known:
            yield OTHER, item.name, item.start


def _count(
    uses: dict[str, dict[str, ApiUse]],
    places: Iterable[tuple[str, str, int]],
    source: Source,
    outcomes: _Outcomes | None,
) -> None:
    """Add the names in one file to `uses`. `places`: each occurrence of a name, as (area, name, offset)."""
    starts: dict[tuple[str, str], list[int]] = {}
    for area, name, start in places:
        starts.setdefault((area, name), []).append(start)
    for (area, name), at in starts.items():
        use = uses.setdefault(area, {}).setdefault(name, ApiUse(name))
        use.add(source.path, _line(source, at[0]), len(at))
        if outcomes:
            use.outcomes.update(outcomes.of(start) for start in at)


def _line(source: Source, offset: int) -> int:
    return source.text.count("\n", 0, offset) + 1


def _area_of_header(source: Source, header: str) -> str:
    """API area of a header that belongs to CUDA or to PyTorch's CUDA code; empty for any other header."""
    known = source.include_rules.about(header)
    if area := _area_of_rule(source, known.exact):
        return area
    vendor = bool(source.rules.vendor.search(header))
    if header.startswith(("ATen/", "c10/", "torch/")):
        return "pytorch" if vendor else ""
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), header))
    if header in source.moved or beside in source.moved:
        return ""
    return _area_of_rule(source, known.globs) or (OTHER if vendor else "")


def _area_of_rule(source: Source, indexes: Iterable[int]) -> str:
    """API area of the first rule with an index in `indexes` and the layer CUDA; empty when there is none."""

    rules = (source.rules.rules[index] for index in indexes)
    return next((rule.area for rule in rules if rule.layer is Layer.CUDA), "")
