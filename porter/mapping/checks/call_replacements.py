"""Replacements of `call` rules: their arguments must be the call's, and stand where any expression can stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from porter.base.errors import did_you_mean
from porter.cpp.lex import Kind, Token, lex
from porter.mapping.checks import Finding, error, title
from porter.model.rules import Rule
from porter.rewrite.kinds.call import names_in, parameters

CHECK = "replacement"
_LOWER = re.compile(r"[a-z_][a-z0-9_]*", re.ASCII)
_WORDS = """
alignof auto bool char class const const_cast constexpr decltype delete double dynamic_cast enum false float int long
new noexcept nullptr operator reinterpret_cast return short signed sizeof static_cast struct template this true
typename union unsigned void volatile size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
intptr_t uintptr_t char16_t char32_t wchar_t errno stdin stdout stderr
"""
_CPP = frozenset(_WORDS.split())
"""Words of C++ and of its library that are written in lower case."""


def find(rule: Rule) -> Iterator[Finding]:
    """Mistakes of one rule."""
    names = parameters(rule.match)
    for name in sorted({name for name in names if names.count(name) > 1}):
        text = f"{title(rule)}: the argument '{name}' stands twice"
        yield error(CHECK, rule.origin, text, "give each argument a name of its own")
    if rule.replace is None:
        return
    yield from _strangers(rule, names)
    yield from _bare(rule, names)


def _strangers(rule: Rule, names: Sequence[str]) -> Iterator[Finding]:
    """Words of the replacement that look like arguments and are none."""
    loud = _loud(rule.replace or "")
    used = names_in(rule.replace or "")
    unused = [name for name in names if name not in used]
    for at, token in enumerate(loud):
        if token.kind is not Kind.IDENT or token.text not in used or token.text in names:
            continue
        after = loud[at + 1].text if at + 1 < len(loud) else ""
        if after in ("(", "<", ":", "{") or token.text in _CPP:
            continue
        near = did_you_mean(token.text, unused)
        if near or _LOWER.fullmatch(token.text):
            listed = f"arguments: {', '.join(names)}" if names else "the call has no arguments"
            text = f"{title(rule)}: '{token.text}' of the replacement is no argument of the call"
            help = near or f"{listed}; a global name is written ::{token.text}"
            yield error(CHECK, rule.origin, text, help)


def _bare(rule: Rule, names: Sequence[str]) -> Iterator[Finding]:
    """Arguments beside an operator, where an argument such as `a + b` would fall apart."""
    loud = _loud(rule.replace or "")
    written = names_in(rule.replace or "")
    for at, token in enumerate(loud):
        if token.kind is not Kind.IDENT or token.text not in names or token.text not in written:
            continue
        before = loud[at - 1].text if at else ""
        after = loud[at + 1].text if at + 1 < len(loud) else ""
        if before in (".", ":") or (before == ">" and loud[at - 2].text == "-"):
            continue
        if before not in ("(", ",", "{", "[") or after not in (")", ",", "}", "]"):
            text = f"{title(rule)}: the argument '{token.text}' of the replacement stands beside an operator"
            yield error(
                CHECK, rule.origin, text, f"write ({token.text}), which holds any expression"
            )
            return


def _loud(text: str) -> list[Token]:
    return [token for token in lex(text) if token.kind is not Kind.BLANK]
