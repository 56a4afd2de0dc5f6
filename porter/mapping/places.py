"""Locations in mapping files: formatted as `file:line` for users, and the text at a location."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from porter.base import regular_files
from porter.mapping import library
from porter.mapping.library import MappingLibrary
from porter.model.rules import Origin


class Places:
    """Formats locations in the files of a mapping library as `file:line`, and reads the lines at such locations."""

    def __init__(self, mappings: MappingLibrary) -> None:
        self._roots = mappings.roots

    def of(self, origin: Origin) -> str:
        """`file:line` of a rule: `mappings/pytorch/patches.yaml:12`, or a path in the vendor's folder."""
        return f"{self._shown(origin.file)}:{origin.line}"

    def of_word(self, file: str, word: str, line: int = 1) -> str:
        """`file:line` of the first line, at or after `line`, that contains a word.

        If no such line contains the word, the result names `line` itself.
        """
        lines = _lines(self._file(file))
        word_at = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        numbered = enumerate(lines[line - 1 :], line)
        found = next((number for number, text in numbered if word_at.search(text)), line)
        return f"{self._shown(file)}:{found}"

    def text_at(self, place: str) -> str:
        """Text of the line at a place (`toy/runtime.yaml:4`), without surrounding blanks; empty without such a line."""
        file, _, rest = place.partition(":")
        number = rest.partition(":")[0]
        lines = _lines(self._file(file)) if number.isdecimal() else []
        return lines[int(number) - 1].strip() if lines and 0 < int(number) <= len(lines) else ""

    def _file(self, file: str) -> Path:
        return next((root / file for root in self._roots if (root / file).is_file()), Path(file))

    def _shown(self, file: str) -> str:
        place = self._file(file)
        return f"mappings/{file}" if library.shipped() in place.parents else str(place)


@functools.cache
def _lines(place: Path) -> list[str]:
    try:
        return regular_files.read_text(place).splitlines()
    except (OSError, UnicodeDecodeError):
        return []
