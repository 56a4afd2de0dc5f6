"""`name` rules replace an identifier in code.

    cudaMalloc(&p, n);  ->  musaMalloc(&p, n);

The pass in `porter.rewrite.identifiers` applies these rules.
"""

from __future__ import annotations

from porter.rewrite.kind import (
    RuleKind,
    key_of_name,
    preview_replacement,
    replacements,
    rivals_by_name,
)
from porter.rewrite.kind_schema import IDENT, REPLACE, SHIM, Field
from porter.rewrite.word_hooks import Names

KIND = RuleKind(
    name="name",
    summary="Identifier in code.",
    fields=(
        Field("name", IDENT),
        REPLACE,
        SHIM,
    ),
    listed=0,
    names=Names(),
    is_graded=True,
    preview=preview_replacement,
    rivals=rivals_by_name,
    keys=key_of_name,
    code=replacements,
)
