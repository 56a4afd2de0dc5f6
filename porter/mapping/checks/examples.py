"""Check of the examples of rules."""

from __future__ import annotations

from collections.abc import Iterator

from porter.mapping import rule_examples
from porter.mapping.checks import Finding, Target, error, title

CHECK = "example"


def find(target: Target) -> Iterator[Finding]:
    """Yield a finding for each rule that, applied alone to its example, does not give the result in the example."""
    for rule in target.rules.rules:
        outcome = rule_examples.run(rule, target.rules)
        if outcome is None or outcome.holds:
            continue
        if outcome.silent:
            text = f"{title(rule)}: the hazard does not report its example"
        else:
            text = f"{title(rule)}: the example becomes {outcome.made!r}, not {outcome.expected!r}"
        yield error(CHECK, rule.origin, text)
