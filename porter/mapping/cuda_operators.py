"""Results of the checks of `porter verify` on a GPU of NVIDIA: `mappings/cuda/operators.json`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import MappingError
from porter.mapping import json_table
from porter.model.verify import Case

FILE = "operators.json"


class CudaOperators(NamedTuple):
    """Record of one run on a GPU, made by `build_scripts/record_operators`."""

    device: str
    torch: str
    samples: int
    counts: Mapping[str, Mapping[str, int]]
    """Maps each check to a map from status to number of cases."""
    failed: frozenset[Case]


def read(path: Path) -> CudaOperators | None:
    """Read the record in a file; None for a missing file.

    Raises MappingError for an unreadable or malformed record.
    """
    if not path.exists():
        return None
    data = json_table.read(path, "JSON")
    try:
        return CudaOperators(
            str(data["device"]),
            str(data["torch"]),
            int(data["samples"]),
            {
                str(check): {str(status): int(count) for status, count in found.items()}
                for check, found in data["counts"].items()
            },
            frozenset(
                Case(str(op), str(dtype), str(check)) for op, dtype, check, *_ in data["failures"]
            ),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise MappingError(f"is not a record of checks on a GPU: {error}", str(path)) from None
