"""List of the available targets, with facts from their profiles and their coverage of CUDA's API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from porter.base.errors import MappingError
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary, shipped
from porter.model.rules import Profile
from porter.report.tables import Line, Table, aligned


@dataclass(frozen=True)
class TargetRow:
    """Name, folder, profile and coverage of one target."""

    name: str
    folder: str
    """Folder of the target's mappings; empty for a target that is part of porter."""
    profile: Profile | None
    """Profile of the target; None if its mappings are malformed."""
    coverage: dict[str, int] = field(default_factory=dict)
    """Maps a class (`mapped`, `unsupported`, `unclassified`) to the number of names in CUDA's headers; empty if the
    mappings are malformed."""
    broken: str = ""
    """First error in the target's mappings; empty when the mappings are valid."""


def collect(library: MappingLibrary, release: str) -> list[TargetRow]:
    """All targets with their rules for `release`, sorted by name. The field `broken` reports malformed mappings."""
    rows = []
    for name in library.targets():
        root = library.root_of(name)
        folder = "" if root == shipped() else str(root / name)
        try:
            rules = rule_cache.rule_set(library, name, release)
        except MappingError as error:
            first = error.problems[0]
            rows.append(TargetRow(name, folder, None, broken=f"{first.place}: {first.text}"))
        else:
            counts = rule_cache.coverage(library, rules)
            rows.append(TargetRow(name, folder, rules.profile, counts))
    return rows


def document(row: TargetRow) -> dict[str, Any]:
    """Plain data of one target."""
    data: dict[str, Any] = {"name": row.name, "folder": row.folder, "broken": row.broken}
    if row.profile:
        data |= {
            "summary": row.profile.summary,
            "device": row.profile.device,
            "warp_size": row.profile.warp_size,
            "suffixes": dict(row.profile.suffixes),
            "compiler": row.profile.compiler,
            "coverage": row.coverage,
        }
    return data


def lines(rows: Sequence[TargetRow]) -> Iterator[Line]:
    """Table for a terminal with one row for each target."""
    cells: list[tuple[str, ...]] = []
    for row in rows:
        if row.profile is None:
            cells.append((row.name, "", "", "", "", "", "", "cannot be used"))
            continue
        profile = row.profile
        counts = [str(row.coverage[name]) for name in rule_cache.CLASSES]
        changed = ", ".join(f".{old} -> .{new}" for old, new in profile.suffixes.items())
        warp = str(profile.warp_size)
        cells.append((row.name, profile.device, warp, *counts, changed or "kept", profile.summary))
    columns = ("target", "device", "warp", *rule_cache.CLASSES, "suffixes", "summary")
    yield from aligned(Table("", columns, tuple(cells), frozenset(range(2, 6))))
