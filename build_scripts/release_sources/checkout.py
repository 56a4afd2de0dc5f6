"""PyTorch tree or git checkout on this machine."""

from __future__ import annotations

import re
from pathlib import Path

from release_sources.git import Git
from release_sources.source import Tree
from release_sources.terminal import say

VERSION_TXT = {"1.13.1": "1.13.0"}
"""Release whose tag has an outdated version.txt -> content of version.txt."""


def standing(directory: Path, release: str) -> Tree | None:
    """Checkout as a tree, without a copy, if it is the requested release and has no tag for it."""
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
    """Test whether a folder is the top folder of a git checkout; False for a plain tree inside a checkout."""
    return (directory / ".git").exists() or (directory / "HEAD").is_file()


def version_of(tree: Path) -> str | None:
    """Version in a tree's version.txt; 2.6.0a0 there means 2.6.0."""
    try:
        text = (tree / "version.txt").read_text().strip()
    except (OSError, UnicodeDecodeError):
        return None
    match = re.fullmatch(r"(\d+\.\d+\.\d+)(a0)?(\+.*)?", text)
    return match[1] if match else None
