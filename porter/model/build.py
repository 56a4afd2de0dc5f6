"""Rules, plan and result of a build of a port."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from porter.model.rules import Exclusion, SourceFlags

SCHEMA = 1

HOST = "host"
"""Source set that is always built: upstream's host code for the device, in c10 and ATen."""
GLUE = "glue"
PYTHON = "python"
STUB = "stub"
REGISTRATION = "registration"
DISTRIBUTED = "distributed"
"""Source set of the collectives. It is linked into a library of its own, and always built if the target has the library
`nccl`."""
KERNELS = "kernels"
"""Source set of the kernels that the register stage generates."""
BINDING = (PYTHON, STUB)
"""Source sets of the Python binding. They are linked into libraries of their own, apart from the kernels."""


class BuildRules(NamedTuple):
    """Content of `pytorch/build.yaml` plus the additions of the target's profile."""

    sets: Mapping[str, tuple[str, ...]]
    """Maps each source set to globs of upstream paths."""
    not_built: tuple[Exclusion, ...] = ()
    heavy: tuple[str, ...] = ()
    """Globs of sources that need much memory to compile."""
    defines: tuple[str, ...] = ()
    """Macros, `NAME` or `NAME=value`, for the compilation of PyTorch's sources."""
    flags: tuple[SourceFlags, ...] = ()
    precompiled: tuple[str, ...] = ()
    """Upstream paths of the headers that the precompiled header includes, in this order."""


class CompileUnit(NamedTuple):
    """Source file and the object compiled from the source."""

    source: Path
    object: str
    """Path below the build folder."""
    path: str
    """Name of the source in messages: the upstream path, or porter's own path for glue and registrations."""
    set: str
    """Source set: `host`, `kernels`, `glue`, `python`, `stub`, `registration`, or a set of upstream's kernels."""
    heavy: bool = False
    """True when the compilation needs much memory."""
    flags: tuple[str, ...] = ()
    """Additional compiler flags, placed after all others."""

    @property
    def on_host(self) -> bool:
        """True unless the source is a `.cu` file. PyTorch compiles all other sources with the host compiler."""
        return not self.path.endswith(".cu")


class NotBuilt(NamedTuple):
    """Ported source that no library contains, with the reason."""

    path: str
    """Upstream path."""
    reason: str


class SharedLibrary(NamedTuple):
    """Inputs and link options of one shared library."""

    name: str
    """Path below the build folder."""
    units: tuple[CompileUnit, ...]
    exports: tuple[str, ...]
    """Patterns of the exported symbols, in the syntax of a linker's version script."""
    link: tuple[str, ...] = ()
    """Additional arguments of the linker."""
    needs: tuple[str, ...] = ()
    """Names of the libraries of the same build that this library is linked with."""
    complete: bool = True
    """True when the linker must refuse undefined symbols; False when the Python interpreter provides symbols."""


class BuildPlan(NamedTuple):
    """Sources to compile before the registrations are generated, and sources that are not compiled."""

    units: tuple[CompileUnit, ...]
    not_built: tuple[NotBuilt, ...]


class Failure(NamedTuple):
    """Compile unit or library that failed to build."""

    path: str
    """Upstream path of the unit, or name of the library."""
    command: str
    code: int
    """Exit status of the compiler or linker; 1 when the status is unknown."""
    place: str
    """`upstream path:line` of the first error; the path alone when the compiler named no line."""
    text: str
    """First errors of the compiler, with upstream paths."""
    help: str = ""


class CompiledPort(NamedTuple):
    """Result of compiling a port without its registrations."""

    units: tuple[CompileUnit, ...]
    """Sources whose objects can be linked."""
    objects: tuple[Path, ...]
    """Object files of `units`, without those of the Python binding."""
    failed: tuple[Failure, ...]
    """Sources that do not compile and are left out."""
    left_out: tuple[NotBuilt, ...]
    """Sources that compile, but need a symbol from a source that is not built."""
    missing: tuple[NotBuilt, ...]
    """All ported sources that no library contains."""
    made: int
    """Number of objects compiled by this run."""


class LinkedLibraries(NamedTuple):
    """Linked libraries of a port, and the compile units of its registrations."""

    libraries: tuple[SharedLibrary, ...]
    registrations: tuple[CompileUnit, ...]
    made: int
    """Number of objects and libraries built by this run."""


class BuildResult(NamedTuple):
    """Sources and libraries of a build: the content of `result.json`."""

    built: tuple[str, ...]
    """Paths of the sources in the libraries: upstream paths, or porter's own paths for glue and registrations.

    For a build that compiles without linking: paths of the sources that compile."""
    failed: tuple[Failure, ...]
    """Sources that failed to compile and are left out."""
    left_out: tuple[NotBuilt, ...]
    """Sources that compile, but need a symbol from a source that is not built."""
    not_built: tuple[NotBuilt, ...]
    """Sources that the build rules or the selection of kernels exclude."""
    libraries: tuple[Path, ...]
    compiled: int
    """Number of objects and libraries built by this run."""
    seconds: Mapping[str, float]
    """Maps each step to its wall-clock seconds."""
    warnings: tuple[str, ...] = ()
    """Warnings that the compilers on this machine make some results of kernels differ from CUDA's."""


def to_json(result: BuildResult) -> dict[str, Any]:
    """Plain data in the format of `result.json`."""
    return {
        "schema": SCHEMA,
        "built": list(result.built),
        "failed": [failure._asdict() for failure in result.failed],
        "left_out": [left._asdict() for left in result.left_out],
        "not_built": [left._asdict() for left in result.not_built],
        "libraries": [path.name for path in result.libraries],
        "compiled": result.compiled,
        "seconds": {step: round(value, 3) for step, value in result.seconds.items()},
        "warnings": list(result.warnings),
    }
