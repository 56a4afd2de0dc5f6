"""Newer names: names that were introduced by a CUDA release later than that of the inventory.

For newer names without a rule, this module makes rules with the status `unsupported`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from porter.base import regular_files
from porter.base.errors import MappingError
from porter.mapping.inventory import NEWER, Inventory, NewerRelease
from porter.model.rules import Layer, Origin, Profile, Rule, Status, TargetLibrary
from porter.rewrite.kind import CODE_AND_CONDITION
from porter.rewrite.kinds import order

FILE = f"{Layer.CUDA}/{NEWER}"
"""Path of the table of newer names, relative to the mapping folder."""
_CUDA = "CUDA"
_FIRST_OF_CUDA = 1000
"""Smallest value of CUDA_VERSION that is a CUDA release. Other vendors' compilers define their own, smaller
numbers.
"""
_NAME = re.compile(r'\s*"(\w+)",?', re.ASCII)


def cuda_release(profile: Profile) -> str:
    """CUDA release that a target corresponds to: `12.4` if the profile states 12040 for CUDA_VERSION.

    Empty if the profile states no value, or a value that is smaller than any CUDA release.
    """
    guard = profile.guards.get("CUDA_VERSION")
    if not guard or guard.value < _FIRST_OF_CUDA:
        return ""
    return f"{guard.value // 1000}.{guard.value % 1000 // 10}"


def included(inventory: Inventory, profile: Profile) -> dict[str, list[str]]:
    """Maps each API area to the names that the target's CUDA release declares.

    These are the names of the inventory, and the newer names up to the target's CUDA release.
    """
    names = {area: inventory.names(area) for area in inventory.areas}
    for release in inventory.newer:
        if not _is_newer(release, inventory, profile):
            for area, added in release.areas.items():
                names.setdefault(area, []).extend(added)
    return names


def rules_for(inventory: Inventory, profile: Profile, rules: Sequence[Rule]) -> Iterator[Rule]:
    """Yield rules with the status `unsupported` for the newer names about which none of `rules` decides.

    There is one rule for each pair of a release and an API area.
    """
    if not inventory.newer:
        return
    known = decided(rules)
    families = [
        re.compile(rule.match, re.ASCII)
        for rule in rules
        if rule.layer is Layer.TARGET and order.kind(rule.kind).names_by_pattern
    ]
    for release in inventory.newer:
        if not _is_newer(release, inventory, profile):
            continue
        for area, names in release.areas.items():
            left = [
                name
                for name in names
                if name not in known and not any(one.fullmatch(name) for one in families)
            ]
            if left:
                yield _rule(release, area, left, profile)


def decided(rules: Iterable[Rule]) -> set[str]:
    """Set of the words about which one of the rules decides, without rules for unlisted names (`Rule.unlisted`)."""
    found: set[str] = set()
    for rule in rules:
        kind = order.kind(rule.kind)
        if rule.unlisted:
            continue
        if kind.names:
            found.update(name for name, _ in kind.names.resolutions(rule))
        elif kind.uses:
            found.add(kind.uses.about(rule))
    return found


def is_about_newer(rule: Rule) -> bool:
    """Test whether a rule was made from the table of newer names, and not from an entry of a mapping."""
    return rule.origin.file == FILE


def lines_of_names(place: Path) -> dict[str, int]:
    """Maps each newer name to its line number in the table. Raises MappingError for an unreadable table."""
    try:
        text = regular_files.read_bytes(place).decode("utf-8", "replace")
    except OSError as error:
        raise MappingError(f"cannot be read: {error.strerror}", str(place)) from None
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := _NAME.fullmatch(line):
            lines.setdefault(match[1], number)
    return lines


def _is_newer(release: NewerRelease, inventory: Inventory, profile: Profile) -> bool:
    """Test whether a release is later than the target's CUDA release. A release of a library always counts as later."""
    if release.product != _CUDA:
        return True
    return _numbers(release.version) > _numbers(cuda_release(profile) or inventory.cuda)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _rule(release: NewerRelease, area: str, names: Sequence[str], profile: Profile) -> Rule:
    library = profile.libraries.get(area, TargetLibrary())
    return Rule(
        kind="names",
        match=f"{release.product} {release.version} {area}",
        replace=None,
        layer=Layer.CUDA,
        area=area,
        origin=Origin(FILE, 1),
        status=Status.UNSUPPORTED,
        classes=CODE_AND_CONDITION,
        names=dict.fromkeys(names),
        note=library.unsupported or _reason(release, profile),
    )


def _reason(release: NewerRelease, profile: Profile) -> str:
    introduced = f"{release.product} {release.version} introduced it"
    version = cuda_release(profile)
    if release.product == _CUDA and version:
        return f"{introduced}; the target corresponds to CUDA {version}"
    return f"{introduced}, and no rule of the target is about it"
