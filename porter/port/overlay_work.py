"""Creation of overlays from hand-made changes of a port."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import regular_files
from porter.base.errors import SourceError, UsageError
from porter.model.manifest import Manifest
from porter.model.overlay import Overlay
from porter.model.rules import RuleSet
from porter.model.versions import Bounds
from porter.overlay import store
from porter.overlay.apply import apply
from porter.port.cuda_project import PORTED
from porter.port.file import check_text, read
from porter.port.select import select
from porter.port.stage import plan_of
from porter.port.state import MANIFEST, PortState
from porter.rewrite.kinds import path as path_rules
from porter.rewrite.rewriter import Rewriter, ported_bytes

_LOST_BASE = (
    "copy the file to another place, run porter with --force, put the copy back, and save again"
)


class EditedFile(NamedTuple):
    """File in the port of a PyTorch tree, which the user may have edited by hand."""

    place: Path
    port: PortState
    manifest: Manifest
    path: str
    """Upstream path."""


class About(NamedTuple):
    """Metadata that the user gives for an overlay: owner, reason, expiry date and bounds.

    When an existing overlay is saved again, an empty field keeps the old value.
    """

    owner: str
    reason: str
    expires: str
    bounds: Bounds = Bounds()


class TreePorter:
    """Ports files of a source tree one at a time, without overlays."""

    def __init__(self, tree: Path, rules: RuleSet) -> None:
        self.rules = rules
        self.plan = plan_of(select(tree, rules.selection), rules)
        self.paths = {job.path for job in self.plan.jobs}
        self._tree = tree
        self._rewriter = Rewriter(rules, self.plan.moved)

    def upstream(self, path: str) -> bytes:
        """Upstream text of a file. Raises SourceError if the file cannot be read or is not text."""
        raw = read(f"{self._tree}/{path}")
        check_text(raw, f"{self._tree}/{path}")
        return raw

    def ported(self, path: str, raw: bytes | None = None) -> bytes:
        """Ported text of a file. `raw`, if given, is ported in place of the file's upstream text.

        Without `raw`, raises the errors of `upstream`.
        """
        text = self.upstream(path) if raw is None else raw
        return ported_bytes(self._rewriter.rewrite(path, text))

    def selected(self, tree: Path) -> set[str]:
        """Upstream paths that the rules select in the given tree."""
        return {file.path for file in select(tree, self.rules.selection)}


def changed_below(folder: Path) -> list[EditedFile]:
    """Hand-edited ported files in a folder and its subfolders.

    Raises the errors of `find`, and SourceError for an unreadable file.
    """
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
    """Find the port that contains a file on disk, and return the file with its port.

    `known` caches the state of ports between calls. Raises UsageError for a file that is not a ported file of PyTorch,
    and SourceError for a circular link and for a port whose manifest is unusable.
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
                    text = "is not a file of PyTorch: only a port of PyTorch can have overlays"
                    raise UsageError(
                        text, str(place), "change the source itself, and port it again"
                    )
                if file.to == to:
                    return EditedFile(full, port, port.manifest, path)
            help = "to add sources of your own, create custom operators: porter op new"
            raise UsageError("is not a ported file: porter did not write it", str(place), help)
    help = "give a file below <out>/<target>/<release>/src"
    raise UsageError("is not in a port of PyTorch", str(place), help)


def ported_text(edited: EditedFile, tree: Path, rules: RuleSet) -> bytes:
    """Ported text of an edited file before overlays and edits, made again from the upstream file.

    Raises SourceError if the upstream file, the rules or porter have changed since the port was made.
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
    """Save the change of a file as an overlay in `folder`, and return the overlay.

    `ported` is the file's ported text without overlays, and `overlays` are all overlays of the target. The new overlay
    is applied after the file's other overlays in this release, and replaces an overlay with the same name.

    Raises SourceError if the file cannot be read or is not text. Raises UsageError if the file has no unsaved change;
    if the bounds exclude the release; if an overlay with the same name is for another file; or if later overlays are
    based on the overlay with the same name.
    """
    release = edited.manifest.release
    same_file = [one for one in overlays if one.file == edited.path and one.name != name]
    others = applied(same_file, release)
    replaced = next((one for one in overlays if one.name == name), None)
    bounds = about.bounds
    if replaced:
        if replaced.file != edited.path:
            text = f"overlay '{name}' is for another file, {replaced.file}"
            raise UsageError(text, help="choose another --name")
        if later := store.later(replaced, same_file):
            text = f"overlay '{name}' is the base of {', '.join(later)}, which would become invalid"
            raise UsageError(text, help="save the change as a separate overlay")
        bounds = Bounds(*(new or old for new, old in zip(bounds, replaced.bounds, strict=True)))
    check_bounds(bounds, release)
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
        order=next_order(others),
        base=base,
        changed=changed,
        digest="",
        place="",
        bounds=bounds,
    )
    store.write(folder, overlay)
    return store.read_one(folder / f"{name}{store.PATCH}")


def check_bounds(bounds: Bounds, release: str) -> None:
    """Raise UsageError if the bounds of an overlay exclude the release in which the overlay is made."""
    if bounds.are_empty():
        raise UsageError(f"{store.EMPTY_BOUNDS}: {bounds}")
    if not bounds.admit(release):
        text = f"the bounds of the overlay ({bounds}) exclude the release, PyTorch {release}"
        raise UsageError(text, help="choose bounds that include the release, or another --name")


def applied(overlays: Sequence[Overlay], release: str) -> list[Overlay]:
    """Overlays whose bounds include a release."""
    return [one for one in overlays if one.bounds.admit(release)]


def next_order(overlays: Sequence[Overlay]) -> int:
    """Value of `order` for a new overlay that is applied after the given overlays."""
    return max((one.order for one in overlays), default=0) + 1


def free_name(path: str, taken: Sequence[Overlay]) -> str:
    """Unused name for a new overlay: the file's name without its suffix, followed by a number if that name is taken."""
    stem = "".join(c if c.isascii() and (c.isalnum() or c in "_+-") else "-" for c in _stem(path))
    stem = stem.lstrip("_+-")[:80] or "overlay"
    names = {one.name for one in taken}
    number = 1
    while (name := stem if number == 1 else f"{stem}-{number}") in names:
        number += 1
    return name


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
