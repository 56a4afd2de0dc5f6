"""Reader and writer of mappings/pytorch/layouts.json: classes whose layout changed between known releases.

build_scripts/layout_changes writes the file from the header trees of the releases.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from porter.abi.compare import compare
from porter.base import regular_files, untrusted
from porter.base.errors import MappingError
from porter.mapping import library
from porter.model.class_layout import ClassChange, LayoutDifference, ReleaseLayouts
from porter.model.versions import version

FILE = "layouts.json"
"""Name of the file in the mapping folder `pytorch`."""


class LayoutStep(NamedTuple):
    """Classes that the backend uses and whose layout differs between two neighbouring releases."""

    before: str
    after: str
    classes: tuple[str, ...]
    """Changed classes, sorted: classes whose size changed precede classes whose size is the same.

    In both groups, template instances come last, and classes that more sources use come earlier.
    """


class KnownLayouts(NamedTuple):
    """Changes of layouts between known releases, oldest first."""

    headers: tuple[str, ...]
    """Headers that declare used classes, in any of the releases."""
    steps: tuple[LayoutStep, ...]

    def differences(self, release: str) -> dict[str, LayoutDifference]:
        """Maps each known release whose layouts differ from those of `release` to the difference.

        A difference holds the number of used classes whose layout differs, and the first of these classes. The result
        is empty for an unknown release.
        """
        releases = [step.before for step in self.steps[:1]] + [step.after for step in self.steps]
        if release not in releases:
            return {}
        own = releases.index(release)
        found = {}
        for place, other in enumerate(releases):
            between = self.steps[min(own, place) : max(own, place)]
            classes = list(dict.fromkeys(name for step in between for name in step.classes))
            if classes:
                found[other] = LayoutDifference(len(classes), classes[0])
        return found


def shipped() -> Path:
    """Path of the file of known layouts that is part of porter."""
    return library.shipped() / "pytorch" / FILE


def read(path: Path | None = None) -> KnownLayouts:
    """Known layouts in a file, by default in the file at `shipped()`. Raises MappingError for a damaged file."""
    path = path or shipped()
    try:
        data = untrusted.table(untrusted.json_data(regular_files.read_bytes(path)))
        steps = [
            LayoutStep(step["before"], step["after"], tuple(step["classes"]))
            for step in data["steps"]
        ]
        return KnownLayouts(tuple(data["headers"]), tuple(steps))
    except OSError as error:
        raise MappingError(f"cannot be read: {error.strerror}", str(path)) from None
    except (ValueError, KeyError, TypeError):
        help = "run build_scripts/layout_changes again"
        raise MappingError(
            "the file is damaged: it contains no table of layouts", str(path), help
        ) from None


def of(releases: Sequence[ReleaseLayouts]) -> KnownLayouts:
    """Changes between the layouts of the given releases."""
    ordered = sorted(releases, key=lambda one: version(one.release))
    headers = {layout.header for one in ordered for layout in one.classes if layout.used_by}
    steps = []
    for before, after in itertools.pairwise(ordered):
        changes = sorted(compare(before, after).changes, key=_rank)
        names = tuple(change.name for change in changes)
        steps.append(LayoutStep(before.release, after.release, names))
    return KnownLayouts(tuple(sorted(headers)), tuple(steps))


def text(known: KnownLayouts) -> str:
    """JSON text of the file of known layouts."""
    data: dict[str, Any] = {
        "schema": 1,
        "headers": known.headers,
        "steps": [step._asdict() for step in known.steps],
    }
    return json.dumps(data, indent=1) + "\n"


def _rank(change: ClassChange) -> tuple[bool, bool, int, str]:
    """Sort key for `LayoutStep.classes`. Messages name the first class; names of template instances are long."""
    has_size = any(text.startswith("size ") and "size of" not in text for text in change.changes)
    return not has_size, "<" in change.name, -len(change.used_by), change.name
