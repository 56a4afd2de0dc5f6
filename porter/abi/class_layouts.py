"""Reader of class layouts in debug information."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from porter.abi import dwarf
from porter.abi.dwarf import DebugInfo, Entry
from porter.model.class_layout import Base, Field, VirtualFunction

_ARRAY, _CLASS, _ENUMERATION, _PARAMETER, _MEMBER = 0x01, 0x02, 0x04, 0x05, 0x0D
_POINTER, _REFERENCE, _UNIT, _STRUCTURE, _SUBROUTINE = 0x0F, 0x10, 0x11, 0x13, 0x15
_TYPEDEF, _UNION, _INHERITANCE, _SUBRANGE, _BASE_TYPE = 0x16, 0x17, 0x1C, 0x21, 0x24
_CONST, _FUNCTION, _TEMPLATE_TYPE, _VOLATILE = 0x26, 0x2E, 0x2F, 0x35
_NAMESPACE, _RVALUE_REFERENCE, _MEMBER_POINTER = 0x39, 0x42, 0x1F
_ARGUMENT_PACK = 0x4107
"""Value of DW_TAG_GNU_template_parameter_pack, the tag of the type arguments of a parameter pack."""

_CLASSES = (_CLASS, _STRUCTURE, _UNION)
_POINTERS = {_POINTER: "*", _REFERENCE: "&", _RVALUE_REFERENCE: "&&"}
_POINTER_SIZE = 8
_DEEPEST = 12
"""Largest nesting depth of template arguments that is examined."""


class FoundClass(NamedTuple):
    """Layout of a class, with the facts that decide whether the backend uses the class."""

    name: str
    header: str
    size: int
    bases: tuple[Base, ...]
    fields: tuple[Field, ...]
    virtual: tuple[VirtualFunction, ...]
    functions: frozenset[str]
    """Names of the member functions, static ones included."""
    reaches: frozenset[str]
    """Names of the classes in the types of bases, fields and template arguments; pointers are followed."""


def read(info: DebugInfo, header_of: Callable[[str], str | None]) -> dict[str, FoundClass]:
    """Maps the qualified name of each complete class in PyTorch's headers to its layout.

    `header_of` returns the include path of a PyTorch header, and None for any other file.
    """
    return _Reader(info, header_of).classes()


class _Reader:
    def __init__(self, info: DebugInfo, header_of: Callable[[str], str | None]) -> None:
        self._info = info
        self._headers = tuple(map(header_of, info.files))
        self._names: dict[int, str] = {}
        """Maps the `id` of the entry object of a class or an enumeration to the qualified name."""
        self._scoped: list[Entry] = []
        self._name_all(info.unit, "")

    def classes(self) -> dict[str, FoundClass]:
        found = {}
        for entry in self._scoped:
            name, header = self._names[id(entry)], self._header(entry)
            if header and name and dwarf.BYTE_SIZE in entry.attributes and name not in found:
                found[name] = self._class(entry, name, header)
        return found

    def _name_all(self, scope: Entry, prefix: str) -> None:
        for entry in scope.children:
            if entry.tag == _NAMESPACE:
                name = self._info.text(entry) or "(anonymous namespace)"
                self._name_all(entry, f"{prefix}{name}::")
            elif entry.tag in _CLASSES or entry.tag == _ENUMERATION:
                name = self._qualified(entry, prefix)
                self._names[id(entry)] = name
                if entry.tag in _CLASSES:
                    self._scoped.append(entry)
                    self._name_all(entry, f"{name}::" if name else prefix)

    def _qualified(self, entry: Entry, prefix: str) -> str:
        """Qualified name of an entry; empty for an unnamed class.

        The entry of a definition outside its namespace or class refers to the declaration, which has the name.
        """
        declared = entry.attributes.get(dwarf.SPECIFICATION)
        if declared is not None and (other := self._info.by_offset.get(declared)):
            return self._names.get(id(other), "")
        name = self._info.text(entry)
        return f"{prefix}{name}" if name else ""

    def _header(self, entry: Entry) -> str | None:
        number = entry.attributes.get(dwarf.DECL_FILE, 0)
        return self._headers[number] if number < len(self._headers) else None

    def _class(self, entry: Entry, name: str, header: str) -> FoundClass:
        bases, fields, virtual, functions = [], [], [], set()
        reaches = set(self._argument_classes(entry, 0))
        for child in entry.children:
            if child.tag == _INHERITANCE:
                bases.append(self._base(child))
                reaches |= self._reached(self._type(child))
            elif child.tag == _MEMBER and dwarf.DECLARATION not in child.attributes:
                fields.append(self._field(child))
                reaches |= self._reached(self._type(child))
            elif child.tag == _FUNCTION:
                functions.add(self._info.text(child))
                if (slot := child.attributes.get(dwarf.SLOT, -1)) >= 0:
                    virtual.append(VirtualFunction(slot, self._signature(child)))
        size = entry.attributes[dwarf.BYTE_SIZE]
        return FoundClass(
            name,
            header,
            size,
            tuple(bases),
            tuple(fields),
            tuple(sorted(virtual)),
            frozenset(functions),
            frozenset(reaches - {name}),
        )

    def _base(self, entry: Entry) -> Base:
        offset = entry.attributes.get(dwarf.MEMBER_LOCATION, 0)
        is_virtual = bool(entry.attributes.get(dwarf.VIRTUALITY))
        return Base(self._type_name(self._type(entry)), -1 if is_virtual else offset)

    def _field(self, entry: Entry) -> Field:
        values = entry.attributes
        size = 8 * self._size(self._type(entry))
        offset = 8 * values.get(dwarf.MEMBER_LOCATION, 0)
        bits = values.get(dwarf.BIT_SIZE)
        if dwarf.DATA_BIT_OFFSET in values:
            offset = values[dwarf.DATA_BIT_OFFSET]
        elif bits is not None:
            # DWARF 4 counts bits from the most significant bit of a storage unit.
            unit = 8 * values[dwarf.BYTE_SIZE] if dwarf.BYTE_SIZE in values else size
            offset += unit - values.get(dwarf.BIT_OFFSET, 0) - bits
        return Field(self._info.text(entry), offset, size if bits is None else bits)

    def _signature(self, entry: Entry) -> str:
        parameters = [
            self._type_name(self._type(child))
            for child in entry.children
            if child.tag == _PARAMETER and dwarf.ARTIFICIAL not in child.attributes
        ]
        return f"{self._info.text(entry)}({', '.join(parameters)})"

    def _type(self, entry: Entry) -> Entry | None:
        return self._info.by_offset.get(entry.attributes.get(dwarf.TYPE, -1))

    def _size(self, entry: Entry | None) -> int:
        """Size of a type in bytes; 0 for void, and for arrays without a bound."""
        while entry is not None:
            if (size := entry.attributes.get(dwarf.BYTE_SIZE)) is not None:
                return size
            if entry.tag in _POINTERS:
                return _POINTER_SIZE
            if entry.tag == _ARRAY:
                return self._size(self._type(entry)) * self._elements(entry)
            entry = self._type(entry)
        return 0

    def _elements(self, array: Entry) -> int:
        total = 1
        for child in array.children:
            if child.tag == _SUBRANGE:
                bound = child.attributes.get(dwarf.UPPER_BOUND)
                total *= child.attributes.get(dwarf.COUNT, 0 if bound is None else bound + 1)
        return total

    def _type_name(self, entry: Entry | None) -> str:
        if entry is None:
            return "void"
        if entry.tag in _POINTERS:
            return self._type_name(self._type(entry)) + _POINTERS[entry.tag]
        if entry.tag in (_CONST, _VOLATILE):
            word = "const" if entry.tag == _CONST else "volatile"
            return f"{word} {self._type_name(self._type(entry))}"
        return self._names.get(id(entry)) or self._info.text(entry) or "(unnamed)"

    def _reached(self, entry: Entry | None, depth: int = 0) -> set[str]:
        """Name of the PyTorch class that a type denotes; pointers, references and arrays are followed.

        For a class outside PyTorch, the names of PyTorch's classes in its template arguments, up to `_DEEPEST` levels.
        """
        while entry is not None and entry.tag not in _CLASSES:
            if entry.tag == _SUBROUTINE:
                return set()
            entry = self._type(entry)
        if entry is None or depth > _DEEPEST:
            return set()
        if self._header(entry) and (name := self._names.get(id(entry))):
            return {name}
        return set(self._argument_classes(entry, depth))

    def _argument_classes(self, entry: Entry, depth: int) -> Iterator[str]:
        for child in entry.children:
            if child.tag == _ARGUMENT_PACK:
                yield from self._argument_classes(child, depth)
            elif child.tag == _TEMPLATE_TYPE:
                yield from self._reached(self._type(child), depth + 1)
