"""Application of the overlays of one file to the file's ported text, one after another."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porter.base.errors import OverlayError, Problem
from porter.model.overlay import OverlaidFile, Overlay, OverlayStatus, OverlayUse
from porter.overlay import unified
from porter.overlay.three_way import Binary, Labels, Merged, conflicts, merge

_SHOWN = 3
"""Largest number of conflicts in a message. The file that `porter overlay rebase` writes contains all conflicts."""
_LINES = 20
"""Largest number of lines that a message shows of each text in a conflict."""


class Overlaid(NamedTuple):
    """Text of a file after its overlays were applied, with the status of each overlay."""

    text: bytes
    file: OverlaidFile


def apply(ported: bytes, overlays: Sequence[Overlay], release: str) -> Overlaid:
    """Apply the overlays of a file to the ported text of a release, in the order of the overlays.

    An overlay whose bounds exclude the release is recorded in the result, but not applied. Raises OverlayError for an
    overlay that does not merge.
    """
    text = ported
    uses = []
    for overlay in overlays:
        if not overlay.bounds.admit(release):
            uses.append(OverlayUse.of(overlay, OverlayStatus.OUTSIDE))
            continue
        merged = merge_one(text, overlay, release)
        if merged.conflicts:
            raise OverlayError([_conflict(text, merged, overlay, release)])
        status, note = _status(text, overlay, merged.text)
        uses.append(OverlayUse.of(overlay, status, note))
        text = merged.text
    return Overlaid(text, OverlaidFile(hashlib.sha256(ported).hexdigest(), tuple(uses)))


def merge_one(text: bytes, overlay: Overlay, release: str) -> Merged:
    """Merge an overlay's change into the ported text of a release. Raises OverlayError for binary texts."""
    try:
        return merge(overlay.changed, overlay.base, text, labels(overlay, release))
    except Binary as error:
        help = f"save the change of a text file, or drop the overlay: porter overlay drop {overlay.name}"
        raise OverlayError(f"cannot be merged: {error}", overlay.place, help) from None


def labels(overlay: Overlay, release: str) -> Labels:
    """Names of the three merged texts, for conflict markers."""
    return Labels(
        f"overlay {overlay.name}", f"ported from {overlay.release}", f"ported from {release}, new"
    )


def _status(text: bytes, overlay: Overlay, merged: bytes) -> tuple[OverlayStatus, str]:
    if merged == text:
        return OverlayStatus.NEEDLESS, ""
    if text == overlay.base:
        return OverlayStatus.APPLIED, ""
    was = unified.change(overlay.base, overlay.changed)
    now = unified.change(text, merged)
    note = f"line {now.first}" + (f", was {was.first}" if was.first != now.first else "")
    if now.added <= was.added and now.removed <= was.removed and now[:2] != was[:2]:
        return OverlayStatus.REDUCED, note
    return OverlayStatus.MOVED, note


def _conflict(text: bytes, merged: Merged, overlay: Overlay, release: str) -> Problem:
    """Problem that shows the first conflicts, each with the two changed texts and their base."""
    found = conflicts(merged.text, labels(overlay, release))
    blocks = ["\n".join(f"    {line}" for line in _shown(block)) for _, block in found[:_SHOWN]]
    if len(found) > _SHOWN:
        blocks.append(f"    ... and {len(found) - _SHOWN} more conflicts")
    count = f"{len(found)} conflict{'s' if len(found) > 1 else ''}"
    head = f"overlay {overlay.name} (owner: {overlay.owner}) does not merge: {count}\n"
    help = (
        f"run porter overlay rebase {overlay.name}, and edit the file with conflict markers that it writes; with "
        f"--split, this overlay stays as it is for PyTorch {overlay.release}, and {release} gets a second overlay"
    )
    if moved := _moved_to(text, overlay.file):
        help = (
            f"the new text includes {moved}: if the change belongs there, write the upstream path of that header as "
            f"'File:' in {overlay.place}; otherwise {help}"
        )
    return Problem(head + "\n".join(blocks), overlay.file, help)


def _shown(block: bytes) -> Iterator[str]:
    """Lines of a conflict with its markers. Of each text between two markers, only the first lines are shown."""
    side = 0
    for line in block.decode("utf-8", "surrogateescape").split("\n"):
        if line.startswith(("|||||||", "=======", ">>>>>>>")):
            if side > _LINES:
                yield f"... and {side - _LINES} more lines"
            side = -1
        side += 1
        if side <= _LINES:
            yield line


def _moved_to(text: bytes, path: str) -> str:
    """Header to which upstream may have moved the file at `path`, as `<PATH>`; empty if there is none.

    `text` includes the header, which has the same file name as `path` and is in a different folder.
    """
    name = path.rpartition("/")[2]
    included = re.findall(rb'^#\s*include\s+[<"]([^>"\n]+)[>"]', text, re.M)
    for one in (spelling.decode("utf-8", "replace") for spelling in included):
        if one.rpartition("/")[2] == name and not path.endswith(one):
            return f"<{one}>"
    return ""
