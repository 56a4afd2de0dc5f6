"""Seams of the backend: interfaces with several implementations. A target's profile selects implementations."""

from __future__ import annotations

from collections.abc import Mapping

from porter.model.rules import Profile

FOLDER = "seams"
"""Name of the folder with implementations, `seams/<seam>/<name>`. It lies in `backend` (porter's implementations) and
in the folder of the target's mappings (the vendor's implementations)."""
DEFAULTS: Mapping[str, tuple[str, ...]] = {"dnn": ("columns",)}
"""Maps a seam to the implementations that are built when the profile does not mention the seam."""


def selected(profile: Profile) -> Mapping[str, tuple[str, ...]]:
    """Maps each seam to the names of the implementations that are built. The first one is the default."""
    return {**DEFAULTS, **profile.seams}


def macros(profile: Profile) -> tuple[str, ...]:
    """Macros with the default implementation of each seam that the profile mentions: `BACKEND_SEAM_DNN=host`."""
    named = profile.seams.items()
    return tuple(f"BACKEND_SEAM_{seam.upper()}={names[0]}" for seam, names in named)
