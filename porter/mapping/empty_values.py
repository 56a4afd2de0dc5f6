"""Help texts for empty values in profiles and mapping files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Path_ = Sequence[str | int]

_LIBRARY = (
    "the prefix of the target's library ('acmefft'), or {unsupported: reason for its absence}"
)
_WORDS = {
    "libraries": "a table: area of CUDA -> prefix of the target's library",
    "suffixes": "a table such as {cu: mu, cuh: muh}",
    "guards": "a table: CUDA's macro -> {macro: ACME_VERSION, value: 12040}",
    "names": "the names, as in a profile: {lower: acme, UPPER: ACME, Camel: Acme}",
    "target": "the name of the target's folder",
    "summary": "a description of the target in one line",
    "device": "PyTorch's name of the device, in lower case",
    "listed": "true or false",
    "follows": "true or false",
    "warp_size": "the number of lanes: 32 or 64",
    "value": "a number, or the name of a macro",
    "min_hits": "a number",
    "macro": "the name of a macro",
    "main_header": "a table such as {include: acme_runtime.h, insert_into: [cu]}",
    "include": "a header as in an include: acme_runtime.h",
    "shim": "a header as in an include: acme_shim.h",
    "insert_into": "suffixes in a list: [cu]",
    "compiler": "a table such as {command: acmecc, flags: [-O2]}",
    "command": "the name of the compiler",
    "flags": "flags in a list: [-O2]",
    "unsupported": "why the library does not exist",
    "area": "the area of CUDA's API, or pytorch",
    "rules": "a list of rules; [] for none",
    "replace": "the replacement",
    "after": "the text that replaces 'before'; '' removes the text",
    "note": "the reason",
    "reason": "the reason",
    "since": "a version: 2.6 for PyTorch, 'cuda 12.4' for CUDA",
    "until": "a version: 2.6 for PyTorch, 'cuda 12.4' for CUDA",
    "example": "a table: {before: text, after: text}",
}
"""Maps a key to the description of its value, for the help text `write <description>`."""


def wanted(path: Path_) -> str:
    """Help text `write ...` that describes the value to write at `path`, where the file has an empty value."""
    names = [step for step in path if isinstance(step, str)]
    if len(names) > 1 and names[-2] == "libraries":
        words = _LIBRARY
    else:
        words = _WORDS.get(names[-1] if names else "", "a value")
    return f"write {words}"


def empty_places(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of each null value in `data`: the keys and list indexes that lead to the value."""
    if data is None and path:
        yield path
    elif isinstance(data, dict):
        for key, value in data.items():
            if value is None or isinstance(value, dict | list):
                yield from empty_places(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            if value is None or isinstance(value, dict | list):
                yield from empty_places(value, (*path, index))
