"""Seams of the backend: interfaces with several implementations, from which a target's profile selects."""

from __future__ import annotations

from collections.abc import Mapping

from porter.model.rules import Profile

FOLDER = "seams"
"""Folder with the implementations, `seams/<seam>/<name>`: porter's own in `backend/`, a vendor's in the folder of the
target's mappings."""
DEFAULTS: Mapping[str, tuple[str, ...]] = {"dnn": ("columns",)}
"""Maps each seam to the implementations for a profile that does not mention the seam."""


def selected(profile: Profile) -> Mapping[str, tuple[str, ...]]:
    """Maps each seam to the names of the implementations that are built in; the first one is used by default."""
    return {**DEFAULTS, **profile.seams}


def macros(profile: Profile) -> tuple[str, ...]:
    """Macros that tell the backend the default implementation of each seam: `BACKEND_SEAM_DNN=host`."""
    named = profile.seams.items()
    return tuple(f"BACKEND_SEAM_{seam.upper()}={names[0]}" for seam, names in named)
