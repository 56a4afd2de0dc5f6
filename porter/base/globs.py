"""Globs over upstream paths: `*` stays within a folder, `**` crosses folders, `?` is one character."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable

_WILD = {"**/": r"(?:.*?/)??", "**": r".*?"}
_NOT_PLAIN = re.compile(r"[*?]")
_PIECES = re.compile(r"((?:(?:^|(?<=/))\*\*/)+|\*\*+)")


@functools.cache
def compile_glob(glob: str) -> re.Pattern[str]:
    """Regular expression that matches the whole path. A glob without `/` matches a file name in any folder.

    Each part of the glob before a `**` takes its shortest match, which leaves the longest text for the rest. The
    shortest match never has to be undone (it is an atomic group), so several wildcards do not multiply the time.
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
    """Regular expression of a piece of a glob; the piece contains no `**`.

    Each `*` takes its shortest match within a folder. If `at_end` is True, this is the last piece, and its last `*`
    takes its longest match within a folder.
    """
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
    """Test whether a path matches a glob of `only_in` (an empty list admits every path) and no glob of `not_in`."""
    if only_in and not matches(path, only_in):
        return False
    return not (not_in and matches(path, not_in))


def matches(path: str, globs: Iterable[str]) -> bool:
    """Test whether any of the globs matches the path."""
    return any(_test_of(glob)(path) for glob in globs)


@functools.cache
def _test_of(glob: str) -> Callable[[str], object]:
    """Test whether a path matches a glob. Most globs of rules are paths without wildcards, which a comparison tests."""
    return (
        compile_glob(glob).fullmatch if _NOT_PLAIN.search(glob) or "/" not in glob else glob.__eq__
    )
