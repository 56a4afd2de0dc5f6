"""Reader of debug information: DWARF 4, section .debug_info, of one object file.

Source of the format: DWARF Debugging Information Format, version 4 (dwarfstd.org).
"""

from __future__ import annotations

import struct
from typing import NamedTuple

# Attributes that the audit reads.
NAME, BYTE_SIZE, BIT_OFFSET, BIT_SIZE = 0x03, 0x0B, 0x0C, 0x0D
UPPER_BOUND, COUNT, MEMBER_LOCATION, DECL_FILE = 0x2F, 0x37, 0x38, 0x3A
DECLARATION, SPECIFICATION, TYPE, VIRTUALITY, SLOT = 0x3C, 0x47, 0x49, 0x4C, 0x4D
ARTIFICIAL, DATA_BIT_OFFSET, STATEMENTS = 0x34, 0x6B, 0x10

_OP_CONSTU = 0x10
_FIXED = {
    0x01: "Q",  # addr
    0x05: "H",  # data2
    0x06: "I",  # data4
    0x07: "Q",  # data8
    0x0B: "B",  # data1
    0x0C: "B",  # flag
    0x0E: "I",  # strp
    0x10: "I",  # ref_addr
    0x11: "B",  # ref1
    0x12: "H",  # ref2
    0x13: "I",  # ref4
    0x14: "Q",  # ref8
    0x17: "I",  # sec_offset
    0x19: "",  # flag_present
}
"""Maps each form of a fixed size to the format character of the module `struct`."""
_STRING, _BLOCK1, _BLOCK2, _BLOCK4 = 0x08, 0x0A, 0x03, 0x04
_SDATA, _UDATA, _REF_UDATA, _STRP = 0x0D, 0x0F, 0x15, 0x0E
_BLOCK, _EXPRLOC, _FLAG_PRESENT = 0x09, 0x18, 0x19
_REFERENCES = (0x11, 0x12, 0x13, 0x14, _REF_UDATA)
_EXPRESSIONS = (_BLOCK, _EXPRLOC, _BLOCK1, _BLOCK2, _BLOCK4)


class Entry:
    """Debugging information entry of DWARF. It describes a type, a function, a namespace or a similar entity."""

    __slots__ = ("attributes", "children", "tag")

    def __init__(self, tag: int, attributes: dict[int, int]) -> None:
        self.tag = tag
        self.attributes = attributes
        """Maps an attribute to its value.

        The value is a number, the offset of an entry (for a reference), or an offset in `DebugInfo.strings` (for a
        name).
        """
        self.children: list[Entry] = []


class DebugInfo(NamedTuple):
    """Entries of one translation unit."""

    unit: Entry
    by_offset: dict[int, Entry]
    files: tuple[str, ...]
    """Source files. The value of the attribute DECL_FILE is an index into this tuple."""
    strings: bytes

    def text(self, entry: Entry) -> str:
        """Name of an entry; empty when it has none."""
        start = entry.attributes.get(NAME)
        if start is None:
            return ""
        return self.strings[start : self.strings.index(b"\0", start)].decode("utf-8", "replace")


class _Abbreviation(NamedTuple):
    tag: int
    has_children: bool
    attributes: tuple[tuple[int, int], ...]
    """(attribute, form) of each value."""
    fixed: struct.Struct | None
    """Reader of all values at once; None if a form has no fixed size."""


def read(sections: dict[str, bytes]) -> DebugInfo:
    """Debug information in the sections of an object file.

    Raises ValueError for versions other than DWARF 4, and for damaged sections.
    """
    try:
        return _read(sections)
    except (KeyError, IndexError, struct.error) as error:
        raise ValueError(f"damaged debug information: {error}") from None


