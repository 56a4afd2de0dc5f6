"""PyTorch's source trees and header trees that tests read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

RELEASES = "PORTER_TEST_RELEASES"


def named_releases() -> dict[str, Path]:
    """Release -> source tree, from PORTER_TEST_RELEASES, in its order."""
    entries = filter(None, os.environ.get(RELEASES, "").split(os.pathsep))
    trees = {release: Path(place) for release, _, place in (e.partition("=") for e in entries)}
    for release, tree in trees.items():
        # A tree that is asked for and is not there is a mistake, and no reason to skip.
        assert (tree / "version.txt").is_file(), f"{RELEASES}: no PyTorch {release} in '{tree}'"
    return trees


def header_tree(release: str) -> Path:
    """Header tree of a release, in the folder of the trees in PORTER_TEST_RELEASES. Skips the test without one."""
    for tree in named_releases().values():
        place = tree.parent / f"pytorch-{release}-headers"
        if place.is_dir():
            return place
    return pytest.skip(
        f"no header tree of {release} beside the trees of {RELEASES}; build_scripts/test fetches it"
    )
