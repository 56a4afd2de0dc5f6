"""Lines of mapping files, for reports that show the text at a place."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from porter.mapping.library import MappingLibrary


def line_reader(library: MappingLibrary) -> Callable[[str], str]:
    """Function from a place (`toy/runtime.yaml:4`) to the text of that line, without surrounding blanks.

    The text is empty if the place has no line, or if the file cannot be read.
    """

    @functools.cache
    def lines(path: str) -> list[str]:
        for root in library.roots:
            # An absolute path replaces the root.
            try:
                return Path(root, path).read_text(encoding="utf-8").splitlines()
            except (OSError, ValueError):
                continue
        return []

    def line_at(place: str) -> str:
        path, _, number = place.partition(":")
        number = number.partition(":")[0]
        found = lines(path) if number.isdecimal() else []
        return found[int(number) - 1].strip() if 0 < int(number or 0) <= len(found) else ""

    return line_at
