"""`operator` rules write an attribute before operator functions whose two operands have the same type.

    float2 operator*(float2 a, float2 b)  ->  float2 __attribute__((preferred)) operator*(float2 a, float2 b)

CUDA's vector types have no operators, so that programs define them. A target whose vector types have operators needs a
way to prefer those of the program, which may have another meaning: the product of complex numbers, for example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from porter.model.rules import Rule
from porter.rewrite.brackets import arguments
from porter.rewrite.kind import Key, OnHost, RuleKind, VendorWords
from porter.rewrite.kind_schema import ONE_LINE, TEXT, Field, Regex
from porter.rewrite.source import Source

_WORD = "operator"
_SYMBOL = re.compile(r"[-+*/%&|^<>=!~]+")
_OPERAND = re.compile(r"(?:const\s+)?(\w+)(?:\s+const)?\s*&?\s*\w*", re.ASCII)
"""Parameter with its type, which may be a reference: `const float2 &a`."""
_ALIAS = re.compile(
    r"typedef(?<!\wtypedef)\s+(\w+)\s+(\w+)\s*;|using(?<!\wusing)\s+(\w+)\s*=\s*(\w+)\s*;", re.ASCII
)


def apply(source: Source) -> None:
    """Edit the declarations and definitions of operator functions in a file, unless they are edited already."""
    rules = source.rules
    active = [i for i in rules.of_kind("operator") if source.applies(rules.rules[i])]
    if not active or _WORD not in source.runs:
        return
    aliases = _aliases(source.text)
    for start in source.places(_WORD):
        found = _function(source, start, aliases) if source.at(start) is None else None
        for index in active if found else ():
            if found and _matches(rules.rules[index], *found):
                new = rules.rules[index].replace or ""
                written = new.removesuffix(_WORD).rstrip()
                if not written or not source.text.endswith(written, 0, source.before(start)):
                    source.hit(index)
                    source.edit(start, start + len(_WORD), new, index)
                break


def _function(source: Source, start: int, aliases: Mapping[str, str]) -> tuple[str, str] | None:
    """Symbol of the operator function at an offset, and the type of its operands.

    None unless the name is unqualified and the function has two parameters of the same type. The call
    `operator*(a, b)` has no types.
    """
    if source.text.endswith("::", 0, source.before(start)):
        return None
    symbol = _SYMBOL.match(source.text, source.after(start + len(_WORD)))
    open_ = source.after(symbol.end()) if symbol else len(source.text)
    if symbol is None or not source.text.startswith("(", open_):
        return None
    found = arguments(source.region(open_), open_)
    if found is None or len(found[0]) != 2:
        return None
    operands = [_OPERAND.fullmatch(source.text, *span) for span in found[0]]
    types = {aliases.get(operand[1], operand[1]) if operand else "" for operand in operands}
    return (symbol[0], types.pop()) if len(types) == 1 else None


def _matches(rule: Rule, symbol: str, operand: str) -> bool:
    """Test whether a rule is about an operator with a symbol and the type of its operands."""
    return bool(
        re.fullmatch(rule.match, symbol)
        and re.fullmatch(rule.option("operands"), operand, re.ASCII)
    )


def _aliases(text: str) -> dict[str, str]:
    """Maps the names that a file gives to other types to these types."""
    return {match[2] or match[3]: match[1] or match[4] for match in _ALIAS.finditer(text)}


def _apply(source: Source, words: VendorWords) -> None:
    apply(source)


def _keys(rule: Rule) -> Iterator[Key]:
    yield "operator", rule.match, rule.option("operands")


KIND = RuleKind(
    name="operator",
    summary="Function for an operator with two operands of the same type; `operator` is replaced.",
    fields=(
        Field("operator", TEXT, regex=Regex.WHOLE),
        Field(
            "operands",
            TEXT,
            description="regular expression for the type of the operands",
            regex=Regex.WHOLE,
        ),
        Field("replace", ONE_LINE),
    ),
    listed=13,
    apply=_apply,
    match_is_regex=True,
    match_is_verbatim=True,
    can_affect=lambda rule, path, text: _WORD in text,
    keys=_keys,
    on_host=OnHost.UNUSED,
)
