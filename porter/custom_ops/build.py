"""Build of custom operators: a user's project for an installed backend, or a target's own operators for a wheel."""

from __future__ import annotations

import os
from pathlib import Path

from porter.base.errors import SourceError
from porter.builder import guard_macros
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

    Raises MappingError with every error in the project's ops.yaml, RegisterError when no source defines a kernel that
    an entry names, BuildError when compilation fails or the target's backend is not installed, and SourceError for a
    project without sources.
    """
    if not (project / read.FILE).is_file():
        help = "create a project: porter op new"
        raise SourceError(f"no {read.FILE} in this folder", str(project), help)
    torch = find_torch(settings.python)
    rules = rule_cache.checked_rule_set(library, target, torch.release)
    against = installed.find(torch, rules.profile)
    ops = _read(project, catalogue.in_wheel(torch.root.parent), torch.release)
    # ninja and the compiler get absolute paths.
    folder = Path(os.path.realpath(project)) / "build" / target
    rules = guard_macros.with_header(rules, folder)
    built = OpsBuild(folder, rules, library, against, ops, settings, progress).run(
        project / SOURCES
    )
    package = project / "build" / target / "python" / ops.namespace
    return built._replace(package=package)


def own(
    library: MappingLibrary, target: str, torchgen: TorchgenSource, release: str
) -> OwnOps | None:
    """Custom operators in a target's mappings; None when the target has none. Raises the errors of `read.read`."""
    folder = library.own_ops(target)
    return _read(folder, torchgen, release) if folder else None


def _read(project: Path, torchgen: TorchgenSource, release: str) -> OwnOps:
    return read.read(project / read.FILE, torchgen, catalogue.names(torchgen), release)
