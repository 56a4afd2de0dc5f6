"""Globs over upstream paths: `*` stays within a folder, `**` crosses folders, `?` is one character."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

_WILD = {"**/": r"(?:.*?/)??", "**": r".*?"}
_PIECES = re.compile(r"((?:(?:^|(?<=/))\*\*/)+|\*\*+)")


@functools.cache
def compile_glob(glob: str) -> re.Pattern[str]:
    """The pattern that a whole path must match; a glob without `/` matches a file name in any folder.

    The time to match does not grow with the number of wildcards' combinations: the shortest match of what stands
    before `**` leaves the most to what follows, so that it is taken once and for all (an atomic group).
    """
    if "/" not in glob:
        glob = f"**/{glob}"
    head, *rest = _PIECES.split(glob)
    out = [_within_folders(head, at_end=not rest)]
    for number in range(0, len(rest), 2):
        wild = _WILD["**/" if rest[number].endswith("/") else "**"]
        last = number + 2 == len(rest)
        piece = _within_folders(rest[number + 1], at_end=last)
        out.append(f"{wild}{piece}" if last else f"(?>{wild}{piece})")
    return re.compile("".join(out), re.DOTALL)


def _within_folders(piece: str, *, at_end: bool) -> str:
    """The pattern of a piece without `**`; the last `*` of one that must reach the end of the path takes all it can."""
    parts = [
        "".join("[^/]" if char == "?" else re.escape(char) for char in part)
        for part in piece.split("*")
    ]
    if len(parts) == 1:
        return parts[0]
    inner = parts[1:-1] if at_end else parts[1:]
    shortest = "".join(f"(?>[^/]*?{part})" for part in inner)
    return parts[0] + shortest + (f"[^/]*{parts[-1]}" if at_end else "")


def is_within(path: str, only_in: Iterable[str], not_in: Iterable[str]) -> bool:
    """Test whether a path matches one of the first globs, if there are any, and none of the others."""
    if only_in and not matches(path, only_in):
        return False
    return not (not_in and matches(path, not_in))


def matches(path: str, globs: Iterable[str]) -> bool:
    """Whether any of the globs matches the path."""
    return any(compile_glob(glob).fullmatch(path) for glob in globs)
