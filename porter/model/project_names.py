"""Names that a CUDA project declares, and names that PyTorch's headers declare.

With these names, the rewriter decides whether a word that looks like a name of CUDA belongs to the project.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class NameKind(StrEnum):
    """Kind of a declaration."""

    MACRO = "macro"
    BUILD_MACRO = "macro of the build"
    """Macro that a build file defines: `-DWITH_CUDA`."""
    NAMESPACE = "namespace"
    TYPE = "type"
    ENUMERATOR = "enumerator"
    FUNCTION = "function"
    VARIABLE = "variable"
    """Variable, data member, parameter, or parameter of a template or macro."""


class ProjectName(NamedTuple):
    """One name that a project declares."""

    kinds: frozenset[NameKind]
    place: str
    """Path and line of the first declaration: `csrc/common.h:12`."""


class PyTorchNames(NamedTuple):
    """Names that look like names of CUDA and that PyTorch's headers declare."""

    names: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    """Namespaces, classes and enumerations that contain such a name, without their own qualifiers: `DeviceType`."""


class ProjectNames(NamedTuple):
    """Names by which the port of a project decides which words the project itself declares."""

    own: Mapping[str, ProjectName]
    """Declared words that look like names of CUDA or that a rule would rename. Names of CUDA's headers are absent."""
    defined: Mapping[str, ProjectName]
    """Names of CUDA's headers for which the project has a definition of its own: a function with a body, a macro."""
    scopes: frozenset[str]
    """All namespaces, classes and enumerations that the project declares, also those without a vendor word."""
    uses_pytorch: bool
    """True if a source includes a header of PyTorch or uses one of its namespaces or macros."""
    pytorch: PyTorchNames
    renamed: Mapping[str, str] = {}
    """Maps own names to new names; empty unless the user asked for renaming."""

    @property
    def digest(self) -> str:
        """sha256 of the names. A port is made again if the digest changes."""
        parts = (
            sorted((word, *sorted(name.kinds), name.place) for word, name in self.own.items()),
            sorted((word, *sorted(name.kinds)) for word, name in self.defined.items()),
            sorted(self.scopes),
            self.uses_pytorch,
            sorted(self.pytorch.names),
            sorted(self.pytorch.scopes),
            sorted(self.renamed.items()),
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()
