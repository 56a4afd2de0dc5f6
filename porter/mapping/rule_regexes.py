"""Checks of a rule's regular expressions: linear run time, and a replacement that fits the groups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _constants as c  # type: ignore[attr-defined]  # private, but stable since 3.11
from re import _parser as parser  # type: ignore[attr-defined]

from pydantic import BaseModel

from porter.regex.redos import why_not_linear
from porter.rewrite.kind import RuleKind
from porter.rewrite.kind_schema import Regex


def mistakes(kind: RuleKind, model: BaseModel) -> Iterator[tuple[str, str]]:
    """Yield (name of the field, message) for each error in the regular expressions of a rule."""
    for field in kind.fields:
        name, pattern = field.name, getattr(model, field.name)
        if not pattern or not field.regex:
            continue
        if reason := why_not_linear(pattern, search=field.regex is Regex.SEARCHED):
            yield name, reason
        elif reason := _why_no_template(pattern, getattr(model, "replace", None)):
            yield "replace", reason
        elif getattr(model, "follows", False) and not _can_follow(pattern):
            yield "follows", "group 1 must be a proper part of every match"


def _why_no_template(pattern: str, template: str | None) -> str:
    """Reason why a replacement does not fit its pattern; empty if it fits."""
    try:
        if template:
            re.compile(pattern, re.ASCII).sub(template, "")
    except (re.error, IndexError) as error:
        return str(error)
    return ""


def _can_follow(pattern: str) -> bool:
    """Test whether group 1 is a proper part of every match, so that repeated look-ups of group 1 terminate."""
    items = list(parser.parse(pattern, re.ASCII))
    groups = [op is c.SUBPATTERN and argument[0] == 1 for op, argument in items]
    others = [item for item, is_group in zip(items, groups, strict=True) if not is_group]
    return any(groups) and any(op in (c.LITERAL, c.NOT_LITERAL, c.IN, c.ANY) for op, _ in others)
