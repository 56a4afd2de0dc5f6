"""Assignment of overlays to the files of a port, and status of the overlays whose files are not ported."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from porter.base.errors import Problem
from porter.model.manifest import Manifest
from porter.model.overlay import OverlaidFile, Overlay, OverlayStatus, OverlayUse, by_file
from porter.model.plan import PortPlan
from porter.model.versions import version
from porter.port import header_tree

_SHOWN = 5
"""Number of conflicting overlays that an error message shows in full."""


class PlannedOverlays(NamedTuple):
    """Overlays of one run of the port stage, by the file that they change."""

    files: Mapping[str, tuple[Overlay, ...]] = {}
    """Maps the upstream path of a ported file to the overlays of the file, in the order of application."""
    missing: Mapping[str, OverlaidFile] = {}
    """Maps the upstream path of an unported file to the file's overlays, with status `absent` or `outside`."""
    lost: tuple[Problem, ...] = ()
    """One problem for each overlay whose bounds include the release and whose file is absent or not selected. Empty
    for a header tree, which may lack files."""
    saved: frozenset[str] = frozenset()
    """SHA-256 of the changed text of each overlay. A ported file with one of these texts can be restored."""

    def digests(self) -> dict[str, list[str]]:
        """Maps an upstream path to the digests of its overlays."""
        files = {path: [one.digest for one in overlays] for path, overlays in self.files.items()}
        return files | {path: _digests(file) for path, file in self.missing.items()}


NO_OVERLAYS = PlannedOverlays()


def plan(overlays: Sequence[Overlay], port: PortPlan, tree: Path, release: str) -> PlannedOverlays:
    """Assign overlays to the files of the plan `port`, which is a plan for the source tree `tree` of a release."""
    paths = {job.path for job in port.jobs}
    found = by_file(overlays)
    saved = frozenset(hashlib.sha256(one.changed).hexdigest() for one in overlays)
    files = {path: found[path] for path in found if path in paths}
    missing = {
        path: OverlaidFile("", tuple(OverlayUse.of(one, _unused(one, release)) for one in group))
        for path, group in found.items()
        if path not in paths
    }
    wanted = [one for path in missing for one in found[path] if one.bounds.admit(release)]
    if wanted and header_tree.read(tree):
        wanted = []
    lost = tuple(_lost(one, paths, tree, release) for one in wanted)
    return PlannedOverlays(files, missing, lost, saved)


def _unused(overlay: Overlay, release: str) -> OverlayStatus:
    """Status of an overlay whose file is not ported: `outside` if its bounds exclude the release, else `absent`."""
    return OverlayStatus.ABSENT if overlay.bounds.admit(release) else OverlayStatus.OUTSIDE


def for_message(problems: Sequence[Problem]) -> list[Problem]:
    """Problems of overlays, sorted by file. The first five contain their conflicts; the others are cut to one line."""
    by_place = sorted(problems, key=lambda problem: problem.place)
    short = [problem._replace(text=problem.text.partition("\n")[0]) for problem in by_place]
    return [*by_place[:_SHOWN], *short[_SHOWN:]]


def digests(manifest: Manifest | None) -> dict[str, list[str]]:
    """Maps an upstream path to the digests of the file's overlays in the manifest; empty without a manifest."""
    return {path: _digests(file) for path, file in manifest.overlays.items()} if manifest else {}


def _digests(file: OverlaidFile) -> list[str]:
    return [use.digest for use in file.uses]


def _lost(overlay: Overlay, paths: set[str], tree: Path, release: str) -> Problem:
    name = PurePosixPath(overlay.file).name
    alike = sorted(path for path in paths if PurePosixPath(path).name == name)
    why = "is not ported" if (tree / overlay.file).is_file() else "is not in this tree"
    text = f"overlay {overlay.name} (owner: {overlay.owner}) is for a file that {why}"
    moved = f"change 'File:' of {overlay.place} to {alike[0]}, or " if alike else ""
    is_newer = version(release) > version(overlay.release)
    bound = "'Until:' and the last release" if is_newer else "'Since:' and the first release"
    help = (
        f"{moved}add {bound} with the file to {overlay.place}, or "
        f"drop it: porter overlay drop {overlay.name}"
    )
    return Problem(text, overlay.file, help)
