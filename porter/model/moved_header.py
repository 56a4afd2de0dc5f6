"""Headers of the selection whose definitions upstream has moved or removed."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class HeaderState(StrEnum):
    """State of a header that has lost its definitions."""

    SHIM = "shim"
    """The header exists, but only includes the header to which upstream moved the definitions."""
    GONE = "gone"
    """The header no longer exists."""


class MovedHeader(NamedTuple):
    """Header of the selection that has lost its definitions."""

    path: str
    """Upstream path."""
    state: HeaderState
    to: tuple[str, ...]
    """Upstream paths of the headers that now have the definitions; empty when no header has them."""
    last: str = ""
    """Last known release that had the header; empty for a shim."""
    unported: tuple[str, ...] = ()
    """Headers in `to` that are not in the port."""
