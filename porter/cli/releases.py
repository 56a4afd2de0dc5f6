"""Checks of the PyTorch release that the user names or that a tree contains."""

from __future__ import annotations

import re
from pathlib import Path

from porter.base.errors import UsageError
from porter.cli import console
from porter.port.select import release_of
from porter.release import known
from porter.release.known import numbers

KNOWN_RELEASES = known.read().proven("port")
"""Releases with proven ports: each has a lock file."""


def check_version(release: str) -> None:
    """Raise UsageError for a text that is no version."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6}){0,3}", release):
        raise UsageError(
            f"'{release}' is not a PyTorch version", help="for example --release 2.6.0"
        )


def check_release(release: str) -> None:
    """Raise UsageError for a text that is no version; warn about a release without a proven port."""
    check_version(release)
    warn_unless_proven(release)


def warn_unless_proven(release: str) -> None:
    """Warn about a release without a proven port; the warning names the rules in use and the unchecked parts."""
    releases = known.read()
    proven = ", ".join(releases.proven("port"))
    found = releases.find(release)
    if found is not None and "port" in found.stages():
        return
    if found is not None:
        text = f"no port of PyTorch {release} is proven (proven: {proven}); using the rules for its version"
    elif numbers(release) > numbers(releases.newest.release):
        unchecked = "its C++ standard, CUDA, Python range and schemas are unchecked"
        text = f"{unknown_release(release, releases.newest.release)}; {unchecked}"
    else:
        text = f"PyTorch {release} is not a known release; using the rules for its version"
    console.warn(text)


def unknown_release(release: str, newest: str) -> str:
    """Text of the warning about a release that is newer than the known ones."""
    return f"PyTorch {release} is not a known release (newest: {newest}); using the newest rules"


def release_to_port(tree: Path, asked: str | None) -> str:
    """Release of a tree: the given one, else the tree's own.

    Raises UsageError when the two are of different minor releases, SourceError when the folder is no PyTorch tree.
    """
    told = release_of(tree)
    if asked is None:
        warn_unless_proven(told)
        return told
    check_release(asked)
    if numbers(asked)[:2] != numbers(told)[:2]:
        help = "omit --release, or give the tree of that release"
        raise UsageError(f"the tree is PyTorch {told}, but --release is {asked}", str(tree), help)
    return asked
