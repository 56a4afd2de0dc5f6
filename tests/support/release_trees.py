"""PyTorch's source trees and header trees that tests read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

RELEASES = "PORTER_TEST_RELEASES"


def named_releases() -> dict[str, Path]:
    """Maps each release in PORTER_TEST_RELEASES to its source tree, in the order of the variable."""
    entries = filter(None, os.environ.get(RELEASES, "").split(os.pathsep))
    trees = {release: Path(place) for release, _, place in (e.partition("=") for e in entries)}
    for release, tree in trees.items():
        # If a listed tree is missing, the variable is wrong: the tests fail and are not skipped.
        assert (tree / "version.txt").is_file(), f"{RELEASES}: no PyTorch {release} in '{tree}'"
    return trees


def header_tree(release: str) -> Path:
    """Header tree of a release, which must be in the same folder as a tree of PORTER_TEST_RELEASES.

    If the header tree is missing, the test is skipped.
    """
    for tree in named_releases().values():
        place = tree.parent / f"pytorch-{release}-headers"
        if place.is_dir():
            return place
    return pytest.skip(
        f"no header tree of {release} beside the trees of {RELEASES}; build_scripts/test fetches it"
    )
