"""Import of a vendor's header as a table of names.

The header contains macros that define a CUDA name as a vendor's name or the reverse, as in wrapper headers (`#define
cudaMalloc mcMalloc`), or it declares the names by which a target's rules replace CUDA's names (`mcError_t
mcMalloc(void**, size_t);`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from porter.base import regular_files
from porter.base.errors import MappingError
from porter.cpp.header_declarations import header_declarations
from porter.mapping import importer
from porter.mapping.importer import Imported, ImportedEntry, UnimportedEntry
from porter.mapping.inventory import Inventory
from porter.mapping.resolve_name import Decider
from porter.model.rules import RuleSet

SUFFIXES = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl")
_DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\()?(?:[^\n]*?\)[ \t]+|[ \t]+)(\w+)[ \t]*(\(.*\))?[ \t]*(?:/[/*].*)?$",
    re.MULTILINE | re.ASCII,
)
"""Macro that is defined as a single name, or as a single call if the macro has parameters."""


def read(path: Path, area: str, inventory: Inventory, rules: RuleSet | None = None) -> Imported:
    """Read a table of names of one API area from a header.

    Args:
        rules: rules of a target, if the header contains declarations of the target's SDK.

    Raises MappingError when the file is unreadable, or contains no entry for the area.
    """
    try:
        text = regular_files.read_bytes(path).decode(errors="replace")
    except OSError as error:
        raise MappingError(f"cannot be read: {error.strerror}", str(path)) from None
    pairs: list[ImportedEntry] = []
    left: list[UnimportedEntry] = []
    for entry in _aliases(text, area, inventory):
        (pairs if isinstance(entry, ImportedEntry) else left).append(entry)  # type: ignore[arg-type]
    if rules:
        known = {pair.old for pair in pairs}
        pairs += (pair for pair in _declared(text, area, inventory, rules) if pair.old not in known)
    if not pairs:
        help = (
            f"give a header that declares replacements by the rules of {rules.target} for names of area {area}"
            if rules
            else f"give a header with macros such as #define cudaMalloc acmeMalloc for names of area {area}, "
            "or add --target NAME to read declarations of the target's SDK"
        )
        raise MappingError(f"contains no name to import for area {area}", str(path), help)
    return importer.table_of(pairs, left)


def _aliases(
    text: str, area: str, inventory: Inventory
) -> Iterator[ImportedEntry | UnimportedEntry]:
    """Yield an entry for each macro that defines a CUDA name as a vendor's name, or a vendor's name as a CUDA name."""
    area_of = inventory.area_of()
    for match in _DEFINE.finditer(text):
        first, parameters, second, arguments = match.groups()
        is_first = first in area_of
        if first == second or not (is_first or second in area_of):
            continue
        old, new = (first, second) if is_first else (second, first)
        line = text.count("\n", 0, match.start()) + 1
        if parameters or arguments:
            yield UnimportedEntry(
                "a macro with parameters: write a `call` rule", match[0].strip(), line
            )
        elif area_of[old] != area:
            yield UnimportedEntry(f"a name of area {area_of[old]}", f"{old}: {new}", line)
        elif new in area_of:
            yield UnimportedEntry("both names are CUDA's", match[0].strip(), line)
        else:
            yield ImportedEntry(old, new, line)


def _declared(
    text: str, area: str, inventory: Inventory, rules: RuleSet
) -> Iterator[ImportedEntry]:
    """Yield an entry for each CUDA name of the area, if the header declares the name by which the rules replace it."""
    lines = {found.name: found.line for found in header_declarations(text).declarations}
    decider = Decider(rules)
    for name in inventory.names(area):
        new = decider.decide(name).replace
        if new and new != name and new in lines:
            yield ImportedEntry(name, new, lines[new])
