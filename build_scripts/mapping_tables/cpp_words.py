"""Identifiers in C++ text."""

from __future__ import annotations

import re

WORD = re.compile(r"[A-Za-z_]\w*")
_COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
# Matches comments and literals, so that their words are skipped, and matches qualified names such as `a::b` as a whole.
_CHAIN = re.compile(
    r"//(?:\\\n|[^\n])*|/\*.*?\*/|\#[ \t]*include[^\n]*"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|\.?\d[\w.']*"
    r"|(?P<chain>[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)",
    re.DOTALL,
)


def words(text: str) -> set[str]:
    """All words with the form of identifiers, outside comments and strings.

    The result includes words in include paths and parts of numbers. It is exact enough to decide whether a header can
    declare a name.
    """
    return set(WORD.findall(_COMMENT_OR_STRING.sub(" ", text)))


def chains(text: str) -> set[str]:
    """Identifiers and qualified names outside comments, literals and include paths.

    A qualified name `a::b::c` yields all its contiguous parts: `a`, `b`, `c`, `a::b`, `b::c`, `a::b::c`.
    """
    found: set[str] = set()
    for match in _CHAIN.finditer(text):
        if chain := match["chain"]:
            parts = [part.strip() for part in chain.split("::")]
            ends = range(1, len(parts) + 1)
            found.update("::".join(parts[start:end]) for end in ends for start in range(end))
    return found
