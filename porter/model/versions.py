"""Versions, and the bounds `since` and `until` of rules and overlays."""

from __future__ import annotations

import re
from typing import NamedTuple


def version(text: str) -> tuple[int, ...]:
    """Numbers of a version: (2, 6, 0) for `2.6.0a0+git`; empty for a text that does not begin with a number."""
    match = re.match(r"\d+(\.\d+)*", text)
    return tuple(map(int, match[0].split("."))) if match else ()


class Bounds(NamedTuple):
    """First and last version to which a rule or overlay applies, both inclusive; an empty text is no bound."""

    since: str = ""
    until: str = ""
    """Last version; `1.13` includes 1.13.1."""

    def admit(self, text: str) -> bool:
        """Test whether a version lies within the bounds. An empty version lies within all bounds."""
        have, last = version(text), version(self.until)
        return not have or (have >= version(self.since) and not _is_before(last, have))

    def are_empty(self) -> bool:
        """Test whether no version lies within the bounds: `since` is later than `until`."""
        return _is_before(version(self.until), version(self.since))

    def overlap(self, other: Bounds) -> bool:
        """Test whether a version can lie within both bounds."""
        return not Bounds(self.since, other.until).are_empty() and (
            not Bounds(other.since, self.until).are_empty()
        )

    def end_before(self, text: str) -> bool:
        """Test whether a version is later than `until`; False if `until` is empty."""
        return _is_before(version(self.until), version(text))

    def __str__(self) -> str:
        """Text for users: `since 2.7, until 2.9`; empty without bounds."""
        named = (("since", self.since), ("until", self.until))
        return ", ".join(f"{name} {value}" for name, value in named if value)


def _is_before(last: tuple[int, ...], first: tuple[int, ...]) -> bool:
    """Test whether the version `first` is later than the bound `last`; False if `last` is empty."""
    return bool(last) and first[: len(last)] > last
