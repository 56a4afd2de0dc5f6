"""Port of the text of one file for a compiler: `#line` directives let the compiler name the user's file and lines."""

from __future__ import annotations

from typing import NamedTuple

from porter.cpp.lex import encode
from porter.model.rewrite_result import Edit, Reason
from porter.rewrite.added_includes import is_removed_line
from porter.rewrite.rendering import render
from porter.rewrite.rewriter import Rewriter, outermost
from porter.rewrite.source import Source

_REPORTED = (Reason.UNMAPPED, Reason.UNSUPPORTED, Reason.AMBIGUOUS, Reason.FOREIGN)
_LONGEST = 80
"""Largest number of characters of a text in a note."""


class Note(NamedTuple):
    """Explanation of one line of a port: an edit with its rule, or a word that stays with the reason."""

    line: int
    """Line of the user's file, from 1."""
    text: str


class PortedText(NamedTuple):
    """Ported content of one file."""

    data: bytes
    notes: tuple[Note, ...]


def port(rewriter: Rewriter, path: str, raw: bytes) -> PortedText:
    """Port the content `raw` of the file `path`.

    The first line of the result is a `#line` directive with `path`; every line that an added include moves has one too.
    """
    source = rewriter.examine(path, raw)
    edits = [_with_line(edit, source) for edit in outermost(source) if not is_removed_line(edit)]
    name = path.replace("\\", "\\\\").replace('"', '\\"')
    text = f'#line 1 "{name}"\n{render(source.text, edits)}'
    return PortedText(encode(text), tuple(_notes(source, edits)))


def _with_line(edit: Edit, source: Source) -> Edit:
    """Edit with a `#line` directive behind an added include that moves the lines below; other edits unchanged."""
    if edit.rule != -1 or edit.start != edit.end or len(edit.parts) != 1:
        return edit
    (new,) = edit.parts
    if not isinstance(new, str) or "\n" not in new:
        return edit
    line = source.text.count("\n", 0, edit.start) + 1
    if new.endswith("\n"):
        return edit._replace(parts=(f"{new}#line {line}\n",))
    # The include takes an empty line, whose line break follows.
    return edit._replace(parts=(f"{new}\n#line {line + 1}",))


def _notes(source: Source, edits: list[Edit]) -> list[Note]:
    notes = []
    rules = source.rules.rules
    for edit in edits:
        before = source.text[edit.start : edit.end].strip()
        if edit.rule < 0 or not before or len(before) > _LONGEST or "\n" in before:
            continue
        after = render(source.text, [edit], edit.start, edit.end).strip()
        if before != after and len(after) <= _LONGEST:
            line = source.text.count("\n", 0, edit.start) + 1
            notes.append(Note(line, f"porter: {before} became {after} ({rules[edit.rule].origin})"))
    for site in source.left:
        if site.reason in _REPORTED:
            line = source.text.count("\n", 0, site.start) + 1
            where = f" ({rules[site.rule].origin})" if site.rule >= 0 else ""
            why = f": {site.note}" if site.note else ""
            notes.append(Note(line, f"porter: {site.name} is {site.reason}{why}{where}"))
    return sorted(dict.fromkeys(notes))
