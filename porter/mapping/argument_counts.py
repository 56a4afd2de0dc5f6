"""Numbers of arguments that CUDA's functions accept: `mappings/cuda/arguments.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.base.errors import MappingError
from porter.mapping import json_table
from porter.mapping.library import MappingLibrary

FILE = "arguments.json"


@dataclass(frozen=True)
class ArgumentCounts:
    """Numbers of arguments of the global functions and macros of one CUDA release."""

    cuda: str = ""
    """CUDA release, `12.4`; empty without a table."""
    functions: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Maps a function to the numbers of arguments that a call can have: several for overloads and default values.

    Functions that accept any number of arguments are missing.
    """


def read(library: MappingLibrary) -> ArgumentCounts:
    """Table of the mapping folder; an empty table if the folder has none. Raises MappingError for a malformed file."""
    path = library.special("cuda", FILE)
    if not path.exists():
        return ArgumentCounts()
    data = json_table.read(path, "a table of argument counts")
    try:
        functions = {
            str(name): frozenset(map(int, numbers.split()))
            for numbers, names in data["functions"].items()
            for name in names
        }
        return ArgumentCounts(str(data["cuda"]), functions)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MappingError(f"is not a table of argument counts: {error}", str(path)) from None


def shown(counts: frozenset[int]) -> str:
    """Numbers as text: `3, 4 or 5`."""
    *first, last = map(str, sorted(counts))
    return f"{', '.join(first)} or {last}" if first else last
