"""Seams of the backend: interfaces with several implementations, from which a target's profile selects."""

from __future__ import annotations

from collections.abc import Mapping

from porter.model.rules import Profile

FOLDER = "seams"
"""Name of the folder with the implementations, `seams/<seam>/<name>`. The folder `backend` contains porter's
implementations, and the folder of the target's mappings contains the vendor's."""
DEFAULTS: Mapping[str, tuple[str, ...]] = {"dnn": ("columns",)}
"""Maps each seam to the implementations for a profile that does not mention the seam."""


def selected(profile: Profile) -> Mapping[str, tuple[str, ...]]:
    """Maps each seam to the names of the implementations that are built. The first one is the default."""
    return {**DEFAULTS, **profile.seams}


def macros(profile: Profile) -> tuple[str, ...]:
    """Macros that tell the backend the default implementation of each seam: `BACKEND_SEAM_DNN=host`."""
    named = profile.seams.items()
    return tuple(f"BACKEND_SEAM_{seam.upper()}={names[0]}" for seam, names in named)
