"""Tests for uses of a macro whose value is a number: in a comparison, in an expression, or as an argument."""

from __future__ import annotations

import re

from porter.model.rules import Layer, Resolution, TokenClass
from porter.rewrite.source import Source, WordSite

_GAP = r"(?>(?:[ \t]|\\[ \t]*\r?\n|/\*(?>(?:[^*]|\*(?!/))*)\*/)*)"
"""Text that can be between a number and its operator: blanks, line splices, comments."""
_LINES = rf"(?>(?:{_GAP}\r?\n)*){_GAP}"
_COMPARED = r"(?:[<>=!]=|<(?!<)|>(?!>))"
_BEFORE = re.compile(
    rf"(?:[<>=!]=|(?<!<)<|(?<![->])>|[-+*%]|(?<![*/])/){_LINES}(?>(?:\({_GAP})*)\Z"
)
_AFTER = re.compile(rf"{_GAP}(?>(?:\){_GAP})*)(?:[-+*%]|/(?![/*])|{_LINES}{_COMPARED})")
_CALLED = re.compile(r"(\w+)[ \t]*\(\Z", re.ASCII)
_REACH = 80
"""Largest distance, in characters, between a number and its operator."""


def is_other_number(source: Source, site: WordSite, chosen: Resolution, value: Resolution) -> bool:
    """Test whether a macro's number outside comparisons would differ from its number in comparisons.

    `chosen` is the rule that renames the macro at `site`; `value` is the rule that replaces the macro in comparisons.
    In a condition, only an argument of a macro counts; in code, every use except the name after `#define` or `#undef`.
    """
    if chosen.replace is None or chosen.replace == value.replace:
        return False
    if site.where is TokenClass.CONDITION:
        return _is_argument(source, site)
    directive = source.directive(site.start)
    is_name = directive and source.after(directive.end) == site.start
    return not is_name


def _is_argument(source: Source, site: WordSite) -> bool:
    """Test whether a macro in a condition is an argument of another macro. An operand of `defined` is no argument."""
    before = source.text[: site.start].rstrip()
    if before.endswith(","):
        return True
    called = _CALLED.search(before)
    return called is not None and called[1] != "defined"


def is_unguarded(source: Source, site: WordSite, chosen: Resolution) -> bool:
    """Test whether the rule `chosen` would rename CUDA's macro although a condition compares the macro's number."""
    return (
        site.where is TokenClass.CONDITION
        and chosen.replace is not None
        and source.rules.rules[chosen.rule].layer is not Layer.PYTORCH
        and is_compared(source, site)
    )


def is_compared(source: Source, site: WordSite) -> bool:
    """Test whether a comparison or arithmetic operator is directly before or after the macro."""
    end = site.start + len(site.word)
    if _AFTER.match(source.text, end):
        return True
    return bool(_BEFORE.search(source.text, max(0, site.start - _REACH), site.start))
