"""Look-up of `include` rules. Results are stored for each path, because most files include the same headers."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from porter.model.rules import RuleSet


class IncludeVerdict(NamedTuple):
    """All rules about an include path, independent of the file."""

    exact: list[int]
    """Indexes of the rules that name exactly this path, strongest first."""
    globs: list[int]
    """Indexes of the rules with `*` that match the path, strongest first."""
    vendor: bool
    """True if the path matches the pattern of vendor headers."""
    everywhere: bool
    """True if every rule about the path applies to all files."""


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
        """Rules about an include path."""
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
    """Regular expression for the match of an include rule with `*`. A group matches the text of each `*`."""
    return re.compile("(.*)".join(map(re.escape, pattern.split("*"))))
