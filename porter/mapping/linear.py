"""Whether a regular expression is sure to run in time linear in its input.

Python's engine backtracks, so a rule such as `(a+)+b` would hang on the right file. The check is on the parsed
expression and errs on the safe side: what it cannot show to be linear it refuses, with the reason.
"""

from __future__ import annotations

import re
from re import _constants as c  # type: ignore[attr-defined]  # the parser's own names, private but stable since 3.11
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT)


def why_not_linear(pattern: str) -> str:
    """The reason why a pattern is refused (or malformed), or an empty string."""
    try:
        tree = parser.parse(pattern)
        re.compile(pattern, re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        return f"malformed regular expression: {error}"
    return _walk(tree, inside_repeat=False)


def _walk(tree: Any, inside_repeat: bool) -> str:
    open_repeats = 0
    for op, argument in tree:
        if op in (c.GROUPREF, c.GROUPREF_EXISTS):
            return "back-references do not run in linear time"
        if op in (c.ASSERT, c.ASSERT_NOT):
            return "look-around is not allowed"
        if op in _REPEATS:
            low, high, body = argument
            unbounded = high is c.MAXREPEAT
            if unbounded and inside_repeat:
                return "a repeat inside a repeat does not run in linear time"
            if unbounded:
                open_repeats += 1
                if open_repeats > 2:
                    return (
                        "more than two unbounded repeats in one sequence do not run in linear time"
                    )
                if any(inner is c.BRANCH for inner, _ in body) or _has_branch(body):
                    return "an alternation inside a repeat is not sure to run in linear time"
            if reason := _walk(body, inside_repeat or unbounded):
                return reason
        elif op is c.SUBPATTERN:
            if reason := _walk(argument[3], inside_repeat):
                return reason
        elif op is c.BRANCH:
            for branch in argument[1]:
                if reason := _walk(branch, inside_repeat):
                    return reason
    return ""


def _has_branch(body: Any) -> bool:
    return any(
        op is c.BRANCH or (op is c.SUBPATTERN and _has_branch(argument[3])) for op, argument in body
    )
