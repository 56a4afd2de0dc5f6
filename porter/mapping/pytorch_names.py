"""Names that look like names of CUDA and that PyTorch's headers declare: `mappings/pytorch/declared.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from porter.base.errors import MappingError
from porter.mapping import json_table
from porter.model.project_names import PyTorchNames

FILE = "declared.json"


def read(path: Path) -> PyTorchNames:
    """Read the table in a file; a missing file is an empty table.

    Raises MappingError for an unreadable or malformed table.
    """
    if not path.exists():
        return PyTorchNames()
    data = json_table.read(path, "JSON")
    try:
        return PyTorchNames(_words(data["names"]), _words(data["scopes"]))
    except (KeyError, TypeError) as error:
        raise MappingError(f"is not a table of PyTorch's names: {error}", str(path)) from None


def _words(value: Any) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise TypeError("names are no list of texts")
    return frozenset(value)
