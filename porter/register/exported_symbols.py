"""Reader of symbols in libtorch_cpu and in built objects.

The module finds the names that libtorch_cpu exports, the names that objects define, and the DispatchStubs for which
objects register a function.

    exported(Path("torch/lib/libtorch_cpu.so"))      # frozenset({"at::native::abs_out", ...})

Reading the 84,000 symbols of libtorch_cpu takes 0.8 s; the result is cached by path, size and modification time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import disk_cache, elf
from porter.base.file_records import FileRecords
from porter.base.fingerprint import Answer
from porter.base.fs import stamp

_CODE = ("base", "register")
SYMBOLS = Answer("symbols", _CODE)
OBJECTS = Answer("objects", _CODE)
_NESTED = re.compile(r"_ZNK?(?=[L\d])")
_LENGTH = re.compile(r"L?(\d+)")
_NATIVE = "at::native::"
"""Namespace of all DispatchStubs."""


class ProvidedSymbols(NamedTuple):
    """Functions that objects define, and DispatchStubs for which the objects register functions."""

    functions: frozenset[str]
    """Qualified names of the defined functions: `at::native::abs_cuda`."""
    stubs: frozenset[str]
    """DispatchStubs for which the objects register a function when they are loaded: `abs_stub`."""


def qualified(mangled: str) -> str | None:
    """Qualified name (`at::native::abs_out`) of a mangled function or variable in a namespace or class; else None.

    Templates, overloaded operators and special member functions also give None: they are never kernels. Mangling:
    Itanium C++ ABI, section 5.1.
    """
    start = _NESTED.match(mangled)
    if not start:
        return None
    at, parts = start.end(), []
    while length := _LENGTH.match(mangled, at):
        at = length.end() + int(length[1])
        parts.append(mangled[length.end() : at])
        # An ABI tag such as `B5cxx11` is not part of the name.
        while mangled[at : at + 1] == "B" and (tag := _LENGTH.match(mangled, at + 1)):
            at = tag.end() + int(tag[1])
    return "::".join(parts) if mangled[at : at + 1] == "E" else None


def exported(library: Path) -> frozenset[str]:
    """Qualified names that a shared library exports. Raises SourceError when the file cannot be read."""
    key = stamp([library.resolve()])
    names: frozenset[str] = disk_cache.computed_once(
        SYMBOLS, key, frozenset[str], lambda: frozenset(_qualified(elf.read(library).defined))
    )
    return names


def provided(objects: Sequence[Path], memory: Path | None = None) -> ProvidedSymbols:
    """Functions that object files define, and DispatchStubs for which the object files register functions.

    `memory` is a file that stores the result of each object, so that only new objects are read. Raises SourceError if
    an object cannot be read.
    """
    records = FileRecords(memory, OBJECTS, _Object)
    found = [records.of(path, _object) for path in objects]
    records.save()
    return ProvidedSymbols(
        frozenset(name for entry in found for name in entry.functions),
        frozenset(name for entry in found for name in entry.stubs),
    )


class _Object(NamedTuple):
    """Symbols of one object file."""

    functions: tuple[str, ...]
    stubs: tuple[str, ...]


def _object(path: Path) -> _Object:
    symbols = elf.read(path)
    # `static RegisterPRIVATEUSE1Dispatch<...> abs_stub__register(abs_stub, ...)` (ATen/native/DispatchStub.h) defines a
    # variable that the compiler optimises away. Only the reference to the stub, in the file's initialiser, remains.
    started = _qualified(symbols.started & symbols.undefined)
    stubs = sorted(n.removeprefix(_NATIVE) for n in started if n.startswith(_NATIVE))
    return _Object(tuple(sorted(_qualified(symbols.defined))), tuple(stubs))


def _qualified(mangled: Iterable[str]) -> set[str]:
    return {name for name in map(qualified, mangled) if name}
