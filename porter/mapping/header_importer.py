"""Import of a vendor's header as a table of names.

Two forms are read: macros that define one name as another, as wrapper headers have (`#define cudaMalloc mcMalloc`), and
declarations of names that the rules of a target propose for CUDA's names (`mcError_t mcMalloc(void**, size_t);`).
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
"""Macro whose text is one name, or one call if the macro has parameters."""


def read(path: Path, area: str, inventory: Inventory, rules: RuleSet | None = None) -> Imported:
    """Table of the names of one API area in a header.

    Args:
        rules: rules of a target, for a header with the declarations of the target's SDK.

    Raises MappingError when the file is unreadable, or contains no name of the area.
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
        wanted = (
            f"a name that the rules of {rules.target} propose"
            if rules
            else "#define cudaMalloc ..."
        )
        help = f"expected {wanted}, for a name of CUDA in area {area}"
        if not rules:
            help += "; --target NAME reads declarations of the target's SDK"
        raise MappingError("has no such name", str(path), help)
    return importer.table_of(pairs, left)


def _aliases(
    text: str, area: str, inventory: Inventory
) -> Iterator[ImportedEntry | UnimportedEntry]:
    """Macros between a name of CUDA and a name of the vendor, in either direction."""
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
    """Names of CUDA whose replacement by the rules is declared in the header."""
    lines = {found.name: found.line for found in header_declarations(text).declarations}
    decider = Decider(rules)
    for name in inventory.names(area):
        new = decider.decide(name).replace
        if new and new != name and new in lines:
            yield ImportedEntry(name, new, lines[new])
