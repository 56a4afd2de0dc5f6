"""What is built from a port, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from porter.model.rules import Exclusion, SourceFlags

SCHEMA = 1

HOST = "host"
"""The set that is always built: the device's host side in c10 and ATen."""
GLUE = "glue"
PYTHON = "python"
STUB = "stub"
REGISTRATION = "registration"
KERNELS = "kernels"
"""Kernels that the register stage wrote."""
BINDING = (PYTHON, STUB)
"""Sets that make libraries of their own, which are linked with the kernels'."""


class BuildRules(NamedTuple):
    """`pytorch/build.yaml`, with what the target's profile adds."""

    sets: Mapping[str, tuple[str, ...]]
    """Set -> globs of upstream paths."""
    not_built: tuple[Exclusion, ...] = ()
    heavy: tuple[str, ...] = ()
    """Globs of sources that need much memory to compile."""
    defines: tuple[str, ...] = ()
    """Macros, `NAME` or `NAME=value`, that PyTorch's sources are compiled with."""
    flags: tuple[SourceFlags, ...] = ()
    precompiled: tuple[str, ...] = ()
    """Upstream paths of headers that most kernels include, in the order in which they can be."""


class CompileUnit(NamedTuple):
    """One source and its object."""

    source: Path
    object: str
    """Path below the build folder."""
    path: str
    """How messages call the source: its upstream path; for glue and registrations, that of our own."""
    set: str
    """`host`, a set of kernels, `kernels`, `glue`, `python`, `stub` or `registration`."""
    heavy: bool = False
    """Needs much memory to compile."""
    flags: tuple[str, ...] = ()
    """The compiler's, after all others."""

    @property
    def on_host(self) -> bool:
        """Whether CUDA's build gives the source to the host's compiler, not to the device's."""
        return not self.path.endswith(".cu")


class NotBuilt(NamedTuple):
    """A source of the port, by its upstream path, that is not in the libraries, and why."""

    path: str
    reason: str


class SharedLibrary(NamedTuple):
    """One shared library."""

    name: str
    """Path below the build folder."""
    units: tuple[CompileUnit, ...]
    exports: tuple[str, ...]
    """Patterns of the symbols that it shows, as in a linker's version script."""
    link: tuple[str, ...] = ()
    """The linker's further arguments."""
    needs: tuple[str, ...] = ()
    """Names of libraries of the same build that it is linked with."""
    complete: bool = True
    """Whether the linker is to refuse undefined symbols; not so where the interpreter has them."""


class BuildPlan(NamedTuple):
    """All that is compiled before registrations are known."""

    units: tuple[CompileUnit, ...]
    not_built: tuple[NotBuilt, ...]


class Failure(NamedTuple):
    """A unit or library that could not be made."""

    path: str
    """Upstream path of the unit, or name of the library."""
    command: str
    code: int
    """Exit status of the compiler, 1 when it is not known."""
    place: str
    """`upstream path:line` of the first error; the path alone when the compiler named no line."""
    text: str
    """What the compiler said: its first errors, in upstream's paths."""
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
    """What a build came to."""

    built: tuple[str, ...]
    """Upstream paths (or our own) of the sources that the libraries hold."""
    failed: tuple[Failure, ...]
    """What did not compile, and was left out."""
    left_out: tuple[NotBuilt, ...]
    """What compiled and needs something that failed or is not built."""
    not_built: tuple[NotBuilt, ...]
    libraries: tuple[Path, ...]
    compiled: int
    """Objects and libraries that this run made."""
    seconds: Mapping[str, float]
    """Step -> wall-clock seconds."""
    warnings: tuple[str, ...] = ()
    """Differences of the libraries' results from CUDA's that this machine causes."""


def to_json(result: BuildResult) -> dict[str, Any]:
    """Plain data, as `result.json` holds it."""
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
