"""Trees that are already on this machine: a PyTorch tree or a git checkout."""

from __future__ import annotations

import re
from pathlib import Path

from release_sources.git import Git
from release_sources.source import Tree
from release_sources.terminal import say

VERSION_TXT = {"1.13.1": "1.13.0"}
"""Maps a release whose tag has an outdated version.txt to the content of that file."""


def standing(directory: Path, release: str) -> Tree | None:
    """Source tree in `directory`, to be used without a copy.

    None if the tree has a release other than `release`, or is a git checkout that has the release's tag.
    """
    tag = f"v{release}"
    git = is_git(directory)
    if git and any(offer.version == tag for offer in Git(str(directory)).offers(directory)):
        return None
    found = version_of(directory)
    if found != VERSION_TXT.get(release, release):
        holds = f"PyTorch {found} by its version.txt" if found else "no PyTorch (no version.txt)"
        say(f"note: {directory} holds {holds}, and no tag {tag}")
        return None
    if git:
        say(f"note: {directory} has no tag {tag}; the folder is used because of its version.txt")
    return Tree(release, "checkout", str(directory), "version.txt", "", str(directory))


def is_git(directory: Path) -> bool:
    """Test whether a folder is the top folder of a git checkout. False for a folder inside a checkout."""
    return (directory / ".git").exists() or (directory / "HEAD").is_file()


def version_of(tree: Path) -> str | None:
    """Release that a tree's version.txt states: 2.6.0 for 2.6.0a0. None if the file is missing or states no release."""
    try:
        text = (tree / "version.txt").read_text().strip()
    except (OSError, UnicodeDecodeError):
        return None
    match = re.fullmatch(r"(\d+\.\d+\.\d+)(a0)?(\+.*)?", text)
    return match[1] if match else None
