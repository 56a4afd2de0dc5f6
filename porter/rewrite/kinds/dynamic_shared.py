"""`dynamic_shared` rules replace declarations of dynamic shared memory.

extern __shared__ float buf[];  ->  float (&buf)[] = SIMT_DYNAMIC_SHARED(float);
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence

from porter.cpp.lex import tokens
from porter.cpp.region import SILENT
from porter.model.rewrite_result import Edit, Reason
from porter.model.rules import Rule
from porter.rewrite.brackets import Span, lost_lines
from porter.rewrite.kind import (
    Mistake,
    OnHost,
    RuleKind,
    VendorWords,
    key_of_kind,
    preview_template,
    template,
)
from porter.rewrite.kind_schema import WRITTEN, Field
from porter.rewrite.shared_declarations import (
    SharedDeclaration,
    StaticAlignment,
    declarations,
    in_parts,
    static_alignments,
)
from porter.rewrite.source import Source

_FIELD = re.compile(r"\{(align|type|name|scope)\}")
_NAME = "extern __shared__"
_UNREAD = "porter cannot parse this declaration of dynamic shared memory"
_SCOPE_MARK = re.compile(r"[{};]")


def apply(source: Source) -> None:
    """Edit every declaration of dynamic shared memory in a file."""
    if not source.rules.of_kind("dynamic_shared"):
        return
    index = source.first_of(source.rules.of_kind("dynamic_shared"))
    if index is None:
        for found in declarations(source):
            note = "the rules about dynamic shared memory exclude this file"
            about = source.rules.of_kind("dynamic_shared")[0]
            source.leave(found.start, Reason.AMBIGUOUS, _NAME, about, note)
        return
    template = source.rules.rules[index].match
    if template != "keep":
        for start in in_parts(source):
            source.leave(start, Reason.AMBIGUOUS, "__shared__", index, _UNREAD)
        for alignment in static_alignments(source):
            source.hit(index)
            _move(source, alignment, index)
    declared = declarations(source)
    starts = [found.start for found in declared]
    outside = _at_namespace_scope(source, starts) if "{scope}" in template else set()
    for found in declared:
        if template == "keep":
            source.hit(index)
        elif found.type:
            source.hit(index)
            scope = "static thread_local " if found.start in outside else ""
            _edit(source, found, index, template, scope)
        else:
            source.leave(found.start, Reason.AMBIGUOUS, _NAME, index, _UNREAD)


def _edit(source: Source, found: SharedDeclaration, index: int, template: str, scope: str) -> None:
    pieces: list[str | Span] = [part for span in found.type for part in (" ", span)][1:]
    if found.bounds:
        pieces = ["__typeof__(", *pieces, *found.bounds, ")"]
    fields: dict[str, list[str | Span]] = {
        "align": [found.align] if found.align else [],
        "type": pieces,
        "name": [found.name],
        "scope": [scope] if scope else [],
    }
    parts: list[str | Span] = []
    last = 0
    for field in _FIELD.finditer(template):
        parts += [template[last : field.start()], *fields[field[1]]]
        last = field.end()
    parts.append(template[last:])
    lines = lost_lines(source, found.start, found.end, parts)
    source.edits.append(Edit(found.start, found.end, (*parts, lines), index))


def _move(source: Source, found: StaticAlignment, index: int) -> None:
    """Move the alignment in front of the specifiers, where C++ requires it."""
    end = found.align[1]
    parts: list[str | Span] = [found.align, " ", (found.start, found.specifiers_end)]
    lines = lost_lines(source, found.start, end, parts)
    source.edits.append(Edit(found.start, end, (*parts, lines), index))


def _at_namespace_scope(source: Source, starts: Sequence[int]) -> set[int]:
    """Select those of the ascending offsets around which all braces are those of namespaces and of `extern "C"`."""
    found: set[int] = set()
    opened: list[bool] = []
    left = deque(starts)
    last = 0
    for mark in _SCOPE_MARK.finditer(source.text) if starts else ():
        if source.at(mark.start()) is not None:
            continue
        while left and mark.start() >= left[0]:
            start = left.popleft()
            if all(opened):
                found.add(start)
        if not left:
            return found
        if mark[0] == "{":
            opened.append(_opens_scope(source.text[last : mark.start()]))
        elif mark[0] == "}" and opened:
            opened.pop()
        last = mark.end()
    return found.union(left) if all(opened) else found


def _opens_scope(head: str) -> bool:
    """Test whether the text before a `{`, from the brace or semicolon before it, begins a namespace or `extern "C"`."""
    if "namespace" not in head and "extern" not in head:
        return False
    words = [token.text for token in tokens(head) if token.kind not in SILENT]
    return "namespace" in words[:2] or words == ["extern", '"C"']


def _apply(source: Source, words: VendorWords) -> None:
    apply(source)


def _mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    if rule.match != "keep" and "{name}" not in rule.match:
        yield Mistake("the declaration lacks {name}, so nothing is declared")


KIND = RuleKind(
    name="dynamic_shared",
    summary="Declaration `extern __shared__ T name[];`, in the target's syntax.",
    fields=(Field("dynamic_shared", WRITTEN),),
    listed=10,
    apply=_apply,
    template_fields=frozenset(["align", "type", "name", "scope"]),
    is_construct=True,
    first_rule="Dynamic shared memory: `keep` leaves extern __shared__ T name[]; unchanged.",
    can_affect=lambda rule, path, text: "__shared__" in text,
    preview=preview_template,
    keys=key_of_kind,
    mistakes=_mistakes,
    code=template,
    on_host=OnHost.SIMT,
    written_field="dynamic_shared",
)
