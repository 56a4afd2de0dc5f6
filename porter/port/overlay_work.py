"""Creation of overlays from hand-made changes of a port, and rebase of overlays on another release."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import fs, regular_files
from porter.base.errors import OverlayError, SourceError, UsageError
from porter.model.manifest import Manifest
from porter.model.overlay import Overlay, OverlayStatus
from porter.model.rules import RuleSet
from porter.overlay import store
from porter.overlay.apply import apply, labels, merge_one
from porter.overlay.three_way import has_markers
from porter.port.file import check_text, read
from porter.port.overlaid import plan as planned
from porter.port.project import PORTED
from porter.port.select import select
from porter.port.stage import plan_of
from porter.port.state import MANIFEST, PortState
from porter.rewrite.kinds import path as path_rules
from porter.rewrite.rewriter import Rewriter, ported_bytes

_LOST_BASE = (
    "copy the file to another place, run porter with --force, put the copy back, and save again"
)


class EditedFile(NamedTuple):
    """A file of a port of PyTorch that was changed by hand."""

    place: Path
    port: PortState
    manifest: Manifest
    path: str
    """Upstream path."""


class About(NamedTuple):
    """Owner, reason and last day of a change, given by the user; an empty field keeps the old value."""

    owner: str
    reason: str
    expires: str


class Rebased(NamedTuple):
    """Result of rebasing an overlay on the text of a release."""

    overlay: Overlay
    status: OverlayStatus | None
    """Result of the merge; None if the overlay, or an earlier overlay of the file, has a conflict."""
    written: tuple[Path, ...]
    """Files of the overlay, or the merged file to edit; empty when the overlay is unchanged."""


class TreePorter:
    """Ported texts of a source tree, one file at a time, without overlays."""

    def __init__(self, tree: Path, rules: RuleSet) -> None:
        self.rules = rules
        self.plan = plan_of(select(tree, rules.selection), rules)
        self.paths = {job.path for job in self.plan.jobs}
        self._tree = tree
        self._rewriter = Rewriter(rules, self.plan.moved)

    def upstream(self, path: str) -> bytes:
        """Upstream text of a file. Raises SourceError."""
        raw = read(f"{self._tree}/{path}")
        check_text(raw, f"{self._tree}/{path}")
        return raw

    def ported(self, path: str, raw: bytes | None = None) -> bytes:
        """Ported text of a file; `raw`, if given, replaces its upstream text. Raises SourceError."""
        text = self.upstream(path) if raw is None else raw
        return ported_bytes(self._rewriter.rewrite(path, text))

    def selected(self, tree: Path) -> set[str]:
        """Upstream paths that the rules select in the given tree."""
        return {file.path for file in select(tree, self.rules.selection)}


def changed_below(folder: Path) -> list[EditedFile]:
    """Ported files with hand-made changes below a folder of a port. Raises the UsageError of `find`, and
    SourceError."""
    found = []
    known: dict[Path, PortState] = {}
    for place in sorted(folder.rglob("*")):
        if place.is_file() and not place.is_symlink():
            edited = find(place, known)
            try:
                now = hashlib.sha256(regular_files.read_bytes(place)).hexdigest()
            except OSError as error:
                raise SourceError(f"cannot be read: {error.strerror}", str(place)) from None
            if now != edited.port.files[edited.path].sha_out:
                found.append(edited)
    return found


def find(place: Path, known: dict[Path, PortState] | None = None) -> EditedFile:
    """Find the port that contains a file on disk; `known` caches the ports read so far.

    Raises UsageError for a file that no port of PyTorch wrote, SourceError for one that cannot be read.
    """
    ports = {} if known is None else known
    try:
        full = place.resolve()
    except (OSError, RuntimeError):
        raise SourceError("cannot be read: it is a link to itself", str(place)) from None
    for folder in full.parents:
        if (folder / MANIFEST).is_file() and full.is_relative_to(folder / "src"):
            port = ports.setdefault(folder, ports.get(folder) or PortState.read(folder))
            if port.manifest is None:
                raise SourceError("has no manifest that can be read", str(folder), _LOST_BASE)
            to = full.relative_to(folder / "src").as_posix()
            for path, file in port.files.items():
                if file.to == to and file.reason.startswith((PORTED, "copied: ")):
                    text = "belongs to a port without overlays: it is not a file of PyTorch"
                    raise UsageError(
                        text, str(place), "change the source itself, and port it again"
                    )
                if file.to == to:
                    return EditedFile(full, port, port.manifest, path)
            help = "your own sources belong to custom operators: porter op new"
            raise UsageError("is not a ported file: porter did not write it", str(place), help)
    help = "give a file below <out>/<target>/<release>/src"
    raise UsageError("is not in a port of PyTorch", str(place), help)


def ported_text(edited: EditedFile, tree: Path, rules: RuleSet) -> bytes:
    """Ported text of the file before any overlay, made again from the upstream file.

    Raises SourceError when the upstream file or the rules have changed since the port was made.
    """
    files = edited.manifest.files
    moves = {path: file.to for path, file in files.items()}
    rewriter = Rewriter(rules, {**path_rules.spellings(moves.items()), **moves})
    raw = read(f"{tree}/{edited.path}")
    if hashlib.sha256(raw).hexdigest() != files[edited.path].sha_in:
        why = "was changed after it was ported"
        raise SourceError(why, str(tree / edited.path), _LOST_BASE)
    text = ported_bytes(rewriter.rewrite(edited.path, raw))
    overlaid = edited.manifest.overlays.get(edited.path)
    wanted = overlaid.ported if overlaid else files[edited.path].sha_out
    if hashlib.sha256(text).hexdigest() != wanted:
        why = "the rules or porter have changed since the port was made"
        raise SourceError(why, str(edited.place), _LOST_BASE)
    return text


def save(
    edited: EditedFile,
    ported: bytes,
    overlays: Sequence[Overlay],
    about: About,
    name: str,
    folder: Path,
) -> Overlay:
    """Save the change of a file as an overlay in `folder`; `overlays` are all of the target.

    The change is made on top of the file's other overlays. An overlay of the same name is replaced. Raises UsageError
    when there is no change, or the name belongs to another file or to an overlay that a later one is based on.
    """
    release = edited.manifest.release
    others = [one for one in overlays if one.file == edited.path and one.name != name]
    replaced = next((one for one in overlays if one.name == name), None)
    order = max((one.order for one in others), default=0) + 1
    if replaced:
        if replaced.file != edited.path:
            text = f"overlay '{name}' is for another file, {replaced.file}"
            raise UsageError(text, help="choose another --name")
        if later := [one.name for one in others if one.order > replaced.order]:
            text = f"overlay '{name}' is the base of {', '.join(later)}, which would become invalid"
            raise UsageError(text, help="save the change as a separate overlay")
    try:
        changed = regular_files.read_bytes(edited.place)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(edited.place)) from None
    check_text(changed, str(edited.place))
    base = apply(ported, others, release).text
    if changed == base:
        known = ", ".join(one.name for one in others)
        text = "has no unsaved change" + (f" (overlays: {known})" if known else "")
        raise UsageError(text, str(edited.place), "edit this file first, and save it then")
    overlay = Overlay(
        name=name,
        file=edited.path,
        owner=about.owner or (replaced.owner if replaced else ""),
        reason=about.reason or (replaced.reason if replaced else ""),
        expires=about.expires or (replaced.expires if replaced else ""),
        release=release,
        order=order,
        base=base,
        changed=changed,
        digest="",
        place="",
    )
    store.write(folder, overlay)
    return store.read_one(folder / f"{name}{store.PATCH}")


def free_name(path: str, taken: Sequence[Overlay]) -> str:
    """Name for a new overlay of a file: the stem of the file's name, with a number when the name is taken."""
    stem = "".join(c if c.isascii() and (c.isalnum() or c in "_+-") else "-" for c in _stem(path))
    stem = stem.lstrip("_+-")[:80] or "overlay"
    names = {one.name for one in taken}
    number = 1
    while (name := stem if number == 1 else f"{stem}-{number}") in names:
        number += 1
    return name


