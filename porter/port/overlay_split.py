"""Split of an overlay into two at a release, which share the bounds (`Since:`, `Until:`) of the overlay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from porter.base.errors import UsageError
from porter.model.overlay import Overlay
from porter.model.versions import Bounds, version
from porter.overlay import store


class Split(NamedTuple):
    """Bounds of the two overlays into which an overlay is split.

    The first overlay keeps the name, the base and the change of the original overlay. Its bounds include the release of
    the base. The second overlay has a new name.
    """

    name: str
    """Name of the second overlay."""
    old: Bounds
    """Bounds of the first overlay."""
    new: Bounds
    """Bounds of the second overlay; they include the release of the rebase."""


def plan(
    overlays: Sequence[Overlay],
    names: Sequence[str],
    name: str,
    release: str,
    known: Sequence[str],
) -> Mapping[str, Split]:
    """Maps each overlay name in `names` to the overlay's bounds, divided between two overlays.

    The first keeps the name and the release of the base; the second has the bounds that include `release`. `overlays`
    are all overlays of the target. `name` is the name of the second overlay; if empty, it is called NAME-RELEASE.
    `known` are the known releases, oldest first. Raises UsageError if an overlay cannot be split at `release`.
    """
    if not names:
        raise UsageError("--split needs the NAME of an overlay")
    if name and len(names) > 1:
        raise UsageError(f"--name works with one overlay only; {len(names)} overlays are given")
    taken = {one.name: one for one in overlays}
    splits = {}
    for overlay in (taken[one] for one in names):
        second = store.check_name(name or f"{overlay.name}-{release}")
        if second in taken:
            raise UsageError(
                f"overlay '{second}' exists ({taken[second].place})", help="choose another --name"
            )
        splits[overlay.name] = Split(second, *_bounds(overlay, release, known))
    return splits


def _bounds(overlay: Overlay, release: str, known: Sequence[str]) -> tuple[Bounds, Bounds]:
    """Bounds of the first and of the second overlay. Together, they include all releases of the original bounds."""
    (since, until), here, base = overlay.bounds, _numbers(release), _numbers(overlay.release)
    if here == base or not overlay.bounds.admit(release):
        why = (
            f"its base is {overlay.release}" if here == base else f"its bounds are {overlay.bounds}"
        )
        help = "give the source tree of another release to which the overlay is applied"
        text = f"overlay {overlay.name} cannot be split at {release}: {why}"
        raise UsageError(text, overlay.place, help)
    # If `release` and the base have the same minor version, the bounds are patch releases; otherwise minor releases.
    length = 3 if here[:2] == base[:2] else 2
    if here > base:
        last = (*here[:2], here[2] - 1) if length == 3 else _minor_before(here, base, known)
        old, new = Bounds(since, _text(last)), Bounds(_text(here[:length]), until)
    else:
        first = (*here[:2], here[2] + 1) if length == 3 else _minor_after(here, known)
        old, new = Bounds(_text(first), until), Bounds(since, _text(here[:length]))
    for bounds in (old, new):
        if bounds.are_empty():
            text = f"overlay {overlay.name} cannot be split at {release}: {store.EMPTY_BOUNDS}, {bounds}"
            raise UsageError(text, overlay.place, "omit --split")
    return old, new


def _minor_before(
    here: tuple[int, ...], base: tuple[int, ...], known: Sequence[str]
) -> tuple[int, ...]:
    """Minor release before `here`: 2.5 for 2.6. For X.0, the newest older one in `known`, else that of `base`."""
    if here[1]:
        return here[0], here[1] - 1
    return max((minor for minor in _minors(known) if minor < here[:2]), default=base[:2])


def _minor_after(here: tuple[int, ...], known: Sequence[str]) -> tuple[int, ...]:
    """Oldest known minor release after `here`. If none is known, the minor number plus one: 2.16 after 2.15."""
    later = (minor for minor in _minors(known) if minor > here[:2])
    return min(later, default=(here[0], here[1] + 1))


def _minors(known: Sequence[str]) -> list[tuple[int, ...]]:
    return [version(release)[:2] for release in known]


def _numbers(release: str) -> tuple[int, ...]:
    return (*version(release), 0, 0)[:3]


def _text(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))
