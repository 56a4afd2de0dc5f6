"""Layouts of C++ classes: sizes, offsets, bases and virtual functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Field(NamedTuple):
    """Non-static data member."""

    name: str
    """Empty for an anonymous union or struct."""
    offset: int
    """In bits, from the start of the object."""
    size: int
    """In bits; 0 where the compiler does not tell."""


class Base(NamedTuple):
    """Direct base class."""

    name: str
    offset: int
    """In bytes; -1 for a virtual base."""


class VirtualFunction(NamedTuple):
    """Virtual function that a class declares or overrides."""

    slot: int
    """Index in the vtable."""
    signature: str
    """Name and parameter types: `allocate(size_t)`."""


class ClassLayout(NamedTuple):
    """Layout of one class, as the compiler's debug information states it."""

    name: str
    """Qualified, with template arguments: `c10::MessageLogger`."""
    header: str
    """Path in `#include`: `c10/util/logging_is_not_google_glog.h`."""
    size: int
    """In bytes."""
    bases: tuple[Base, ...]
    fields: tuple[Field, ...]
    functions: tuple[VirtualFunction, ...]
    used_by: tuple[str, ...]
    """Sources of the backend that use the class; empty for the other classes of the headers."""

    @property
    def template(self) -> str:
        """Name without template arguments."""
        return self.name.partition("<")[0]


class ReleaseLayouts(NamedTuple):
    """Layouts of the classes in the headers of one PyTorch."""

    release: str
    compiler: str
    cxx11_abi: bool
    classes: tuple[ClassLayout, ...]
    """Sorted by name."""
    left_out: tuple[str, ...]
    """Headers that the backend includes and that do not compile on their own, each with the compiler's message."""


class ClassChange(NamedTuple):
    """Used class whose layout differs between two releases."""

    name: str
    header: str
    """Header of the newer release; of the older release if the class is gone."""
    used_by: tuple[str, ...]
    changes: tuple[str, ...]
    """Each a sentence part: `size 408 -> 400`."""


class LayoutDiff(NamedTuple):
    """Differences of the layouts of two releases."""

    before: str
    """Release."""
    after: str
    compared: int
    """Used classes that both releases have."""
    changes: tuple[ClassChange, ...]


class LayoutDifference(NamedTuple):
    """Difference between the layouts of two releases, in short."""

    classes: int
    """Used classes that differ."""
    example: str
    """One of them."""


class TorchLayout(NamedTuple):
    """Facts of the PyTorch that a backend was compiled against, by which the layout of another one is told."""

    commit: str = ""
    """`torch.version.git_version`; empty when it is unknown."""
    headers: Mapping[str, str] = {}
    """Header that declares used classes -> hexadecimal sha256 of the file."""
    differences: Mapping[str, LayoutDifference] = {}
    """Known release -> difference of its layouts."""