def rebase(
    overlays: Sequence[Overlay], names: Sequence[str], tree: Path, rules: RuleSet
) -> list[Rebased]:
    """Rebase overlays on the ported text of a tree: the ported text becomes the base, the merged text becomes the
    changed text.

    `names` empty: all overlays. A merge with conflicts is written beside the overlay for the user to edit; the next
    rebase takes the edited file. Raises OverlayError for overlays whose files the tree lacks.
    """
    porter = TreePorter(tree, rules)
    chosen = [one for one in overlays if not names or one.name in names]
    lost = planned(chosen, porter.plan, tree).lost
    if lost:
        raise OverlayError(lost)
    texts: dict[str, bytes | None] = {}
    done = []
    for overlay in overlays:
        if overlay.file not in porter.paths:
            if overlay in chosen:
                done.append(Rebased(overlay, OverlayStatus.ABSENT, ()))
            continue
        if overlay.file not in texts:
            texts[overlay.file] = porter.ported(overlay.file)
        text = texts[overlay.file]
        if text is None:
            if overlay in chosen:
                done.append(Rebased(overlay, None, ()))
            continue
        moved, after = _moved(overlay, text, rules.release)
        texts[overlay.file] = after
        if overlay in chosen:
            done.append(moved)
    return done


def _moved(overlay: Overlay, text: bytes, release: str) -> tuple[Rebased, bytes | None]:
    """Result for one overlay, and its new text; None as the text when the merge has a conflict."""
    place = Path(overlay.place)
    conflict = place.with_name(overlay.name + store.CONFLICT)
    conflict_base = place.with_name(overlay.name + store.CONFLICT_BASE)
    if solved := _solved(overlay, conflict, conflict_base, release):
        overlay = solved
    merged = merge_one(text, overlay, release)
    if merged.conflicts:
        if not conflict.exists():
            _write(conflict_base, store.packed(text))
            _write(conflict, merged.text)
        return Rebased(overlay, None, (conflict,)), None
    if merged.text == text:
        # Upstream has made the change. The overlay is useless, but its owner decides about deleting it.
        return Rebased(overlay, OverlayStatus.NEEDLESS, ()), text
    status = apply(text, [overlay], release).file.uses[0].status
    written: tuple[Path, ...] = ()
    if solved or text != overlay.base or release != overlay.release:
        fresh = overlay._replace(base=text, changed=merged.text, release=release)
        written = store.write(place.parent, fresh)
        for file in (conflict, conflict_base):
            file.unlink(missing_ok=True)
    return Rebased(overlay, status, written), merged.text


def _solved(overlay: Overlay, conflict: Path, base: Path, release: str) -> Overlay | None:
    """Overlay with the text in which the user has resolved the conflict; None without such a text."""
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


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
