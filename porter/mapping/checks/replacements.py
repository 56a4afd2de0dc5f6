"""Check for invalid or incomplete replacements."""

from __future__ import annotations

from collections.abc import Iterator

from porter.mapping.checks import Finding, Target, error, title, warning
from porter.mapping.checks.code_text import not_one_piece
from porter.mapping.compile import placeholders
from porter.model.rules import Rule, Status
from porter.rewrite.kinds import order

CHECK = "replacement"
_ONE_PIECE = "brackets and quotes must close, without comments, directives and line breaks"


def find(target: Target) -> Iterator[Finding]:
    """Find every rule whose replacement violates the requirements of its kind."""
    names = [f"{{{name}}}" for name in placeholders(target.loaded.profile)]
    for rule in target.rules.rules:
        if rule.status is not Status.SUPPORTED:
            continue
        kind = order.kind(rule.kind)
        yield from of_rule(rule)
        for name in names:
            if kind.match_is_regex and name in rule.match:
                text = f"{title(rule)}: placeholders are not filled in regular expressions"
                yield error(CHECK, rule.origin, text, f"{name} matches itself only")


def of_rule(rule: Rule) -> Iterator[Finding]:
    """Yield the mistakes in the replacement of one rule."""
    for text, help, is_warning in order.kind(rule.kind).mistakes(rule, title(rule)):
        yield (warning if is_warning else error)(CHECK, rule.origin, text, help)
    yield from _written(rule)


def _written(rule: Rule) -> Iterator[Finding]:
    """Check that the text forms one expression at the place where it is written."""
    kind = order.kind(rule.kind)
    for text in kind.code(rule):
        if reason := not_one_piece(text):
            yield error(CHECK, rule.origin, f"{title(rule)}: '{text}' {reason}", _ONE_PIECE)
            return
    header = rule.shim or kind.header(rule)
    if any(mark in header for mark in '<>"\n\\'):
        text = f"{title(rule)}: '{header}' is not an include path"
        yield error(CHECK, rule.origin, text, "write the path alone, without < > and quotes")
