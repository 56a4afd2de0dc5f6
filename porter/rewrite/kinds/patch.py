"""`patch` rules replace text of one upstream file. They are applied to upstream's own text, before all other rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.base.globs import is_within, matches
from porter.model.rules import Resolution, Rule, RuleSet
from porter.rewrite.applied_patch import AppliedPatch
from porter.rewrite.kind import Key, Mistake, OnHost, Preview, Resolve, RuleKind
from porter.rewrite.kind_schema import TEXT, WRITTEN, WRITTEN_OR_NOT, Field


def apply(path: str, text: str, rules: RuleSet) -> tuple[str, tuple[AppliedPatch, ...]]:
    """Text of a file after the `patch` rules, and the applied patches in their order."""
    applied = []
    for index in rules.of_kind("patch"):
        rule = rules.rules[index]
        if not matches(path, (rule.match,)) or not is_within(path, rule.only_in, rule.not_in):
            continue
        before, after = rule.option("before"), rule.option("after")
        if before in text:
            starts = tuple(found.start() for found in re.finditer(re.escape(before), text))
            applied.append(AppliedPatch(index, starts, before, after))
            text = text.replace(before, after)
    return text, tuple(applied)


def _preview(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    yield Preview("", rule.option("before"), rule.option("after"))


def _again(rules: RuleSet, by: Rule, text: str) -> Resolution | None:
    for index in rules.of_kind("patch"):
        rule = rules.rules[index]
        if rule.match == by.match and rule.option("before") in text:
            return Resolution(index, text.replace(rule.option("before"), rule.option("after")))
    return None


def _keys(rule: Rule) -> Iterator[Key]:
    yield "patch", rule.match, rule.option("before")


def _mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    before, after = rule.option("before").count("\n"), rule.option("after").count("\n")
    if before != after:
        text = (
            f"{title}: {before + 1} lines before and {after + 1} after; "
            "line numbers in messages would no longer be upstream's"
        )
        yield Mistake(text, "add or join lines so that the numbers are equal")
    if rule.option("before") == rule.option("after"):
        yield Mistake(f"{title} changes nothing", is_warning=True)


KIND = RuleKind(
    name="patch",
    summary="Change of one upstream file, applied before all other rules.",
    fields=(
        Field("patch", TEXT),
        Field("before", WRITTEN),
        Field("after", WRITTEN_OR_NOT),
    ),
    listed=13,
    key_field="before",
    min_hits=1,
    match_is_verbatim=True,
    prepare=apply,
    can_affect=lambda rule, path, text: matches(path, (rule.match,)),
    preview=_preview,
    again=_again,
    keys=_keys,
    mistakes=_mistakes,
    writes=lambda rule: rule.option("after"),
    globs=lambda rule: (rule.match,),
    on_host=OnHost.SIMT,
    written_field="after",
)
