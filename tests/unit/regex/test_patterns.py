"""Regular expressions have the same meaning in every supported version of Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from repository import ROOT

# gh-106052, in Python 3.11.0 to 3.11.4 (Debian 12 has 3.11.2): (?:ab?c)++ takes all of 'acaca'. A brace may end a group
# that stands elsewhere: rf"{_GROUP}++". Formatted Python has no such thing outside of its strings.
POSSESSIVE_GROUP = re.compile(r"[)}](?:[*+?]|\{\d*,?\d*\})\+")


def scripts() -> list[Path]:
    """All Python files of the project, including programs for a backend's environment and templates."""
    texts = [path for path in (ROOT / "build_scripts").iterdir() if path.is_file()]
    begun = [path for path in texts if path.read_bytes().startswith(b"#!/usr/bin/env python")]
    found = (ROOT / folder for folder in ("porter", "build_scripts", "templates"))
    return sorted({*begun, *(path for folder in found for path in folder.rglob("*.py"))})


@pytest.mark.parametrize("group", ["(?:ab?c)++", "(a|b)*+", "{_GROUP}?+", "(?:a){2,3}+"])
def test_a_possessive_group_is_seen(group: str) -> None:
    assert POSSESSIVE_GROUP.search(group)


def test_no_group_is_possessive_but_as_an_atomic_group() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in scripts()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if POSSESSIVE_GROUP.search(line)
    ]
    assert found == []


def test_mappings_hold_none_either() -> None:
    places = sorted((ROOT / "mappings").rglob("*.yaml"))
    assert places
    found = [path for path in places if POSSESSIVE_GROUP.search(path.read_text(encoding="utf-8"))]
    assert found == []
