"""Check for invalid or incomplete replacements."""

from __future__ import annotations

from collections.abc import Iterator

from porter.mapping.checks import Finding, Target, error, title, warning
from porter.mapping.checks.code_text import not_one_piece
from porter.mapping.compile import placeholders
from porter.model.rules import Rule, Status
from porter.rewrite.kinds import order

CHECK = "replacement"
_ONE_PIECE = "close brackets and quotes; write no comments, directives and line breaks"


def find(target: Target) -> Iterator[Finding]:
    """Yield a finding for each replacement that violates the requirements of its rule's kind."""
    names = [f"{{{name}}}" for name in placeholders(target.loaded.profile)]
    for rule in target.rules.rules:
        if rule.status is not Status.SUPPORTED:
            continue
        kind = order.kind(rule.kind)
        yield from of_rule(rule)
        for name in names:
            if kind.match_is_regex and name in rule.match:
                text = f"{title(rule)}: placeholders are not filled in regular expressions"
                yield error(CHECK, rule.origin, text, f"write the text itself instead of {name}")


def of_rule(rule: Rule) -> Iterator[Finding]:
    """Yield a finding for each mistake in the replacement of one rule."""
    for text, help, is_warning in order.kind(rule.kind).mistakes(rule, title(rule)):
        yield (warning if is_warning else error)(CHECK, rule.origin, text, help)
    yield from _written(rule)


def _written(rule: Rule) -> Iterator[Finding]:
    """Check that each text that a rule writes forms one expression, and that its header is an include path."""
    kind = order.kind(rule.kind)
    for text in kind.code(rule):
        if reason := not_one_piece(text):
            yield error(CHECK, rule.origin, f"{title(rule)}: '{text}' {reason}", _ONE_PIECE)
            return
    header = rule.shim or kind.header(rule)
    if any(mark in header for mark in '<>"\n\\'):
        text = f"{title(rule)}: '{header}' is not an include path"
        yield error(CHECK, rule.origin, text, "write the path alone, without < > and quotes")
