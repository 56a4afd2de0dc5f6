"""Overlays of a port, with a separate list of overlays whose files are not in the plan."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from porter.base.errors import Problem
from porter.model.manifest import Manifest
from porter.model.overlay import OverlaidFile, Overlay, OverlayStatus, OverlayUse, by_file
from porter.model.plan import PortPlan
from porter.port import header_tree

_SHOWN = 5
"""Number of overlays whose conflicts a message shows."""


class PlannedOverlays(NamedTuple):
    """Overlays of a run."""

    files: Mapping[str, tuple[Overlay, ...]] = {}
    """Upstream path of a planned file -> its overlays, in their order."""
    absent: Mapping[str, OverlaidFile] = {}
    """Upstream path of a file that a header tree lacks -> its overlays."""
    lost: tuple[Problem, ...] = ()
    """Overlays of files that the release no longer has or the selection leaves out."""
    saved: frozenset[str] = frozenset()
    """sha256s of the texts that overlays contain: bases with their changes."""

    def digests(self) -> dict[str, list[str]]:
        """Upstream path -> digests of its overlays."""
        files = {path: [one.digest for one in overlays] for path, overlays in self.files.items()}
        return files | {path: _digests(file) for path, file in self.absent.items()}


NO_OVERLAYS = PlannedOverlays()


def plan(overlays: Sequence[Overlay], port: PortPlan, tree: Path) -> PlannedOverlays:
    """Overlays for the files of a plan."""
    paths = {job.path for job in port.jobs}
    found = by_file(overlays)
    saved = frozenset(hashlib.sha256(one.changed).hexdigest() for one in overlays)
    files = {path: found[path] for path in found if path in paths}
    missing = {path: found[path] for path in found if path not in paths}
    if missing and header_tree.read(tree):
        absent = {
            path: OverlaidFile(
                "", tuple(OverlayUse.of(one, OverlayStatus.ABSENT) for one in overlays)
            )
            for path, overlays in missing.items()
        }
        return PlannedOverlays(files, absent, saved=saved)
    lost = [_lost(one, paths, tree) for overlays in missing.values() for one in overlays]
    return PlannedOverlays(files, lost=tuple(lost), saved=saved)


def for_message(problems: Sequence[Problem]) -> list[Problem]:
    """Problems by file; the first ones show their conflicts, the others have one line each."""
    by_place = sorted(problems, key=lambda problem: problem.place)
    short = [problem._replace(text=problem.text.partition("\n")[0]) for problem in by_place]
    return [*by_place[:_SHOWN], *short[_SHOWN:]]


def digests(manifest: Manifest | None) -> dict[str, list[str]]:
    """Upstream path -> digests of the overlays with which a port was made."""
    return {path: _digests(file) for path, file in manifest.overlays.items()} if manifest else {}


def _digests(file: OverlaidFile) -> list[str]:
    return [use.digest for use in file.uses]


def _lost(overlay: Overlay, paths: set[str], tree: Path) -> Problem:
    name = PurePosixPath(overlay.file).name
    alike = sorted(path for path in paths if PurePosixPath(path).name == name)
    why = "is not ported" if (tree / overlay.file).is_file() else "is not in this tree"
    text = f"overlay {overlay.name} (owner: {overlay.owner}) is for a file that {why}"
    moved = f"change 'File:' of {overlay.place} to {alike[0]}, or " if alike else ""
    return Problem(text, overlay.file, f"{moved}drop it: porter overlay drop {overlay.name}")
