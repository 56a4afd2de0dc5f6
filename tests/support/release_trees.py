"""PyTorch's source trees that tests read."""

from __future__ import annotations

import os
from pathlib import Path

RELEASES = "PORTER_TEST_RELEASES"


def named_releases() -> dict[str, Path]:
    """Release -> source tree, of PORTER_TEST_RELEASES, in its order."""
    entries = filter(None, os.environ.get(RELEASES, "").split(os.pathsep))
    trees = {release: Path(place) for release, _, place in (e.partition("=") for e in entries)}
    for release, tree in trees.items():
        # A tree that is asked for and is not there is a mistake, and no reason to skip.
        assert (tree / "version.txt").is_file(), f"{RELEASES}: no PyTorch {release} in '{tree}'"
    return trees
