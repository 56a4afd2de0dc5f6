"""Comparison of a result with a golden text; a difference is reported as a unified diff."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import pytest


def assert_golden(made: str | Sequence[str], golden: str | Sequence[str], name: str) -> None:
    """Fail with a unified diff from `golden` to `made` if the two differ.

    Each item of a list is compared as one line. The comparison includes line ends, also a missing line end of the last
    line; the diff shows a carriage return as `\\r`. The head of the diff contains `name`.
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
