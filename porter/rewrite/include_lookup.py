"""Look-up of `include` rules. The rules about each path are found once, because most files include the same headers."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from porter.model.rules import RuleSet


class IncludeVerdict(NamedTuple):
    """Rules about an include path, in any file."""

    exact: list[int]
    """Rules with exactly this path, strongest first."""
    globs: list[int]
    """Rules with `*` that match the path, strongest first."""
    vendor: bool
    """True if the path looks like a vendor header."""
    everywhere: bool
    """True if every rule applies to all files."""


class IncludeRules:
    """Finds the rules about include paths."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules.rules
        self._vendor = rules.vendor
        self._exact: dict[str, list[int]] = {}
        self._globs: list[tuple[re.Pattern[str], int]] = []
        for index in rules.of_kind("include"):
            match = rules.rules[index].match
            if "*" in match:
                self._globs.append((glob(match), index))
            else:
                self._exact.setdefault(match, []).append(index)
        self._known: dict[str, IncludeVerdict] = {}

    def about(self, path: str) -> IncludeVerdict:
        """Rules about a path."""
        known = self._known.get(path)
        if known is None:
            globs = [index for pattern, index in self._globs if pattern.fullmatch(path)]
            exact = self._exact.get(path, [])
            about = [self._rules[index] for index in (*exact, *globs)]
            everywhere = not any(rule.only_in or rule.not_in for rule in about)
            vendor = bool(self._vendor.search(path))
            known = self._known[path] = IncludeVerdict(exact, globs, vendor, everywhere)
        return known


@functools.cache
def glob(pattern: str) -> re.Pattern[str]:
    """Regular expression of an include rule; a group matches the text of `*`."""
    return re.compile("(.*)".join(map(re.escape, pattern.split("*"))))
