"""JSON files in porter's cache, replaced atomically; a damaged file counts as absent."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from porter.base import regular_files


def read_record(place: str) -> dict[str, Any]:
    """Object in a file; empty if the file is absent or damaged."""
    try:
        data = json.loads(regular_files.read_bytes(Path(place)))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def save(place: str, data: Any) -> None:
    """Write data as JSON; folders are made. Raises OSError."""
    replace(place, json.dumps(data, separators=(",", ":")).encode())


def replace(place: str, data: bytes) -> None:
    """Replace a file atomically; folders are made. Several processes may write the same file. Raises OSError."""
    os.makedirs(os.path.dirname(place), exist_ok=True)  # noqa: PTH103, PTH120
    fresh = f"{place}.{os.getpid()}.new"
    try:
        with open(fresh, "wb") as file:  # noqa: PTH123
            file.write(data)
        os.replace(fresh, place)  # noqa: PTH105
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(fresh)  # noqa: PTH108
        raise
