"""`value` rules replace a macro where its number is compared.

    #if CUDA_VERSION >= 12000  ->  #if MUSA_COMPAT_VERSION >= 12000

A rule about the macro's name, such as a `macro` rule, decides about uses without a comparison. If there is none, such a
use is reported as ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterable

from porter.model.rules import Resolution, Rule, RuleSet
from porter.rewrite import macro_values
from porter.rewrite.decision import decide
from porter.rewrite.kind import (
    CODE_AND_CONDITION,
    OnHost,
    RuleKind,
    preview_replacement,
    replacements,
)
from porter.rewrite.kind_schema import IDENT, ONE_LINE, Field
from porter.rewrite.kinds import macro
from porter.rewrite.source import WORD, Source, WordSite
from porter.rewrite.word_hooks import Outcome, Passed, RulesAbout, Uses

_NOT_COMPARED = "the number is not compared here: needs a macro rule"
_OTHER_NUMBER = "its number is used, but a comparison of it gets another macro"


def _apply(source: Source, site: WordSite, known: RulesAbout) -> Outcome:
    rules = source.rules
    for index in known[site.word]:
        if source.applies(rules.rules[index], site.where):
            if not macro_values.is_compared(source, site):
                return Passed(index, _NOT_COMPARED)
            vendor = bool(rules.vendor.search(site.word))
            found = Resolution(index, rules.rules[index].replace)
            decide(source, site, found, "", vendor=vendor)
            return 0
    return None


def _doubt(source: Source, site: WordSite, chosen: Resolution, index: int) -> str:
    value = Resolution(index, source.rules.rules[index].replace)
    return _OTHER_NUMBER if macro_values.is_other_number(source, site, chosen, value) else ""


def _rivals(rules: RuleSet, rule: Rule) -> Iterable[int]:
    return rules.about("value", rule.match)


def _in_code(rules: RuleSet, text: str) -> Resolution | None:
    for word in WORD.findall(text):
        for index in rules.about("value", word):
            new = rules.rules[index].replace
            if new not in (None, word):
                return Resolution(index, text.replace(word, new or ""))
    return None


KIND = RuleKind(
    name="value",
    summary="Macro whose numeric value is compared in a condition.",
    fields=(
        Field("value", IDENT),
        Field("replace", ONE_LINE),
    ),
    listed=4,
    uses=Uses(
        apply=_apply,
        where=lambda rule: "where its number is compared",
        doubt=_doubt,
        # `defined(X)` does not compare the number of X. There, a `macro` rule about X precedes lists of names, so
        # that both uses in `defined(X) && X >= 2` get the same macro.
        comes_before=lambda rule: rule.kind == macro.KIND.name,
    ),
    classes=CODE_AND_CONDITION,
    is_graded=True,
    preview=preview_replacement,
    in_code=_in_code,
    rivals=_rivals,
    code=replacements,
    matches_upstream_text=True,
    on_host=OnHost.SIMT_FIRST,
)
