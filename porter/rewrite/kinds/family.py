"""`family` rules replace every identifier that a regular expression matches as a whole.

The pass in `porter.rewrite.identifiers` applies these rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from porter.model.rules import Layer, Rule
from porter.regex.samples import samples
from porter.regex.template_expand import expand
from porter.rewrite.kind import (
    CODE_AND_CONDITION,
    Key,
    Preview,
    Resolve,
    RuleKind,
    replacements,
)
from porter.rewrite.kind_schema import REPLACE, TEXT, Field, Regex
from porter.rewrite.kinds import names
from porter.rewrite.word_hooks import Names, all_names


def _preview(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    if rule.names:
        yield from names.preview(rule, resolve)
    elif rule.match and rule.replace:
        for text in samples(rule.match):
            if new := resolve(text):
                yield Preview("", text, new)


def _claim(
    rule: Rule, names: Sequence[str], vendor: re.Pattern[str]
) -> dict[str, str | None] | None:
    """Return the names of the rule's API area that the regular expression matches, with their replacements.

    Returns None for rules of other layers than CUDA. A rule of the layer CUDA is limited to the names of the
    inventory; a name that the inventory lacks must stay unmapped.
    """
    if rule.layer is not Layer.CUDA:
        return None
    pattern = re.compile(rule.match, re.ASCII)
    claimed: dict[str, str | None] = {}
    for name in names:
        if match := pattern.fullmatch(name):
            new = expand(match, rule.replace) if rule.replace else name
            claimed[name] = None if new == name else new
    return claimed


def _keys(rule: Rule) -> Iterator[Key]:
    if not rule.names:
        yield "family", rule.match


KIND = RuleKind(
    name="family",
    summary="Identifiers that match a regular expression as a whole.",
    fields=(
        Field("family", TEXT, regex=Regex.WHOLE),
        REPLACE,
        Field(
            "follows",
            bool,
            default=False,
            description="group 1 of the match is itself an identifier, which other rules rewrite",
        ),
    ),
    listed=2,
    names=Names(
        resolutions=all_names,
        is_bulk=True,
        is_listed=lambda rule: False,
        by_pattern=True,
        classes_of_cuda=CODE_AND_CONDITION,
        claim=_claim,
    ),
    match_is_regex=True,
    match_is_verbatim=True,
    is_graded=True,
    is_pattern=lambda rule: True,
    preview=_preview,
    keys=_keys,
    code=replacements,
)
