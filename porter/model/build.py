"""Rules, plan and result of a build of a port."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from porter.model.rules import Exclusion, SourceFlags

SCHEMA = 1

HOST = "host"
"""Source set that is always built: the host side of the device in c10 and ATen."""
GLUE = "glue"
PYTHON = "python"
STUB = "stub"
REGISTRATION = "registration"
KERNELS = "kernels"
"""Set of kernels that the register stage generated."""
BINDING = (PYTHON, STUB)
"""Sets that become libraries of their own, linked with the library of the kernels."""


class BuildRules(NamedTuple):
    """Content of `pytorch/build.yaml` plus the additions of the target's profile."""

    sets: Mapping[str, tuple[str, ...]]
    """Source set -> globs of upstream paths."""
    not_built: tuple[Exclusion, ...] = ()
    heavy: tuple[str, ...] = ()
    """Globs of sources that need much memory to compile."""
    defines: tuple[str, ...] = ()
    """Macros, `NAME` or `NAME=value`, for the compilation of PyTorch's sources."""
    flags: tuple[SourceFlags, ...] = ()
    precompiled: tuple[str, ...] = ()
    """Upstream paths of headers for the precompiled header, in a valid order of inclusion."""


class CompileUnit(NamedTuple):
    """Source file and the object compiled from the source."""

    source: Path
    object: str
    """Path below the build folder."""
    path: str
    """Name of the source in messages: the upstream path, or porter's own path for glue and registrations."""
    set: str
    """`host`, a set of kernels, `kernels`, `glue`, `python`, `stub` or `registration`."""
    heavy: bool = False
    """True when the compilation needs much memory."""
    flags: tuple[str, ...] = ()
    """Additional compiler flags, placed after all others."""

    @property
    def on_host(self) -> bool:
        """Test whether CUDA's build compiles the source with the host compiler (not a `.cu` file)."""
        return not self.path.endswith(".cu")


class NotBuilt(NamedTuple):
    """Source of the port that is left out of the libraries."""

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
    """Names of the libraries of the same build to link with."""
    complete: bool = True
    """True when the linker must refuse undefined symbols; False when the Python interpreter provides symbols."""


class BuildPlan(NamedTuple):
    """Sources to compile before the registrations are known."""

    units: tuple[CompileUnit, ...]
    not_built: tuple[NotBuilt, ...]


class Failure(NamedTuple):
    """Compile unit or library that failed to build."""

    path: str
    """Upstream path of the unit, or name of the library."""
    command: str
    code: int
    """Exit status of the compiler; 1 when the status is unknown."""
    place: str
    """`upstream path:line` of the first error; the path alone when the compiler named no line."""
    text: str
    """First errors of the compiler, with upstream paths."""
    help: str = ""


class CompiledPort(NamedTuple):
    """Objects of a port before its registrations are compiled."""

    units: tuple[CompileUnit, ...]
    """Sources whose objects can be linked."""
    objects: tuple[Path, ...]
    """Objects of the kernels' library."""
    failed: tuple[Failure, ...]
    """Sources that do not compile and are left out."""
    left_out: tuple[NotBuilt, ...]
    """Sources that compile and need a symbol of a source that is not built."""
    missing: tuple[NotBuilt, ...]
    """Every source of the port that is in no library."""
    made: int
    """Objects that this run made."""


class LinkedLibraries(NamedTuple):
    """Libraries of a port after linking."""

    libraries: tuple[SharedLibrary, ...]
    registrations: tuple[CompileUnit, ...]
    made: int
    """Objects and libraries that this run made."""


class BuildResult(NamedTuple):
    """Result of a build."""

    built: tuple[str, ...]
    """Upstream paths (porter's own for glue and registrations) of the sources in the libraries."""
    failed: tuple[Failure, ...]
    """Sources that failed to compile and are left out."""
    left_out: tuple[NotBuilt, ...]
    """Sources that compiled but require a source that failed or is not built."""
    not_built: tuple[NotBuilt, ...]
    libraries: tuple[Path, ...]
    compiled: int
    """Number of objects and libraries built by this run."""
    seconds: Mapping[str, float]
    """Step -> wall-clock seconds."""
    warnings: tuple[str, ...] = ()
    """Differences between the libraries' results and CUDA's results that this machine causes."""


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
