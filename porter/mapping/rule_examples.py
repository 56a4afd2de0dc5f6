"""Application of a rule to its example, without all other rules.

Every rule may carry `example: {before, after}`: `before` is code, an include line or a path, depending on the rule's
kind; `after` is the result, or `unchanged`.
"""

from __future__ import annotations

from dataclasses import dataclass

from porter.base.globs import matches
from porter.mapping.lookups import assemble
from porter.model.rules import Layer, Profile, Rule, RuleSet
from porter.rewrite.kinds import order
from porter.rewrite.rewriter import Rewriter, ported_bytes

UNCHANGED = "unchanged"


@dataclass(frozen=True)
class ExampleOutcome:
    """Result of running a rule on its example."""

    made: str
    expected: str
    silent: bool = False
    """True for a hazard rule that does not report its own example."""

    @property
    def holds(self) -> bool:
        """True if the result is the expected text."""
        return self.made == self.expected and not self.silent


def run(rule: Rule, rules: RuleSet) -> ExampleOutcome | None:
    """Run a rule on its example. Returns None if there is no example, or if the target lacks the rule's library.

    The other rules of the rule set and the target's main header are ignored.
    """
    if rule.example is None or _is_of_no_library(rule, rules.profile):
        return None
    before, after = rule.example.before, rule.example.after
    expected = before if after == UNCHANGED else after
    # A shim would add an include at the top of the text, but an example is a line from the middle of a file.
    alone = assemble(
        [rule._replace(shim="")],
        rules.profile._replace(main_header_into=()),
        rules.selection,
        rules.vendor,
    )
    kind = order.kind(rule.kind)
    if kind.example:
        return ExampleOutcome(kind.example(before, alone), expected)
    made = Rewriter(alone, {}).rewrite(_path(rule), before.encode())
    silent = kind.reports is not None and not made.hazards
    return ExampleOutcome(ported_bytes(made).decode(errors="replace"), expected, silent)


def _is_of_no_library(rule: Rule, profile: Profile) -> bool:
    library = profile.libraries.get(rule.area)
    return rule.layer is Layer.CUDA and library is not None and bool(library.unsupported)


def _path(rule: Rule) -> str:
    """Invented upstream path that the rule's globs match, for the example; `example.cu` if no such path can be made."""
    globs = order.kind(rule.kind).globs(rule) or rule.only_in
    for glob in globs:
        path = glob.replace("**/", "").replace("**", "x").replace("*", "x").replace("?", "x")
        if matches(path, (glob,)) and not matches(path, rule.not_in):
            return path
    return "example.cu"
