"""Overlays of a port and overlays of a target, as tables and as JSON."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from porter.model.overlay import (
    MEANING,
    OverlaidFile,
    Overlay,
    OverlayStatus,
    OverlayUse,
    is_expired,
)
from porter.model.versions import Bounds
from porter.report.tables import Line, Table, aligned

_ABOUT = ("name", "file", "owner", "reason", "expires", "release", "order")
"""Fields of an overlay that the JSON contains."""


def table(files: Mapping[str, OverlaidFile]) -> Table:
    """Table of the overlays of a port. `files` maps an upstream path to the overlays of the file."""
    rows = tuple(
        (use.name, _status(use), path, use.owner, use.expires or "-", use.reason)
        for path, file in sorted(files.items())
        for use in file.uses
    )
    return Table("Overlays", ("overlay", "status", "file", "owner", "expires", "reason"), rows)


def as_json(files: Mapping[str, OverlaidFile]) -> list[dict[str, Any]]:
    """Plain data of the overlays of a port."""
    return [
        {"file": path, **use._asdict()} for path, file in sorted(files.items()) for use in file.uses
    ]


def lines(overlays: Iterable[Overlay], today: datetime.date) -> Iterator[Line]:
    """Table of the overlays of a target."""
    rows = tuple(
        (
            one.name,
            one.file,
            one.release,
            str(one.bounds) or "all",
            one.owner,
            f"{one.expires}, over" if is_expired(one.expires, today) else one.expires or "-",
            one.reason,
        )
        for one in overlays
    )
    columns = ("overlay", "file", "base", "releases", "owner", "expires", "reason")
    yield from aligned(Table("", columns, rows))


def document(overlay: Overlay, today: datetime.date) -> dict[str, Any]:
    """Plain data of one overlay, without its texts."""
    about = {name: value for name, value in overlay._asdict().items() if name in _ABOUT}
    about |= overlay.bounds._asdict()
    return {**about, "expired": is_expired(overlay.expires, today), "place": overlay.place}


def _status(use: OverlayUse) -> str:
    is_outside = use.status is OverlayStatus.OUTSIDE
    detail = str(Bounds(use.since, use.until)) if is_outside else use.note
    return f"{use.status}: {MEANING[use.status]}" + (f", {detail}" if detail else "")
