"""Which sources of a port are built, and which are not and why."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from porter.base.errors import SourceError, UsageError
from porter.base.globs import matches
from porter.model.build import (
    GLUE,
    HOST,
    PYTHON,
    REGISTRATION,
    STUB,
    BuildPlan,
    BuildRules,
    CompileUnit,
    NotBuilt,
)
from porter.model.manifest import Manifest, PortedFile

OTHER = "other"
"""The set of kernels that are built and belong to no set of their own."""
_SOURCES = ("cu", "cpp", "cc", "c")
"""Suffixes, in upstream's tree, of what is compiled on its own."""
GLUE_PATH = "backend"
"""Where porter's own glue lies in its source tree; by this, messages call it."""


def plan_of(
    folder: Path, manifest: Manifest, rules: BuildRules, kernels: tuple[str, ...] | None, asked: str
) -> BuildPlan:
    """What is compiled of the port in `folder/src` and of the glue in `folder/backend`.

    `kernels` are globs of upstream paths, or None for all kernels; `asked` is how the user said so. Every source of the
    port is either a unit of the plan or in its list of what is not built. Raises UsageError when a glob finds nothing,
    SourceError when the port has no source that is always built.
    """
    units: list[CompileUnit] = []
    not_built: list[NotBuilt] = []
    sources = [file for file in manifest.files.values() if _suffix(file.path) in _SOURCES]
    for file in sorted(sources, key=lambda file: file.path):
        reason = _why_not(file.path, rules)
        name = _set_of(file.path, rules, kernels) if reason is None else None
        if name is not None:
            units.append(_unit(folder, file, name, rules))
        else:
            reason = reason or f"not among the kernels asked for (--kernels {asked})"
            not_built.append(NotBuilt(file.path, reason))
    if not any(unit.set == HOST for unit in units):
        help = "make it anew: porter run --until port"
        raise SourceError(
            "the port has no sources of the device's host side", str(folder / "src"), help
        )
    _check_finds(kernels, (file.path for file in sources))
    # Heavy ones first: one of them alone at the end would keep the other processors waiting.
    units.sort(key=lambda unit: (not unit.heavy, unit.path))
    return BuildPlan((*units, *glue_units(folder / "backend")), tuple(not_built))


def glue_units(backend: Path) -> tuple[CompileUnit, ...]:
    """The units of our own glue; what lies in a folder `python` is of the binding, `stub.c` the module's entry."""
    root = glue_root(backend)
    if not root.is_dir():
        return ()
    found = []
    for source in sorted(root.rglob("*")):
        if source.suffix[1:] not in _SOURCES or not source.is_file():
            continue
        path = source.relative_to(root).as_posix()
        if source.name == "stub.c":
            name = STUB
        else:
            name = PYTHON if "python" in path.split("/")[:-1] else GLUE
        found.append(CompileUnit(source, f"obj/backend/{path}.o", f"{GLUE_PATH}/{path}", name))
    return tuple(found)


def glue_root(backend: Path) -> Path:
    """Where ported glue lies: below `src` when `porter port` laid it out."""
    return backend / "src" if (backend / "src").is_dir() else backend


def written_units(folder: Path, sources: Iterable[Path], name: str) -> tuple[CompileUnit, ...]:
    """The units of sources that the register stage wrote into `folder/register`, in a set of that name."""
    units = []
    for source in sources:
        real = Path(os.path.realpath(source))
        path = real.relative_to(folder).as_posix()
        units.append(CompileUnit(real, f"obj/{path}.o", path, name, heavy=name == REGISTRATION))
    return tuple(units)


def _why_not(path: str, rules: BuildRules) -> str | None:
    for left in rules.not_built:
        if matches(path, [left.glob]):
            return left.reason
    return None


def _set_of(path: str, rules: BuildRules, kernels: tuple[str, ...] | None) -> str | None:
    """The set that a source is built in; None when it is not asked for."""
    if matches(path, rules.sets[HOST]):
        return HOST
    if kernels is not None and not matches(path, kernels):
        return None
    sets = (name for name, globs in rules.sets.items() if matches(path, globs))
    return next(sets, OTHER)


def _unit(folder: Path, file: PortedFile, name: str, rules: BuildRules) -> CompileUnit:
    heavy = matches(file.path, rules.heavy)
    own = (entry.flags for entry in rules.flags if matches(file.path, [entry.glob]))
    return CompileUnit(
        folder / "src" / file.to,
        f"obj/src/{file.to}.o",
        file.path,
        name,
        heavy,
        tuple(flag for flags in own for flag in flags),
    )


def _check_finds(kernels: tuple[str, ...] | None, paths: Iterable[str]) -> None:
    if kernels is not None and not any(matches(path, kernels) for path in paths):
        help = "globs are over upstream paths: aten/src/ATen/native/cuda/Abs*.cu"
        raise UsageError("--kernels finds no source of the port", help=help)


def _suffix(path: str) -> str:
    return path.rpartition(".")[2]
