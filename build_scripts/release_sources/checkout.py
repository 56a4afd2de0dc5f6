"""A PyTorch tree or checkout that is on this machine already."""

from __future__ import annotations

import re
from pathlib import Path

from release_sources.git import Git
from release_sources.source import Tree
from release_sources.terminal import say

VERSION_TXT = {"1.13.1": "1.13.0"}
"""Releases whose tag was made without raising version.txt, and what that file says there."""


def standing(directory: Path, release: str) -> Tree | None:
    """The checkout itself, where it is this release and has no tag to take it from."""
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
        say(f"note: {directory} has no tag {tag}; by its version.txt it is taken as it stands")
    return Tree(release, "checkout", str(directory), "version.txt", "", str(directory))


def is_git(directory: Path) -> bool:
    """True for the top folder of a checkout, and not for a plain tree that lies inside one."""
    return (directory / ".git").exists() or (directory / "HEAD").is_file()


def version_of(tree: Path) -> str | None:
    """The version that a tree's version.txt says, where 2.6.0a0 is upstream's word for 2.6.0."""
    try:
        text = (tree / "version.txt").read_text().strip()
    except (OSError, UnicodeDecodeError):
        return None
    match = re.fullmatch(r"(\d+\.\d+\.\d+)(a0)?(\+.*)?", text)
    return match[1] if match else None
