"""Names that the headers of a vendor's SDK declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class SdkName(NamedTuple):
    """One declaration in a header of an SDK."""

    name: str
    namespace: str
    """Namespaces around the name, `rocprim::detail`; empty for the global namespace."""
    kind: str
    """`function`, `type`, `enumerator`, `variable` or `macro`."""
    header: str
    """Path below the include folder."""
    line: int
    parameters: tuple[str, ...] | None = None
    """Kind of each parameter of a function: `pointer`, `integer`, `real`, `record` or `other`.

    None for other names, and for a function with `...` or a parameter pack.
    """
    types: tuple[str, ...] = ()
    """Type of each parameter as the header spells it."""
    required: int = 0
    """Number of parameters without a default value."""


class SdkInventory(NamedTuple):
    """Declarations in the headers of an SDK that a port includes."""

    target: str
    folders: tuple[str, ...]
    headers: tuple[str, ...]
    """Include paths of the headers that were read."""
    incomplete: Mapping[str, str]
    """Include path -> first error of the parser. Declarations after the error may be missing."""
    names: tuple[SdkName, ...]
    """Declarations, sorted by name, without duplicates (same header, namespace and parameters)."""
