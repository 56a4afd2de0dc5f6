"""Comparison of a result with a golden text: a difference is told as a unified diff."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import pytest


def assert_golden(made: str | Sequence[str], golden: str | Sequence[str], name: str) -> None:
    """Fails with a unified diff from `golden` to `made` where they differ.

    Lists are compared as one line for each item. Line ends, and a missing one at the end of the text, are part of the
    comparison; the diff shows a carriage return as `\\r`. `name` stands in the head of the diff.
    """
    __tracebackhide__ = True
    if made == golden:
        return
    diff = difflib.unified_diff(
        _lines(golden), _lines(made), f"{name} (golden)", f"{name} (made)", lineterm=""
    )
    pytest.fail("\n".join(diff), pytrace=False)


def _lines(text: str | Sequence[str]) -> list[str]:
    if not isinstance(text, str):
        return list(text)
    lines = text.replace("\r", "\\r").split("\n")
    return [*lines[:-1], *([f"{lines[-1]} (no newline at the end)"] if lines[-1] else [])]
