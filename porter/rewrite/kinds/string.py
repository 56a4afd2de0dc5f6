"""`string` rules, and what vendor words stay in string literals.

"privateuseone:0"  <-  "cuda:0"   (only where a rule says so)
"""

from __future__ import annotations

import re

from porter.cpp.lex import Kind, Token
from porter.model.port import Reason
from porter.rewrite.identifiers import Resolver
from porter.rewrite.source import WORD, Source


def apply(source: Source, resolver: Resolver) -> None:
    """Edit string literals where rules say so; report the vendor words that stay."""
    active = [i for i in source.rules.strings if source.applies(source.rules.rules[i])]
    tokens = [*source.of_kind(Kind.STRING), *source.of_kind(Kind.MESSAGE)]
    if not active and not resolver.may_hold_vendor("\n".join(token.text for token in tokens)):
        return
    for token in tokens:
        taken = [span for index in active for span in _edit(source, token, index)]
        if not resolver.may_hold_vendor(token.text):
            continue
        for match in WORD.finditer(token.text):
            start = token.start + match.start()
            if not resolver.is_vendor(match[0]) or start in source.decided:
                continue
            if not any(a < start + len(match[0]) and start < b for a, b in taken):
                source.leave(start, Reason.IN_STRING, match[0])


def _edit(source: Source, token: Token, index: int) -> list[tuple[int, int]]:
    rule = source.rules.rules[index]
    taken = []
    for match in re.finditer(rule.match, token.text, re.ASCII):
        start, end = token.start + match.start(), token.start + match.end()
        source.hit(index)
        new = match.expand(rule.replace or "")
        if new != match[0]:
            source.edit(start, end, new, index)
        else:
            source.leave(start, Reason.INTENDED, match[0], index, rule.note)
        taken.append((start, end))
    return taken
