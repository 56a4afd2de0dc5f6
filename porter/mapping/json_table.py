"""Reading of the JSON files with facts in the folders of mappings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from porter.base import regular_files, untrusted
from porter.base.errors import MappingError


def read(path: Path, what: str) -> Any:
    """Data of a JSON file. `what` is the content of the file, with its article, for the message.

    Raises MappingError for a file that cannot be read or is not JSON.
    """
    try:
        return untrusted.json_data(regular_files.read_bytes(path))
    except OSError as error:
        raise MappingError(f"cannot be read: {error.strerror}", str(path)) from None
    except ValueError as error:
        raise MappingError(f"is not {what}: {error}", str(path)) from None
