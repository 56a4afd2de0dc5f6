"""Expressions mean the same in every Python that porter runs with."""

from __future__ import annotations

import importlib
import pkgutil
import re

import porter

# gh-106052, in Python 3.11.0 to 3.11.4 (Debian 12 has 3.11.2): (?:ab?c)++ takes all of 'acaca'.
POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+")


def test_no_group_is_possessive_but_as_an_atomic_group() -> None:
    names = [
        module.name
        for module in pkgutil.walk_packages(porter.__path__, "porter.")
        if ".suite" not in module.name and not module.name.endswith("__main__")
    ]
    patterns = {
        f"{name}.{attribute}": value.pattern
        for name in names
        for attribute, value in vars(importlib.import_module(name)).items()
        if isinstance(value, re.Pattern) and isinstance(value.pattern, str)
    }
    assert len(patterns) > 50
    found = [where for where, text in patterns.items() if POSSESSIVE_GROUP.search(text)]
    assert found == []
