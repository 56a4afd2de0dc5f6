"""`family` rules: every identifier that the whole of a regular expression matches.

The pass in `porter.rewrite.identifiers` applies them.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.model.rules import Rule
from porter.regex.samples import samples
from porter.rewrite.kind import Key, Preview, Resolve, RuleKind, replacements
from porter.rewrite.kind_schema import REPLACE, TEXT, Field
from porter.rewrite.kinds import names


def _preview(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    if rule.names:
        yield from names.preview(rule, resolve)
    elif rule.match and rule.replace:
        for text in samples(rule.match):
            if new := resolve(text):
                yield Preview("", text, new)


def _keys(rule: Rule) -> Iterator[Key]:
    if not rule.names:
        yield "family", rule.match


KIND = RuleKind(
    name="family",
    summary="Every identifier that the whole of a regular expression matches.",
    fields=(
        Field("family", TEXT),
        REPLACE,
        Field(
            "follows",
            bool,
            default=False,
            description="group 1 is a name of its own and is replaced as such",
        ),
    ),
    listed=2,
    by_word=True,
    match_is_regex=True,
    match_is_verbatim=True,
    is_graded=True,
    preview=_preview,
    keys=_keys,
    code=replacements,
)
