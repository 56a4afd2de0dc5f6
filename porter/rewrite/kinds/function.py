"""`function` rules write an attribute before a program's own function that has the name of a function of the target.

    float atomicMax(float* to, float value) {  ->  float __attribute__((preferred)) atomicMax(float* to, float value) {

CUDA has the function for other types, so that programs add one for theirs. A target that has this one, too, needs a way
to prefer the program's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.model.rules import Rule
from porter.rewrite.brackets import arguments
from porter.rewrite.kind import Key, Mistake, OnHost, RuleKind, VendorWords
from porter.rewrite.kind_schema import IDENT, ONE_LINE, TEXT, Field, Regex
from porter.rewrite.source import Source

_PARAMETER = re.compile(
    r"(?:const\s+)?(\w+(?:\s+(?:int|long|char|short))*)(?:\s+const)?\s*(\*?)"
    r"(?:\s*(?:const\b|__restrict__\b|__restrict\b))*\s*&?\s*\w*",
    re.ASCII,
)
"""Parameter with its type, without `const`: `float* const to`, `const float &value`."""
_RETURNED = re.compile(r"[\w*&>]", re.ASCII)
"""Last character of the type before a function's name."""


def apply(source: Source) -> None:
    """Edit the declarations and definitions of functions in a file, unless they are edited already."""
    rules = source.rules
    for index in rules.of_kind("function"):
        rule = rules.rules[index]
        if rule.match not in source.runs or not source.applies(rule):
            continue
        added = (rule.replace or "").removesuffix(rule.match)
        written = added.rstrip()
        for start in source.places(rule.match):
            is_edited = source.text.endswith(written, 0, source.before(start))
            if source.at(start) is None and not is_edited and _is_function(source, start, rule):
                source.hit(index)
                source.edit(start, start, added, index)


def _is_function(source: Source, start: int, rule: Rule) -> bool:
    """Test whether the name at an offset is that of a function with the parameters of a rule."""
    if not _RETURNED.match(source.text, source.before(start) - 1):
        return False
    open_ = source.after(start + len(rule.match))
    if not source.text.startswith("(", open_):
        return False
    found = arguments(source.region(open_), open_)
    if found is None:
        return False
    parameters = [_PARAMETER.fullmatch(source.text, *span) for span in found[0]]
    types = ", ".join(" ".join(one[1].split()) + one[2] if one else "" for one in parameters)
    return bool(re.fullmatch(rule.option("parameters"), types, re.ASCII))


def _apply(source: Source, words: VendorWords) -> None:
    apply(source)


def _keys(rule: Rule) -> Iterator[Key]:
    yield "function", rule.match, rule.option("parameters")


def _mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    if not (rule.replace or "").endswith(rule.match):
        yield Mistake(f"the replacement must end with the function's name, {rule.match}")


KIND = RuleKind(
    name="function",
    summary="A program's own function with certain parameters; text is inserted before its name.",
    fields=(
        Field("function", IDENT),
        Field(
            "parameters",
            TEXT,
            description="regular expression for the types of the parameters: `float\\*, float`",
            regex=Regex.WHOLE,
        ),
        Field("replace", ONE_LINE),
    ),
    listed=14,
    apply=_apply,
    match_is_verbatim=True,
    can_affect=lambda rule, path, text: rule.match in text,
    keys=_keys,
    mistakes=_mistakes,
    on_host=OnHost.UNUSED,
)
