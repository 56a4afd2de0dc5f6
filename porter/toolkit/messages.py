"""Messages of the target's compiler, with the user's paths instead of the mirror's, and notes about the rules."""

from __future__ import annotations

import os
import re

from porter.toolkit.on_the_fly import Mirror

_PLACE = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: ")
_ERROR = re.compile(r"^(?:\S+: )?(?:fatal )?error: .*$", re.M)
_REDECLARED = re.compile(r" changes meaning of .* \[-(?:fpermissive|Wchanges-meaning)\]$")
_MOST = 4
"""Largest number of notes for one line."""


def nvcc_accepts(text: str) -> bool:
    """Test whether nvcc accepts a source that g++ rejects with these messages.

    A class may declare a name that it used before for something else: `using Scan = Scan<T, 32>;`. nvcc accepts this.
    """
    errors = _ERROR.findall(text)
    return bool(errors) and all(map(_REDECLARED.search, errors))


def shown(text: str, mirror: Mirror | None) -> str:
    """Output of a compiler with the user's paths. Below each error, notes state the rules that edited its line."""
    if mirror is None:
        return text
    here = f"{os.getcwd()}/"  # noqa: PTH109
    out: list[str] = []
    notes: list[str] = []
    for line in text.replace(mirror.folder, "").splitlines():
        match = _PLACE.match(line)
        if match:
            out += notes
            notes = _notes(mirror, match["file"], int(match["line"]))
        out.append(_near(line, here))
    return "\n".join([*out, *notes]) + ("\n" if out else "")


def files_with_errors(text: str, mirror: Mirror) -> list[str]:
    """Paths of the user's files in which a compiler found errors, without duplicates."""
    here = f"{os.getcwd()}/"  # noqa: PTH109
    lines = text.replace(mirror.folder, "").splitlines()
    found = (match["file"] for line in lines if (match := _PLACE.match(line)))
    return list(dict.fromkeys(_near(file, here) for file in found))


def _near(line: str, here: str) -> str:
    """Line of a message with paths below the current folder as relative paths."""
    return re.sub(rf"(?<![\w./-]){re.escape(here)}", "", line)


def _notes(mirror: Mirror, file: str, line: int) -> list[str]:
    path = os.path.abspath(file)  # noqa: PTH100
    texts = mirror.notes(path).get(line, [])
    place = f"{_near(path, f'{os.getcwd()}/')}:{line}"  # noqa: PTH109
    return [f"{place}: note: {text}" for text in texts[:_MOST]]


def depend_text(text: str, mirror: Mirror) -> str:
    """Text of a dependency file (make's syntax) with the user's paths."""
    for place in (mirror.folder, mirror.folder.replace(" ", "\\ ")):
        text = text.replace(place, "")
    return text
