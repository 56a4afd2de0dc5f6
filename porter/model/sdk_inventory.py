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

    None for a name that is no function, and for a function with `...` or a parameter pack.
    """
    types: tuple[str, ...] = ()
    """Type of each parameter as the header spells it."""
    required: int = 0
    """Number of parameters without a default value."""


class SdkInventory(NamedTuple):
    """Declarations in an SDK's headers, limited to the headers that a port includes."""

    target: str
    folders: tuple[str, ...]
    """Include folders of the SDK."""
    headers: tuple[str, ...]
    """Include paths of the headers that were read."""
    incomplete: Mapping[str, str]
    """Maps an include path to the first error of the parser. Declarations after the error may be missing."""
    names: tuple[SdkName, ...]
    """Declarations, sorted by name. A declaration that several headers include is listed once."""
