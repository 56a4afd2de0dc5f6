"""Globs over upstream paths: `*` stays within a folder, `**` crosses folders, `?` is one character."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable


@functools.cache
def compile_glob(glob: str) -> re.Pattern[str]:
    """The pattern that a whole path must match; a glob without `/` matches a file name in any folder."""
    if "/" not in glob:
        glob = f"**/{glob}"
    out = []
    for piece in re.split(r"(\*\*/|\*\*|\*|\?)", glob):
        out.append(
            {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(piece)
            or re.escape(piece)
        )
    return re.compile("".join(out))


def is_within(path: str, only_in: Iterable[str], not_in: Iterable[str]) -> bool:
    """Whether a path matches one of the first globs, if there are any, and none of the others."""
    if only_in and not matches(path, only_in):
        return False
    return not (not_in and matches(path, not_in))


def matches(path: str, globs: Iterable[str]) -> bool:
    """Whether any of the globs matches the path."""
    return any(compile_glob(glob).fullmatch(path) for glob in globs)
