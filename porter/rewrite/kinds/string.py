"""`string` rules replace text in string literals. Vendor words that stay in string literals are reported.

"cuda:0"  ->  "privateuseone:0"
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.cpp.lex import Kind, Token, opaque
from porter.model.rewrite_result import Reason
from porter.model.rules import Resolution, Rule, RuleSet, TokenClass
from porter.regex.samples import samples
from porter.regex.template_expand import expand
from porter.rewrite.kind import Preview, Resolve, RuleKind, VendorWords
from porter.rewrite.kind_schema import TEXT, WRITTEN_OR_NOT, Field, Regex
from porter.rewrite.source import WORD, Source


def apply(source: Source, resolver: VendorWords) -> None:
    """Edit string literals by the rules, and report the remaining vendor words."""
    active = [i for i in source.rules.of_kind("string") if source.applies(source.rules.rules[i])]
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


def _can_affect(rule: Rule, path: str, text: str) -> bool:
    return any(
        re.search(rule.match, token.text)
        for token in opaque(text)
        if token.kind in (Kind.STRING, Kind.MESSAGE)
    )


def _preview(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    pattern = re.compile(rule.match, re.ASCII)
    for text in samples(rule.match):
        if match := pattern.fullmatch(text):
            yield Preview("", text, expand(match, rule.replace or ""))


def _again(rules: RuleSet, by: Rule, text: str) -> Resolution | None:
    for index in rules.of_kind("string"):
        rule = rules.rules[index]
        new = re.sub(rule.match, rule.replace or "", text)
        if new != text:
            return Resolution(index, new)
    return None


KIND = RuleKind(
    name="string",
    summary="Text inside string literals.",
    fields=(
        Field("string", TEXT, regex=Regex.SEARCHED),
        Field("replace", WRITTEN_OR_NOT),
    ),
    listed=12,
    apply=apply,
    classes=frozenset({TokenClass.STRING}),
    match_is_regex=True,
    match_is_verbatim=True,
    can_affect=_can_affect,
    preview=_preview,
    again=_again,
    matches_upstream_text=True,
)
