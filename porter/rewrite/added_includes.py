"""Includes that porter adds to a ported file: the target's main header, and the shims of the applied rules.

#pragma once              ->  #pragma once
                              #include <acme_runtime.h>
#include <ATen/ATen.h>        #include <ATen/ATen.h>
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from porter.cpp.lex import Kind
from porter.model.rewrite_result import Edit
from porter.rewrite.source import Source

WHY_REMOVED = "an include is added above; without this blank line, later lines keep their numbers"
"""Reason for the removal of a blank line."""
_GUARD = re.compile(
    r"[ \t]*\#[ \t]*ifndef[ \t]+(\w+)[ \t]*\r?\n[ \t]*\#[ \t]*define[ \t]+\1[ \t]*(?=//|/\*|\r?\n)"
)
_LINE = re.compile(r"(?>(?:[^\n\\]++|\\[ \t]*\r?\n|\\)*)\n?")
"""Logical line: a line, and each following line that a backslash joins to the line before."""
_EMPTY = re.compile(r"^\r?\n", re.M)
_BLANKS = re.compile(r"[ \t\f\v]*")
_MARK = "\xef\xbb\xbf"
"""Byte order mark of UTF-8, which compilers accept only at the beginning of a file. Each character is one byte."""
_JOINED = re.compile(r"\\[ \t]*\r?\n\Z")


def insert_missing(source: Source, final: set[str]) -> None:
    """Add the missing includes to a file. `final` contains the include paths after the edits by `include` rules.

    New includes follow the file's first comment, include guard and `#pragma once`, and precede the first include,
    condition or code. If the line before or after the insertion point is blank, the first new include takes it. Every
    further new include removes one later blank line, so that later lines keep their numbers.
    """
    profile = source.rules.profile
    suffix = source.path.rsplit(".", 1)[-1]
    wanted = [profile.main_header] if suffix in profile.main_header_into else []
    wanted += sorted({source.rules.rules[index].shim for index, _ in source.hits} - {""})
    missing = [f"#include <{header}>" for header in wanted if header and header not in final]
    if not missing:
        return
    text = source.text
    newline = "\r\n" if text[: text.find("\n") + 1].endswith("\r\n") else "\n"
    place = _place(source)
    above = text.rfind("\n", 0, max(0, place - 1)) + 1
    free = next((line for line in (above, place) if _is_free(source, line)), None)
    if free is not None:
        source.edit(free, free, newline.join(missing), -1)
    else:
        source.edit(place, place, newline.join(missing) + newline, -1)
    added = len(missing) - (free is not None)
    for line in itertools.islice(_free_lines(source, place, free), added):
        source.edit(line, _end(text, line), "", -1)


def is_removed_line(edit: Edit) -> bool:
    """Test whether an edit removes a blank line in exchange for an added include."""
    return edit.rule == -1 and edit.start < edit.end and edit.parts == ("",)


def _free_lines(source: Source, place: int, taken: int | None) -> Iterator[int]:
    """Yield the offset of each free line (`_is_free`) from offset `place` on, except line 1 and the line at `taken`."""
    for found in _EMPTY.finditer(source.text, place):
        line = found.start()
        if line not in (0, taken) and _is_free(source, line):
            yield line


def _place(source: Source) -> int:
    """Offset of the line before which new includes are inserted."""
    text = source.text
    first_line = len(_MARK) if text.startswith(_MARK) else 0
    line = place = first_line
    heading = True
    while line < len(text):
        first = _past_blanks(text, line)
        after = _next_line(source, line)
        token = source.at(first)
        if guard := _GUARD.match(text, line):
            place = after = _next_line(source, guard.end())
        elif token and token.kind in (Kind.INCLUDE, Kind.CONDITION):
            return line
        elif token and token.kind is Kind.COMMENT:
            if not _is_alone(source, token.end):
                break
            place = after if heading else place
        elif text[first : first + 1] == "#":
            place = after
        elif text[first : first + 1] in ("\r", "\n"):
            heading = heading and place == first_line
        else:
            break
        line = after
    # The last line of the text may have no line break, or its line break may be inside a comment or after a backslash.
    ends = text[place - 1 : place] == "\n" and source.at(place - 1) is None
    return place if ends and not _is_joined(text, place) else first_line


def _next_line(source: Source, line: int) -> int:
    """Offset of the first line after the logical line at offset `line` and after comments that begin in this line."""
    after = _end(source.text, line)
    while (token := source.at(after)) and token.start < after:
        after = _end(source.text, token.end)
    return after


def _end(text: str, offset: int) -> int:
    match = _LINE.match(text, offset)
    return match.end() if match else offset


def _past_blanks(text: str, offset: int) -> int:
    match = _BLANKS.match(text, offset)
    return match.end() if match else offset


def _is_alone(source: Source, end: int) -> bool:
    """Test whether the line of a comment contains only blanks and comments after `end`, the end of the comment."""
    first = _past_blanks(source.text, end)
    token = source.at(first)
    if token and token.kind is Kind.COMMENT:
        return _is_alone(source, token.end)
    return source.text[first : first + 1] in ("\r", "\n", "")


def _is_free(source: Source, line: int) -> bool:
    """Test whether the line at offset `line` is empty and lies outside macros and comments."""
    empty = source.text[line : line + 1] in ("\r", "\n")
    return empty and source.at(line) is None and not _is_joined(source.text, line)


def _is_joined(text: str, line: int) -> bool:
    """Test whether a backslash joins the line at offset `line` to the previous line."""
    return bool(_JOINED.search(text, max(0, line - 40), line))
