"""Checks of a PyTorch release that the user names or that a tree contains."""

from __future__ import annotations

import re
from pathlib import Path

from porter.base.errors import UsageError
from porter.cli import console
from porter.model.versions import version
from porter.port.select import release_of
from porter.release import known

KNOWN_RELEASES = known.read().proven("port")
"""Releases whose port is proven, oldest first: each has a lock file."""


def check_version(release: str) -> None:
    """Raise UsageError if a text is not a version."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6}){0,3}", release):
        raise UsageError(
            f"'{release}' is not a PyTorch version", help="write a version as in 2.6.0"
        )


def check_release(release: str) -> None:
    """Raise UsageError if a text is not a version; warn about a release without a proven port."""
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
        text = f"no port of PyTorch {release} is proven (proven: {proven}); using the rules for this version"
    elif version(release) > version(releases.newest.release):
        unchecked = "the release's C++ standard, CUDA, Python range and schemas are unchecked"
        text = f"{unknown_release(release, releases.newest.release)}; {unchecked}"
    else:
        text = f"PyTorch {release} is not a known release; using the rules for this version"
    console.warn(text)


def unknown_release(release: str, newest: str) -> str:
    """Text of the warning about a release that is newer than all known releases."""
    return f"PyTorch {release} is not a known release (newest: {newest}); using the newest rules"


def release_to_port(tree: Path, asked: str | None) -> str:
    """Release to port: `asked` if the user gave --release, else the release of the tree.

    Raises UsageError when the two have different minor versions, SourceError when the folder is not a PyTorch tree.
    """
    told = release_of(tree)
    if asked is None:
        warn_unless_proven(told)
        return told
    check_release(asked)
    if version(asked)[:2] != version(told)[:2]:
        help = f"omit --release, or give the source tree of {asked}"
        raise UsageError(f"the tree is PyTorch {told}, but --release is {asked}", str(tree), help)
    return asked
