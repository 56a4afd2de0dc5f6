"""`macro` rules replace an identifier in code and in preprocessor conditions.

    #ifdef __CUDACC__  ->  #ifdef __MUSACC__

The pass in `porter.rewrite.identifiers` applies these rules.
"""

from __future__ import annotations

from dataclasses import replace

from porter.rewrite.kind import CODE_AND_CONDITION, OnHost
from porter.rewrite.kind_schema import IDENT, REPLACE, Field, Regex
from porter.rewrite.kinds import name

KIND = replace(
    name.KIND,
    name="macro",
    summary="Identifier in code and in preprocessor conditions.",
    fields=(
        Field("macro", IDENT),
        REPLACE,
        Field(
            "unless_branch",
            str,
            default="",
            description="regular expression; a conditional with another branch whose condition contains it stays",
            regex=Regex.SEARCHED,
        ),
    ),
    listed=3,
    classes=CODE_AND_CONDITION,
    on_host=OnHost.SIMT_FIRST,
)
