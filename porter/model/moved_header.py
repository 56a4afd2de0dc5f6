"""Headers of the selection whose definitions upstream has moved or removed."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class HeaderState(StrEnum):
    """State of a header whose definitions are no longer in it."""

    SHIM = "shim"
    """The header is there, and includes the one that has its definitions."""
    GONE = "gone"
    """The header is not there."""


class MovedHeader(NamedTuple):
    """Header of the selection without the definitions that it had."""

    path: str
    """Upstream path."""
    state: HeaderState
    to: tuple[str, ...]
    """Upstream paths of the headers that have its definitions; empty when none has."""
    last: str = ""
    """Last known release that had the header; empty for a shim."""
    unported: tuple[str, ...] = ()
    """Headers in `to` that are not in the port."""
