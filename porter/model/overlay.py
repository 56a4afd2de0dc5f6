"""Overlays (hand-made changes of ported files), and the results of applying overlays in a port."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from porter.base import untrusted
from porter.model.versions import Bounds

_RELEASE = re.compile(r"[0-9]{1,6}\.[0-9]{1,6}(\.[0-9]{1,6})?")


class OverlayStatus(StrEnum):
    """Result of applying an overlay to a ported file."""

    APPLIED = "applied"
    """The ported text equals the base of the change."""
    MOVED = "moved"
    """The ported text differs from the base outside the change. The change is applied, possibly at another line."""
    REDUCED = "reduced"
    """Upstream's text already contains a part of the change. porter applies the rest."""
    NEEDLESS = "needless"
    """Upstream's text already contains the whole change: the overlay has no effect."""
    ABSENT = "absent"
    """The port was made from a header tree and lacks the file."""
    OUTSIDE = "outside"
    """The bounds of the overlay exclude the release: porter does not apply the overlay."""


MEANING = {
    OverlayStatus.APPLIED: "the ported text equals the base",
    OverlayStatus.MOVED: "the ported text differs from the base; the change is the same",
    OverlayStatus.REDUCED: "upstream made a part of the change",
    OverlayStatus.NEEDLESS: "upstream made the whole change: drop the overlay",
    OverlayStatus.ABSENT: "a header tree lacks the file",
    OverlayStatus.OUTSIDE: "its bounds exclude this release",
}
"""Meaning of each status, for users."""


class Overlay(NamedTuple):
    """Hand-made change of one ported file."""

    name: str
    file: str
    """Upstream path."""
    owner: str
    reason: str
    expires: str
    """Last day on which the change is accepted, YYYY-MM-DD; empty: no expiry."""
    release: str
    """PyTorch release of the base."""
    order: int
    """Position among the overlays of the file, from 1; later overlays are applied on top of earlier ones."""
    base: bytes
    """Ported text before the change, with the changes of the file's earlier overlays."""
    changed: bytes
    """Text of the base with the change."""
    digest: str
    """sha256 of the stored files of the overlay."""
    place: str
    """Path of the overlay's patch file."""
    bounds: Bounds = Bounds()
    """PyTorch releases in which the overlay is applied; by default all."""


class OverlayUse(NamedTuple):
    """Entry of the manifest: an overlay and the result of applying it in the port."""

    name: str
    digest: str
    status: OverlayStatus
    owner: str
    reason: str
    expires: str
    release: str
    note: str = ""
    """Line of a moved or reduced change: `line 12, was 10`; empty for any other status."""
    since: str = ""
    until: str = ""
    """`since` and `until` are the overlay's bounds."""

    @classmethod
    def of(cls, overlay: Overlay, status: OverlayStatus, note: str = "") -> OverlayUse:
        """Create the manifest entry of an overlay."""
        about = (overlay.owner, overlay.reason, overlay.expires, overlay.release)
        return cls(overlay.name, overlay.digest, status, *about, note, *overlay.bounds)


class OverlaidFile(NamedTuple):
    """One ported file with overlays."""

    ported: str
    """sha256 of the ported text before the overlays; empty for a file that is not ported."""
    uses: tuple[OverlayUse, ...]


def by_file(overlays: Iterable[Overlay]) -> dict[str, tuple[Overlay, ...]]:
    """Maps an upstream path to the overlays of the file, in the order of `overlays`."""
    found: dict[str, tuple[Overlay, ...]] = {}
    for overlay in overlays:
        found[overlay.file] = (*found.get(overlay.file, ()), overlay)
    return found


def day(text: str) -> str:
    """Return a date, YYYY-MM-DD, or the empty text. Raises ValueError for any other text."""
    try:
        is_day = not text or datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        is_day = False
    if not is_day:
        raise ValueError(f"'{text[:40]}' is not a date: YYYY-MM-DD")
    return text


def release(text: str) -> str:
    """Return a PyTorch release, X.Y or X.Y.Z. Raises ValueError for any other text."""
    if not _RELEASE.fullmatch(text):
        raise ValueError(f"'{text[:40]}' is not a release: X.Y or X.Y.Z")
    return text


def is_expired(expires: str, today: datetime.date) -> bool:
    """Test whether the expiry date of an overlay is before `today`."""
    return bool(expires) and datetime.date.fromisoformat(expires) < today


def to_json(files: Mapping[str, OverlaidFile]) -> dict[str, Any]:
    """Plain data of a port's overlays: maps an upstream path to the data of the file's overlays."""
    return {
        path: {"ported": file.ported, "uses": [use._asdict() for use in file.uses]}
        for path, file in sorted(files.items())
    }


def from_json(data: Any) -> dict[str, OverlaidFile]:
    """Convert the plain data of `to_json` back. Raises ValueError or KeyError for malformed data."""
    files = {}
    for path, file in untrusted.table(data).items():
        uses = []
        for entry in untrusted.array(untrusted.table(file)["uses"]):
            values = [_value(untrusted.table(entry), name) for name in OverlayUse._fields]
            untrusted.check_strings(values)
            use = OverlayUse(*values)
            day(use.expires)
            uses.append(use._replace(status=OverlayStatus(use.status)))
        untrusted.check_strings((file["ported"],))
        files[untrusted.relative_path(path)] = OverlaidFile(file["ported"], tuple(uses))
    return files


def _value(entry: Mapping[str, Any], name: str) -> Any:
    """Value of the OverlayUse field `name` in `entry`, or the field's default. Raises KeyError if both are missing."""
    # Earlier versions of porter wrote fewer fields.
    defaults = OverlayUse._field_defaults
    return entry.get(name, defaults[name]) if name in defaults else entry[name]
