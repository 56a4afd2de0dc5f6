"""Layouts of C++ classes: sizes, offsets, bases and virtual functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Field(NamedTuple):
    """Non-static data member."""

    name: str
    """Empty for an anonymous union or struct."""
    offset: int
    """Offset in bits from the start of the object."""
    size: int
    """Size in bits; 0 when the compiler does not state it."""


class Base(NamedTuple):
    """Direct base class."""

    name: str
    offset: int
    """Offset in bytes; -1 for a virtual base."""


class VirtualFunction(NamedTuple):
    """Virtual function that a class declares or overrides."""

    slot: int
    """Index in the vtable."""
    signature: str
    """Name and parameter types: `allocate(size_t)`."""


class ClassLayout(NamedTuple):
    """Layout of one class, as the compiler's debug information states it."""

    name: str
    """Qualified name with template arguments: `c10::MessageLogger`."""
    header: str
    """Path in `#include`: `c10/util/logging_is_not_google_glog.h`."""
    size: int
    """Size in bytes."""
    bases: tuple[Base, ...]
    fields: tuple[Field, ...]
    functions: tuple[VirtualFunction, ...]
    used_by: tuple[str, ...]
    """Sources of the backend that use the class; empty for a class that the backend does not use."""

    @property
    def template(self) -> str:
        """Name without template arguments."""
        return self.name.partition("<")[0]


class ReleaseLayouts(NamedTuple):
    """Layouts of the classes in the headers of one PyTorch release."""

    release: str
    compiler: str
    cxx11_abi: bool
    classes: tuple[ClassLayout, ...]
    """Classes, sorted by name."""
    left_out: tuple[str, ...]
    """Headers that the backend includes and that do not compile on their own, each with the compiler's message."""


class ClassChange(NamedTuple):
    """Class that the backend uses and whose layout differs between two releases."""

    name: str
    header: str
    """Path of the header: in the newer release, or in the older release for a removed class."""
    used_by: tuple[str, ...]
    changes: tuple[str, ...]
    """Descriptions of the changes: `size 408 -> 400`."""


class LayoutDiff(NamedTuple):
    """Differences between the layouts of two releases."""

    before: str
    """Older release."""
    after: str
    compared: int
    """Number of classes that the backend uses and that both releases have."""
    changes: tuple[ClassChange, ...]


class LayoutDifference(NamedTuple):
    """Summary of the layout differences between two releases."""

    classes: int
    """Number of classes that the backend uses and whose layouts differ."""
    example: str
    """Name of one class whose layout differs."""


class TorchLayout(NamedTuple):
    """Facts about the PyTorch that a backend was compiled with, to compare with the installed PyTorch."""

    commit: str = ""
    """`torch.version.git_version`; empty if unknown."""
    headers: Mapping[str, str] = {}
    """Maps each header with classes that the backend uses to the hexadecimal sha256 of the header."""
    differences: Mapping[str, LayoutDifference] = {}
    """Maps a known release, whose layouts differ from those of this PyTorch, to a summary of the differences."""
