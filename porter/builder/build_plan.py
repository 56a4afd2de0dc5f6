"""Build plan of a port: the sources to compile, and every other source with the reason why it is not compiled."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from porter.base.errors import SourceError, UsageError
from porter.base.globs import matches
from porter.model import seams
from porter.model.build import (
    DISTRIBUTED,
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
from porter.model.rules import Profile

OTHER = "other"
"""Name of the source set for kernels that match no glob in build.yaml."""
_SOURCES = ("cu", "cpp", "cc", "c")
"""Suffixes of upstream's translation units."""
GLUE_PATH = "backend"
"""Folder of the backend's own sources in porter's source tree, for paths in messages."""


def plan_of(
    folder: Path,
    manifest: Manifest,
    rules: BuildRules,
    profile: Profile,
    kernels: tuple[str, ...] | None,
    asked: str,
) -> BuildPlan:
    """Build plan of the port in `folder/src`, without the backend's own sources (`glue_units`).

    `kernels`: globs of upstream paths, or None for all kernels. `asked`: text of the option --kernels. Every source of
    the port is either a unit or a `NotBuilt` entry of the plan. Raises UsageError when a glob of --kernels matches no
    source, SourceError when the port lacks the sources of the host side.
    """
    units: list[CompileUnit] = []
    not_built: list[NotBuilt] = []
    sources = [file for file in manifest.files.values() if _suffix(file.path) in _SOURCES]
    for file in sorted(sources, key=lambda file: file.path):
        reason = _why_not(file.path, rules)
        name = _set_of(file.path, rules, kernels) if reason is None else None
        if name is not None:
            units.append(_unit(folder, file, name, rules, profile))
        else:
            reason = reason or f"not selected (--kernels {asked})"
            not_built.append(NotBuilt(file.path, reason))
    if not any(unit.set == HOST for unit in units):
        help = "make the port again: porter run --until port"
        raise SourceError(
            "the port lacks the host sources of the device", str(folder / "src"), help
        )
    _check_finds(kernels, asked, rules, [file.path for file in sources])
    # Heavy sources first: a heavy source compiled last would leave the other processors idle.
    units.sort(key=lambda unit: (not unit.heavy, unit.path))
    return BuildPlan(tuple(units), tuple(not_built))


def glue_units(folder: Path, profile: Profile) -> tuple[CompileUnit, ...]:
    """Compile units of the backend's own sources, and of seam implementations in the target's mappings.

    `folder`: folder of the port. Its subfolder `backend` contains the backend's own sources, and the subfolder
    `seams.FOLDER` contains the seam implementations. Sources in a folder `python` form the binding, those in a folder
    `distributed` the library of collectives; `stub.c` is the
    entry point of the Python module.
    """
    flags = tuple(f"-D{macro}" for macro in seams.macros(profile))
    collectives = collectives_flags(profile)
    ported = glue_root(folder / "backend")
    own = folder / seams.FOLDER
    found = []
    for root, source in [
        *((ported, source) for source in sorted(ported.rglob("*"))),
        *((folder, source) for source in sorted(own.rglob("*"))),
    ]:
        if source.suffix[1:] not in _SOURCES or not source.is_file():
            continue
        path = source.relative_to(root).as_posix()
        if source.name == "stub.c":
            name = STUB
        else:
            name = next((s for s in (PYTHON, DISTRIBUTED) if s in path.split("/")[:-1]), GLUE)
        unit = CompileUnit(source, f"obj/backend/{path}.o", f"{GLUE_PATH}/{path}", name)
        own_flags = {GLUE: flags, PYTHON: collectives, DISTRIBUTED: collectives}
        found.append(unit._replace(flags=own_flags.get(name, ())))
    return tuple(found)


def collectives_flags(profile: Profile) -> tuple[str, ...]:
    """Macros for sources that use the target's library of collectives; empty if the target has none.

    `USE_C10D_NCCL` and `USE_NCCL` are the macros of upstream's build (torch/CMakeLists.txt).
    """
    library = profile.libraries.get("nccl")
    if library is None or library.unsupported:
        return ()
    name = f'-DBACKEND_COLLECTIVES="{profile.lower}ccl"'
    return ("-DUSE_C10D_NCCL", "-DUSE_NCCL", "-DUSE_DISTRIBUTED", name)


def glue_root(backend: Path) -> Path:
    """Folder of the backend's ported sources: `src` below `backend` after `porter port`, else `backend`."""
    return backend / "src" if (backend / "src").is_dir() else backend


def written_units(folder: Path, sources: Iterable[Path], name: str) -> tuple[CompileUnit, ...]:
    """Compile units of sources that the register stage wrote into `folder/register`.

    `name`: source set to which the units belong.
    """
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
    """Source set of the upstream file `path`; None when `kernels` excludes the file."""
    for name in (HOST, DISTRIBUTED):
        if matches(path, rules.sets.get(name, ())):
            return name
    if kernels is not None and not matches(path, kernels):
        return None
    sets = (name for name, globs in rules.sets.items() if matches(path, globs))
    return next(sets, OTHER)


def _unit(
    folder: Path, file: PortedFile, name: str, rules: BuildRules, profile: Profile
) -> CompileUnit:
    heavy = matches(file.path, rules.heavy)
    own = (entry.flags for entry in rules.flags if matches(file.path, [entry.glob]))
    collectives = collectives_flags(profile) if name == DISTRIBUTED else ()
    return CompileUnit(
        folder / "src" / file.to,
        f"obj/src/{file.to}.o",
        file.path,
        name,
        heavy,
        (*collectives, *(flag for flags in own for flag in flags)),
    )


def _check_finds(
    kernels: tuple[str, ...] | None, asked: str, rules: BuildRules, paths: Sequence[str]
) -> None:
    """Raise UsageError if a glob of --kernels, or the whole option, matches no source.

    Globs that come from a source set may match no source, because a release may lack some sources.
    """
    if kernels is None:
        return
    own = [word.strip() for word in asked.split(",") if word.strip() not in rules.sets]
    wrong = [
        glob for glob in own if glob in kernels and not any(matches(path, [glob]) for path in paths)
    ]
    if wrong or not any(matches(path, kernels) for path in paths):
        text = f"--kernels: '{wrong[0]}' matches no source of the port" if wrong else ""
        help = "give globs of upstream paths: aten/src/ATen/native/cuda/Abs*.cu"
        raise UsageError(text or f"--kernels {asked} matches no source of the port", help=help)


def _suffix(path: str) -> str:
    return path.rpartition(".")[2]
