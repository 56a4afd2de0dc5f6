"""`macro` rules: an identifier in code and in preprocessor conditions.

#ifdef __CUDACC__  ->  #ifdef __MUSACC__

The pass in `porter.rewrite.identifiers` applies them.
"""

from __future__ import annotations

from porter.rewrite.kind import (
    CODE_AND_CONDITION,
    RuleKind,
    key_of_name,
    preview_replacement,
    replacements,
    rivals_by_name,
)
from porter.rewrite.kind_schema import IDENT, REPLACE, Field
from porter.rewrite.word_hooks import Names

KIND = RuleKind(
    name="macro",
    summary="An identifier in code and in preprocessor conditions.",
    fields=(
        Field("macro", IDENT),
        REPLACE,
    ),
    listed=3,
    names=Names(),
    classes=CODE_AND_CONDITION,
    is_graded=True,
    preview=preview_replacement,
    rivals=rivals_by_name,
    keys=key_of_name,
    code=replacements,
)
