"""`dynamic_shared` rules: the declaration of dynamic shared memory.

extern __shared__ float buf[];  ->  float (&buf)[] = SIMT_DYNAMIC_SHARED(float);
"""

from __future__ import annotations

import re

from porter.lex import Kind, Token, tokens
from porter.model.port import Edit, Reason
from porter.rules.calls import arguments
from porter.rules.source import Source

_FIELD = re.compile(r"\{(align|type|name)\}")
_EXTERN = re.compile(r"\bextern\b(?=[^;{}]*\b__shared__\b)")


def apply(source: Source) -> None:
    """Edit every declaration of dynamic shared memory of a file."""
    index = source.rules.dynamic_shared
    if index is None or "__shared__" not in source.words or "extern" not in source.words:
        return
    rule = source.rules.rules[index]
    if not source.applies(rule):
        return
    for match in _EXTERN.finditer(source.text):
        if source.at(match.start()) is None:
            if rule.match == "keep":
                source.hit(index)
            else:
                _one(source, match.start(), index, rule.match)


def _one(source: Source, start: int, index: int, template: str) -> None:
    text = source.text
    words: list[Token] = []
    align: str | tuple[int, int] = ""
    end = start
    skip = 0
    for token in tokens(text, start):
        if token.text == ";":
            end = token.start
            break
        if token.start < skip or token.kind in (Kind.BLANK, Kind.COMMENT):
            continue
        if token.text in ("__align__", "alignas"):
            found = arguments(text, text.index("(", token.end))
            if found and found[0]:
                align = found[0][0]
                skip = found[1] + 1
        elif token.text not in ("extern", "__shared__"):
            words.append(token)
    closes = [token.text for token in words[-2:]] == ["[", "]"]
    if not closes or len(words) < 4 or words[-3].kind is not Kind.IDENT:
        note = "not a declaration of dynamic shared memory porter can read"
        source.leave(start, Reason.AMBIGUOUS, "extern __shared__", index, note)
        return
    spans = {
        "align": align,
        "type": (words[0].start, words[-4].end),
        "name": (words[-3].start, words[-3].end),
    }
    parts: list[str | tuple[int, int]] = []
    last = 0
    for field in _FIELD.finditer(template):
        parts += [template[last : field.start()], spans[field[1]]]
        last = field.end()
    parts.append(template[last:])
    kept = sum(
        part.count("\n") if isinstance(part, str) else text.count("\n", *part) for part in parts
    )
    lost = text.count("\n", start, end) - kept
    source.hit(index)
    source.edits.append(Edit(start, end, (*parts, "\n" * max(0, lost)), index))
