"""Branches of conditionals (`#if` ... `#endif`) in a source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.cpp.region import DIRECTIVES
from porter.model.rules import Resolution, TokenClass
from porter.rewrite.source import Source, WordSite

_DIRECTIVE = re.compile(
    r"^[ \t]*\#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b((?:\\\r?\n|[^\n])*)", re.M
)
_COMMENT = re.compile(r"//.*|/\*.*?(?:\*/|$)", re.S)


def has_own_branch(source: Source, site: WordSite, chosen: Resolution) -> bool:
    """Test whether a macro is in a condition, and another branch of the conditional is for the target.

    The rule `chosen` states in its field `unless_branch` how the conditions of such branches are recognised.
    """
    pattern = source.rules.rules[chosen.rule].option("unless_branch")
    if not pattern or site.where is not TokenClass.CONDITION:
        return False
    return any(re.search(pattern, text) for text in _other_branches(source, site.start))


def _other_branches(source: Source, offset: int) -> Iterator[str]:
    """Yield the conditions of the other branches of a conditional. `offset` is in the condition of one branch."""
    chain: list[tuple[int, int, str]] = []
    outer: list[list[tuple[int, int, str]]] = []
    for match in _DIRECTIVE.finditer(source.text):
        inside = source.at(match.start(1))
        if inside is not None and inside.kind not in DIRECTIVES:
            continue
        if match[1].startswith("if"):
            outer.append(chain)
            chain = []
        if match[1] != "endif":
            condition = "" if match[1] == "else" else _COMMENT.sub(" ", match[2])
            chain.append((match.start(), match.end(), condition))
        elif outer:
            if _has(chain, offset):
                break
            chain = outer.pop()
    yield from (text for start, end, text in chain if not start <= offset < end)


def _has(chain: list[tuple[int, int, str]], offset: int) -> bool:
    return any(start <= offset < end for start, end, _ in chain)
