"""Replacements that cannot be written, or that say less than they must."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.mapping.checks import Finding, Target, call_replacements, error, title, warning
from porter.mapping.checks.code_text import not_one_piece
from porter.mapping.compile import placeholders
from porter.model.rules import Rule, Status
from porter.regex.samples import samples
from porter.regex.template_expand import expand
from porter.rewrite.kinds.kernel import FIELD
from porter.rewrite.kinds.launch import well_formed

CHECK = "replacement"
_ONE_PIECE = "brackets and quotes must close, without comments, directives and line breaks"
_REGEXES = ("family", "path", "string")
_SHARED_FIELD = "{name}"


def find(target: Target) -> Iterator[Finding]:
    """Every rule whose replacement is not what its kind needs."""
    names = [f"{{{name}}}" for name in placeholders(target.loaded.profile)]
    for rule in target.rules.rules:
        if rule.status is not Status.SUPPORTED:
            continue
        match rule.kind:
            case "launch":
                yield from _launch(rule)
            case "dynamic_shared":
                yield from _dynamic_shared(rule)
            case "kernel":
                yield from _kernel(rule)
            case "include":
                yield from _include(rule)
            case "path":
                yield from _path(rule)
            case "patch":
                yield from _patch(rule)
            case "call":
                yield from call_replacements.find(rule)
        yield from written(rule)
        for name in names:
            if rule.kind in _REGEXES and name in rule.match:
                text = f"{title(rule)}: placeholders are not filled in regular expressions"
                yield error(CHECK, rule.origin, text, f"{name} matches itself only")


def _launch(rule: Rule) -> Iterator[Finding]:
    if not well_formed(rule.match):
        fields = "{kernel} {grid} {block} {shmem} {stream} {args}"
        yield error(CHECK, rule.origin, f"the launch needs the fields {fields}, in this order")


def _dynamic_shared(rule: Rule) -> Iterator[Finding]:
    if rule.match != "keep" and _SHARED_FIELD not in rule.match:
        text = f"the declaration lacks {_SHARED_FIELD}, so nothing is declared"
        yield error(CHECK, rule.origin, text)


def _kernel(rule: Rule) -> Iterator[Finding]:
    if rule.match != "keep" and rule.match.count(FIELD) != 1:
        yield error(CHECK, rule.origin, f"the statement needs the field {FIELD}, once")


def _include(rule: Rule) -> Iterator[Finding]:
    if rule.match.count("*") > 1 and rule.replace is not None:
        text = f"{title(rule)} has more than one '*', and a replacement"
        yield error(CHECK, rule.origin, text, "what each of them stands for would be lost")
    if "*" not in rule.match and "*" in (rule.replace or ""):
        text = f"{title(rule)}: the '*' of the replacement '{rule.replace}' stands for nothing"
        yield error(CHECK, rule.origin, text)
    new = (rule.replace or "").split("/")
    if ".." in new or (new[0] == "" and len(new) > 1):
        text = f"{title(rule)}: the replacement '{rule.replace}' is no path from an include folder"
        yield error(CHECK, rule.origin, text)


def _path(rule: Rule) -> Iterator[Finding]:
    pattern = re.compile(rule.match, re.ASCII)
    for text in samples(rule.match) or [rule.match]:
        found = pattern.fullmatch(text)
        new = expand(found, rule.replace or "") if found else rule.replace or ""
        if "/" in new or "\\" in new or "\0" in new or new in ("..", "."):
            text = f"{title(rule)}: '{new}' leaves the folder that the file belongs in"
        elif not new:
            text = f"{title(rule)}: nothing is left of the {rule.part}"
        else:
            continue
        yield error(CHECK, rule.origin, text)
        return


def _patch(rule: Rule) -> Iterator[Finding]:
    before, after = rule.before.count("\n"), rule.after.count("\n")
    if before != after:
        text = (
            f"{title(rule)}: {before + 1} lines before and {after + 1} after; "
            "places in messages would no longer be upstream's"
        )
        yield error(CHECK, rule.origin, text, "add or join lines so that the numbers are equal")
    if rule.before == rule.after:
        yield warning(CHECK, rule.origin, f"{title(rule)} changes nothing")


def written(rule: Rule) -> Iterator[Finding]:
    """Text that would not stay one piece of code where it is written."""
    if rule.kind in ("launch", "dynamic_shared"):
        texts = [rule.match] if rule.match != "keep" else []
    elif rule.kind in ("name", "macro", "value", "qualified", "call", "names", "family"):
        texts = sorted({new for new in (rule.replace, *rule.names.values()) if new})
    else:
        texts = []
    for text in texts:
        if reason := not_one_piece(text):
            yield error(CHECK, rule.origin, f"{title(rule)}: '{text}' {reason}", _ONE_PIECE)
            return
    header = rule.shim or (rule.replace if rule.kind == "include" else "") or ""
    if any(mark in header for mark in '<>"\n\\'):
        text = f"{title(rule)}: '{header}' is no path that an include can hold"
        yield error(CHECK, rule.origin, text, "write the path alone, without < > and quotes")
