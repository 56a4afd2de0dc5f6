"""Names that look like names of CUDA and that PyTorch's headers declare: `mappings/pytorch/declared.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from porter.base import regular_files, untrusted
from porter.base.errors import MappingError
from porter.model.project_names import PyTorchNames

FILE = "declared.json"


def read(path: Path) -> PyTorchNames:
    """Read the table in a file; a missing file is an empty table.

    Raises MappingError for an unreadable or malformed table.
    """
    try:
        data = untrusted.json_data(regular_files.read_bytes(path))
    except FileNotFoundError:
        return PyTorchNames()
    except OSError as error:
        raise MappingError(f"cannot be read: {error.strerror}", str(path)) from None
    except ValueError as error:
        raise MappingError(f"is not JSON: {error}", str(path)) from None
    try:
        return PyTorchNames(_words(data["names"]), _words(data["scopes"]))
    except (KeyError, TypeError) as error:
        raise MappingError(f"is not a table of PyTorch's names: {error}", str(path)) from None


def _words(value: Any) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise TypeError("names are no list of texts")
    return frozenset(value)
