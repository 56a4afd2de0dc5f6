"""Rebase of overlays on the ported text of a release.

An overlay can be split into two overlays: one keeps the old change, and the other has the rebased change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import fs, regular_files
from porter.base.errors import OverlayError
from porter.model.overlay import Overlay, OverlayStatus
from porter.model.rules import RuleSet
from porter.overlay import store
from porter.overlay.apply import apply, labels, merge_one
from porter.overlay.three_way import has_markers
from porter.port.overlaid import plan as planned
from porter.port.overlay_split import Split
from porter.port.overlay_work import TreePorter


class Rebased(NamedTuple):
    """Overlay with the result of its rebase: the status and the written files."""

    overlay: Overlay
    status: OverlayStatus | None
    """Result of the merge; None if this overlay, or an earlier overlay of the same file, has a conflict."""
    written: tuple[Path, ...]
    """Written files: the overlay, or the file with conflicts that the user must edit. Empty if nothing changed."""
    parts: tuple[Overlay, ...] = ()
    """Overlays into which the overlay was split; empty without a split."""


def rebase(
    overlays: Sequence[Overlay],
    names: Sequence[str],
    tree: Path,
    rules: RuleSet,
    splits: Mapping[str, Split] = {},
) -> list[Rebased]:
    """Rebase overlays on a tree: the tree's ported text becomes the base, and the merged text becomes the changed text.

    `names` are the names of the overlays to rebase; if `names` is empty, all overlays are rebased. `splits` has an
    entry for each overlay to split: the overlay itself gets only new bounds, and a second overlay gets the rebased
    change. A merge with conflicts is written to a file beside the overlay. The user resolves the conflicts in this
    file, and the next rebase reads it. Raises OverlayError for overlays whose files the tree lacks or the rules do not
    select.
    """
    porter = TreePorter(tree, rules)
    chosen = [one for one in overlays if not names or one.name in names]
    lost = planned(chosen, porter.plan, tree, rules.release).lost
    if lost:
        raise OverlayError(lost)
    files = {one.file for one in chosen}
    texts: dict[str, bytes | None] = {}
    done = []
    for overlay in (one for one in overlays if one.file in files):
        is_chosen = overlay in chosen
        if not overlay.bounds.admit(rules.release):
            made = Rebased(overlay, OverlayStatus.OUTSIDE, ())
        elif overlay.file not in porter.paths:
            made = Rebased(overlay, OverlayStatus.ABSENT, ())
        else:
            if overlay.file not in texts:
                texts[overlay.file] = porter.ported(overlay.file)
            text = texts[overlay.file]
            made = Rebased(overlay, None, ())
            if text is not None and is_chosen:
                split = splits.get(overlay.name)
                made, texts[overlay.file] = _rebased(overlay, text, rules.release, split)
            elif text is not None:
                merged = merge_one(text, overlay, rules.release)
                texts[overlay.file] = None if merged.conflicts else merged.text
        if is_chosen:
            done.append(made)
    return done


def _rebased(
    overlay: Overlay, text: bytes, release: str, split: Split | None
) -> tuple[Rebased, bytes | None]:
    """Rebase an overlay on `text`: the ported text with the earlier overlays of the file.

    Returns the result and the merged text. The merged text is None if the merge has a conflict.
    """
    place = Path(overlay.place)
    conflict = place.with_name(overlay.name + store.CONFLICT)
    conflict_base = place.with_name(overlay.name + store.CONFLICT_BASE)
    solved = _solved(overlay, conflict, conflict_base, release)
    change = solved or overlay
    merged = merge_one(text, change, release)
    if merged.conflicts:
        if not conflict.exists():
            _write(conflict_base, store.packed(text))
            _write(conflict, merged.text)
        return Rebased(overlay, None, (conflict,)), None
    status = apply(text, [change], release).file.uses[0].status
    is_needless = status is OverlayStatus.NEEDLESS
    fresh = change._replace(base=text, changed=merged.text, release=release)
    written: tuple[Path, ...] = ()
    parts: tuple[Overlay, ...] = ()
    if split:
        # The second overlay is written first. If only the limited first overlay were written, this release would lack
        # the change.
        second = fresh._replace(name=split.name, bounds=split.new)
        first = overlay._replace(bounds=split.old)
        parts = (first,) if is_needless else (second, first)
        written = tuple(file for part in parts for file in store.write(place.parent, part))
    elif not is_needless and (solved or text != overlay.base or release != overlay.release):
        written = store.write(place.parent, fresh)
    # If upstream now contains the whole change, nothing is written. The owner decides whether to drop the overlay.
    if written:
        for file in (conflict, conflict_base):
            file.unlink(missing_ok=True)
    return Rebased(overlay, status, written, parts), merged.text


def _solved(overlay: Overlay, conflict: Path, base: Path, release: str) -> Overlay | None:
    """Overlay with the text of the file `conflict`, in which the user resolved the conflicts, and its base from `base`.

    None if the file is missing or still has conflict markers. Raises OverlayError for an unreadable file.
    """
    if not conflict.exists():
        return None
    try:
        text = regular_files.read_bytes(conflict)
        under = store.unpacked(regular_files.read_bytes(base))
    except OSError as error:
        help = f"delete {conflict.name} so that porter writes it again"
        place = str(error.filename or conflict)
        raise OverlayError(f"cannot be read: {error.strerror}", place, help) from None
    except ValueError as error:
        help = f"delete {conflict.name} so that porter writes it again"
        raise OverlayError(str(error), str(base), help) from None
    if has_markers(text, labels(overlay, release)):
        return None
    return overlay._replace(base=under, changed=text)


def _write(place: Path, data: bytes) -> None:
    try:
        fs.replace_file(place, data)
    except OSError as error:
        raise fs.cannot_write(error, place) from None
