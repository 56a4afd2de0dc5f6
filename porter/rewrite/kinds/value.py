"""`value` rules: a macro where its number is compared.

#if CUDA_VERSION >= 12000  ->  #if MUSA_COMPAT_VERSION >= 12000

The pass in `porter.rewrite.identifiers` applies them.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.model.rules import Rule, RuleSet
from porter.rewrite.kind import CODE_AND_CONDITION, RuleKind, preview_replacement, replacements
from porter.rewrite.kind_schema import IDENT, ONE_LINE, Field


def _rivals(rules: RuleSet, rule: Rule) -> Iterator[int]:
    return (found.rule for found in rules.values.get(rule.match, ()))


KIND = RuleKind(
    name="value",
    summary="A macro where its number is compared.",
    fields=(
        Field("value", IDENT),
        Field("replace", ONE_LINE),
    ),
    listed=4,
    by_word=True,
    classes=CODE_AND_CONDITION,
    is_graded=True,
    preview=preview_replacement,
    rivals=_rivals,
    code=replacements,
)
