"""Reader of the symbols in object files and shared libraries (ELF, 64 bit, little endian).

Source of the format: System V ABI, <elf.h>.
"""

from __future__ import annotations

import bisect
import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import SourceError

_SYMTAB, _RELA, _DYNSYM, _VERSIONS = 2, 4, 11, 0x6FFFFFFF
_UNDEFINED = 0
_LOCAL, _WEAK = 0, 2
_FUNCTION = 2
_UNVERSIONED = 1
"""VER_NDX_GLOBAL: symbol versions start above this number. Bit 15 of a version marks a hidden (non-default) version."""
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")


class _Section(NamedTuple):
    kind: int
    offset: int
    size: int
    link: int
    info: int


class _Symbol(NamedTuple):
    name: str
    binding: int
    function: bool
    section: int
    value: int
    size: int


class ElfSymbols(NamedTuple):
    """Mangled names of the symbols of one file."""

    defined: frozenset[str]
    """Functions and data that other files can refer to."""
    undefined: frozenset[str]
    """Symbols that other files must define. Two kinds are excluded: weak symbols, because they may stay undefined, and
    symbols with a version, because the linker has already found them in a library."""
    started: frozenset[str]
    """Symbols that the static initialisers of an object file use, including symbols that the file defines. Empty for a
    shared library."""


def read(path: Path) -> ElfSymbols:
    """Symbols of an object file, or symbols that a shared library exports and requires.

    Raises SourceError for a file that cannot be read or is not an ELF file of 64 bit, little endian.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _of(data)
    except (OSError, ValueError, struct.error) as error:
        raise SourceError(f"its symbols cannot be read: {error}", str(path)) from None


def _of(data: mmap.mmap) -> ElfSymbols:
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not an ELF file of 64 bit, little endian")
    sections = _sections(data)
    table = next((n for n, s in enumerate(sections) if s.kind in (_DYNSYM, _SYMTAB)), None)
    if table is None:
        raise ValueError("it has no symbol table")
    symbols = _symbols(data, sections, table)
    versions = _versions(data, sections, table)
    defined = {s.name for s in symbols if s.binding != _LOCAL and s.section != _UNDEFINED}
    undefined = {
        symbol.name
        for number, symbol in enumerate(symbols)
        if symbol.section == _UNDEFINED
        and symbol.binding not in (_LOCAL, _WEAK)
        and not (versions and versions[number] & 0x7FFF > _UNVERSIONED)
    }
    started = set(_started(data, sections, table, symbols))
    return ElfSymbols(frozenset(defined), frozenset(undefined), frozenset(started))


def _sections(data: mmap.mmap) -> list[_Section]:
    header = _HEADER.unpack_from(data)
    start, size, count = header[6], header[11], header[12]
    if count == 0:
        # In a file with 65,280 sections (SHN_LORESERVE) or more, the size field of the first section is their number.
        count = _SECTION.unpack_from(data, start)[5]
    found = []
    for number in range(count):
        _, kind, _, _, offset, length, link, info, _, _ = _SECTION.unpack_from(
            data, start + number * size
        )
        found.append(_Section(kind, offset, length, link, info))
    return found


def _symbols(data: mmap.mmap, sections: list[_Section], table: int) -> list[_Symbol]:
    place = sections[table]
    strings = sections[place.link]
    text = data[strings.offset : strings.offset + strings.size]
    found = []
    for name, info, _, section, value, size in _SYMBOL.iter_unpack(
        data[place.offset : place.offset + place.size]
    ):
        word = text[name : text.index(b"\0", name)].decode("latin-1")
        found.append(_Symbol(word, info >> 4, info & 15 == _FUNCTION, section, value, size))
    return found


def _versions(data: mmap.mmap, sections: list[_Section], table: int) -> tuple[int, ...]:
    """Version number of each symbol; empty when the symbols of the file have no versions."""
    for section in sections:
        if section.kind == _VERSIONS and section.link == table:
            raw = data[section.offset : section.offset + section.size]
            return struct.unpack(f"<{len(raw) // 2}H", raw)
    return ()


def _started(
    data: mmap.mmap, sections: list[_Section], table: int, symbols: list[_Symbol]
) -> Iterator[str]:
    """Names of the symbols that static initialisers use, read from the relocations of the initialisers' functions.

    Static initialisers run when the file is loaded. GCC and clang call their functions `_GLOBAL__sub_I_<file>`. Code
    that is not inlined goes into `__static_initialization_and_destruction_0` (GCC) or `__cxx_global_var_init` (clang).
    """
    spans: dict[int, list[tuple[int, int]]] = {}
    for symbol in symbols:
        if symbol.function and _runs_at_start(symbol.name):
            spans.setdefault(symbol.section, []).append((symbol.value, symbol.value + symbol.size))
    for listed in spans.values():
        listed.sort()
    for section in sections:
        if section.kind != _RELA or section.link != table or section.info not in spans:
            continue
        within = spans[section.info]
        raw = data[section.offset : section.offset + section.size]
        for offset, info, _ in _RELOCATION.iter_unpack(raw):
            at = bisect.bisect_right(within, (offset, 1 << 64)) - 1
            if at >= 0 and offset < within[at][1] and (name := symbols[info >> 32].name):
                yield name


def _runs_at_start(name: str) -> bool:
    return name.startswith(
        (
            "_GLOBAL__sub_I_",
            "_Z41__static_initialization_and_destruction_0",
            "__cxx_global_var_init",
        )
    )
