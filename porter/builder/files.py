"""Files that are touched only when there is something new in them, so that nothing is built again for nothing."""

from __future__ import annotations

import os
from pathlib import Path

from porter.fs import cannot_write


def write_if_changed(place: Path, text: str) -> bool:
    """Write a text file unless it holds the text already; says whether it was written.

    The file changes at once: a reader never sees half of it. Raises SourceError when the place takes no data.
    """
    try:
        if place.read_text(encoding="utf-8") == text:
            return False
    except (OSError, UnicodeDecodeError):
        pass
    fresh = place.with_name(f".{place.name}.new")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(text, encoding="utf-8")
        os.replace(fresh, place)  # noqa: PTH105  (as one step)
    except OSError as error:
        raise cannot_write(error, place) from None
    return True
