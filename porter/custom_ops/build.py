"""Builds operators: those of a project, for the backend that is installed, and a target's own, for its wheel."""

from __future__ import annotations

import os
from pathlib import Path

from porter.base.errors import SourceError
from porter.custom_ops import installed, read
from porter.custom_ops.build_steps import DEFAULTS, SOURCES, OpsBuild, OpsBuildSettings
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.custom_ops import BuiltOps, OwnOps
from porter.register import catalogue
from porter.register.catalogue import TorchgenSource
from porter.toolchain.discovery import find_torch
from porter.toolchain.ninja import Progress


def build(
    project: Path,
    library: MappingLibrary,
    target: str,
    settings: OpsBuildSettings = DEFAULTS,
    progress: Progress | None = None,
) -> BuiltOps:
    """Build the operators of a project for a target, into `<project>/build/<target>`.

    Raises MappingError with all that is wrong with its ops.yaml, RegisterError when a kernel that is named is not
    there, BuildError when something does not compile or no backend is installed, SourceError for a project without
    sources.
    """
    if not (project / read.FILE).is_file():
        help = "porter op new begins a project"
        raise SourceError(f"no {read.FILE} is there", str(project), help)
    torch = find_torch(settings.python)
    rules = rule_cache.checked_rule_set(library, target, torch.release)
    against = installed.find(torch, rules.profile)
    ops = _read(project, catalogue.in_wheel(torch.root.parent), torch.release)
    # What ninja and the compiler name are whole paths.
    folder = Path(os.path.realpath(project)) / "build" / target
    built = OpsBuild(folder, rules, library, against, ops, settings, progress).run(
        project / SOURCES
    )
    package = project / "build" / target / "python" / ops.namespace
    return built._replace(package=package)


def own(
    library: MappingLibrary, target: str, torchgen: TorchgenSource, release: str
) -> OwnOps | None:
    """The operators that come with a target, for a release; None where none do. Raises as reading a project's does."""
    folder = library.own_ops(target)
    return _read(folder, torchgen, release) if folder else None


def _read(project: Path, torchgen: TorchgenSource, release: str) -> OwnOps:
    return read.read(project / read.FILE, torchgen, catalogue.names(torchgen), release)
