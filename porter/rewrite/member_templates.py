"""Calls of member templates without the word `template`, which nvcc accepts, and g++ and clang reject.

    template <class T> struct Cast {
      template <int n> static void apply(T* to, const float* from);
    };
    template <class T> void f(T* to, const float* from) {
      Cast<T>::apply<4>(to, from);         // becomes Cast<T>::template apply<4>(to, from);
    }

nvcc looks up `apply` in the primary template. C++ permits `template` there, also where a name does not depend on a
parameter, so porter adds the word wherever a file calls a function template that the file declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.model.rewrite_result import Edit
from porter.rewrite.source import Source

_CALL = re.compile(r">::(\w+)<(?:[\w\s:,+*/-]|\(\w+\))*>\s*\(", re.ASCII)
"""Call of a member of a specialisation. The arguments contain no comparison and no logical operator."""
_DECLARED = r"\btemplate\s*<[^;{{}}()]*>[^;{{}}()=]*\b{}\s*\("
_EXPRESSION = re.compile(r"(?:[;{}(,=!?:+|\[]|&&|\breturn)\s*\Z", re.ASCII)
"""Text before an expression. A declaration has a type there."""
_NAME_BEFORE = re.compile(r"(?:::)?(?:\w+::)*\w+\Z", re.ASCII)
_REACH = 500
"""Largest number of characters of the template's name and arguments before `::`."""


def edits(source: Source) -> Iterator[Edit]:
    """Yield the insertions of `template` into a file."""
    text = source.text
    declared: dict[str, bool] = {}
    for call in _CALL.finditer(text):
        name = call[1]
        if source.at(call.start()) is not None or not _is_expression(text, call.start()):
            continue
        if name not in declared:
            declared[name] = re.search(_DECLARED.format(name), text, re.ASCII) is not None
        if declared[name]:
            yield Edit(call.start(1), call.start(1), ("template ",), -1)


def _is_expression(text: str, end: int) -> bool:
    """Test whether the name of a class template, whose arguments end with the `>` at `end`, begins an expression."""
    first = max(0, end - _REACH)
    depth = 0
    for at in range(end, first - 1, -1):
        if text[at] in ";{}":
            return False
        depth += {">": 1, "<": -1}.get(text[at], 0)
        if depth == 0:
            name = _NAME_BEFORE.search(text, first, at)
            return name is not None and bool(_EXPRESSION.search(text, first, name.start()))
    return False
