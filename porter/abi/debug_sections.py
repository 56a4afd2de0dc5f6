"""Debug sections of an object file (ELF, 64 bit, little endian), with their relocations applied.

Source of the format: System V ABI, <elf.h>.
"""

from __future__ import annotations

import struct

_RELA = 4
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_RELOCATION = struct.Struct("<QQq")


def read(data: bytes) -> dict[str, bytes]:
    """Maps the name of each section that begins with `.debug_` to its content.

    Raises ValueError for a damaged file, and for a file that is not 64-bit little-endian ELF.
    """
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    try:
        return _read(data)
    except (IndexError, struct.error) as error:
        raise ValueError(f"damaged object file: {error}") from None


def _read(data: bytes) -> dict[str, bytes]:
    header = _HEADER.unpack_from(data)
    start, size, count, names = header[6], header[11], header[12], header[13]
    first = _SECTION.unpack_from(data, start)
    # In a file with 65,280 (SHN_LORESERVE) or more sections, the header of section 0 contains these two numbers.
    count, names = count or first[5], first[6] if names == 0xFFFF else names
    sections = [_SECTION.unpack_from(data, start + number * size) for number in range(count)]
    text = sections[names][4]
    found = {}
    for number, section in enumerate(sections):
        begin = text + section[0]
        name = data[begin : data.index(b"\0", begin)].decode("ascii", "replace")
        if name.startswith(".debug_"):
            found[number] = name, bytearray(data[section[4] : section[4] + section[5]])
    for section in sections:
        if section[1] == _RELA and section[7] in found:
            _relocate(found[section[7]][1], data[section[4] : section[4] + section[5]])
    return {name: bytes(content) for name, content in found.values()}


def _relocate(content: bytearray, relocations: bytes) -> None:
    """Write the addend of each relocation into `content`: the 4-byte offset into another debug section."""
    pack = struct.Struct("<I").pack_into
    for offset, _, addend in _RELOCATION.iter_unpack(relocations):
        pack(content, offset, addend & 0xFFFFFFFF)