def _read(sections: dict[str, bytes]) -> DebugInfo:
    # Names in .debug_info itself are appended to the shared strings, so that all names are offsets.
    info, strings = sections[".debug_info"], bytearray(sections.get(".debug_str", b""))
    length, version, abbreviations, address = struct.unpack_from("<IHIB", info)
    if version != 4 or address != 8:
        raise ValueError(f"DWARF {version} with addresses of {address} bytes, expected 4 and 8")
    table = _abbreviations(sections[".debug_abbrev"], abbreviations)
    by_offset: dict[int, Entry] = {}
    parents: list[Entry] = []
    place, end = 11, length + 4
    unit: Entry | None = None
    while place < end:
        offset = place
        code, place = _uleb(info, place)
        if not code:
            parents.pop()
            if not parents:
                break
            continue
        abbreviation = table[code]
        if abbreviation.fixed:
            values = abbreviation.fixed.unpack_from(info, place)
            place += abbreviation.fixed.size
            pending = iter(values)
            attributes = {
                name: 1 if form == _FLAG_PRESENT else next(pending)
                for name, form in abbreviation.attributes
            }
        else:
            attributes, place = _values(abbreviation, info, place, strings)
        entry = Entry(abbreviation.tag, attributes)
        by_offset[offset] = entry
        if parents:
            parents[-1].children.append(entry)
        unit = unit or entry
        if abbreviation.has_children:
            parents.append(entry)
    if unit is None:
        raise ValueError("no debug information")
    lines = sections.get(".debug_line", b"")
    files = _files(lines, unit.attributes.get(STATEMENTS, 0)) if lines else ()
    return DebugInfo(unit, by_offset, files, bytes(strings))


def _abbreviations(data: bytes, place: int) -> dict[int, _Abbreviation]:
    table: dict[int, _Abbreviation] = {}
    while True:
        code, place = _uleb(data, place)
        if not code:
            return table
        tag, place = _uleb(data, place)
        has_children = bool(data[place])
        place += 1
        attributes = []
        while True:
            name, place = _uleb(data, place)
            form, place = _uleb(data, place)
            if not (name or form):
                break
            attributes.append((name, form))
        fixed = None
        if all(form in _FIXED for _, form in attributes):
            fixed = struct.Struct("<" + "".join(_FIXED[form] for _, form in attributes))
        table[code] = _Abbreviation(tag, has_children, tuple(attributes), fixed)


def _values(
    abbreviation: _Abbreviation, data: bytes, place: int, strings: bytearray
) -> tuple[dict[int, int], int]:
    attributes = {}
    for name, form in abbreviation.attributes:
        if form in _FIXED:
            size = struct.calcsize("<" + _FIXED[form])
            value = int.from_bytes(data[place : place + size], "little") if size else 1
            place += size
        elif form in (_UDATA, _REF_UDATA):
            value, place = _uleb(data, place)
        elif form == _SDATA:
            value, place = _sleb(data, place)
        elif form == _STRING:
            end = data.index(b"\0", place)
            value = len(strings)
            strings += data[place : end + 1]
            place = end + 1
        elif form in _EXPRESSIONS:
            value, place = _expression(form, data, place)
        else:
            raise ValueError(f"unknown form 0x{form:x}")
        attributes[name] = value
    return attributes, place


def _expression(form: int, data: bytes, place: int) -> tuple[int, int]:
    """Value of a DWARF expression, and the position after the expression.

    The value is the operand of a single DW_OP_constu (the slot of a virtual function); -1 for any other expression.
    """
    if form in (_BLOCK, _EXPRLOC):
        length, place = _uleb(data, place)
    else:
        width = {_BLOCK1: 1, _BLOCK2: 2, _BLOCK4: 4}[form]
        length = int.from_bytes(data[place : place + width], "little")
        place += width
    value = -1
    if length and data[place] == _OP_CONSTU:
        number, end = _uleb(data, place + 1)
        value = number if end == place + length else -1
    return value, place + length


def _files(data: bytes, place: int) -> tuple[str, ...]:
    """File names of a line number program (version 2 to 4); index 0 is empty."""
    version = int.from_bytes(data[place + 4 : place + 6], "little")
    if version > 4:
        raise ValueError(f"line numbers of DWARF {version}, expected 4 or less")
    place += 10 + (5 if version < 4 else 6)
    opcodes = data[place - 1]
    place += opcodes - 1
    folders = [""]
    while data[place]:
        end = data.index(b"\0", place)
        folders.append(data[place:end].decode("utf-8", "replace"))
        place = end + 1
    names = [""]
    place += 1
    while data[place]:
        end = data.index(b"\0", place)
        name = data[place:end].decode("utf-8", "replace")
        folder, place = _uleb(data, end + 1)
        _, place = _uleb(data, place)
        _, place = _uleb(data, place)
        names.append(f"{folders[folder]}/{name}" if folder else name)
    return tuple(names)


def _uleb(data: bytes, place: int) -> tuple[int, int]:
    value = data[place]
    place += 1
    if value < 0x80:
        return value, place
    value &= 0x7F
    shift = 7
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7


def _sleb(data: bytes, place: int) -> tuple[int, int]:
    value, end = _uleb(data, place)
    bits = 7 * (end - place)
    return (value - (1 << bits) if value >> (bits - 1) else value), end
