"""The stages after the port: what each needs of the ones before it, and what it hands on.

backend's own sources -> register.prepare -> build (which registers what its objects provide)
    -> the target's own operators -> package
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porter.base.errors import Findings, Problem
from porter.mapping import build_sets
from porter.mapping.library import MappingLibrary
from porter.model.pipeline import PipelineResult
from porter.model.port import Reason
from porter.model.rules import RuleSet
from porter.port import backend_sources
from porter.port.stage import PortSettings

# Each stage is imported where it runs: a run that ends before it does not wait for it.
if TYPE_CHECKING:
    from porter.builder.build_context import BuildSettings
    from porter.model.build import BuildResult, NotBuilt
    from porter.model.custom_ops import BuiltOps, OwnOps
    from porter.model.ops import Ready, Registered
    from porter.model.package import Packaged
    from porter.register.stage import Inputs
    from porter.toolchain.discovery import Torch

Progress = Callable[[int, int, str], None]
"""Called with steps done, steps to do, and what was done last."""


class PipelineInputs(NamedTuple):
    """What the stages work on."""

    tree: Path
    """PyTorch's source tree."""
    folder: Path
    """`<out>/<target>/<release>`, which holds a port."""
    rules: RuleSet
    library: MappingLibrary
    build: BuildSettings
    port: PortSettings
    progress: Progress


def run(work: PipelineInputs, until: str) -> PipelineResult:
    """Run the stages after the port up to `until`: `register`, `build` or `package`.

    Raises what the stages raise: RegisterError, BuildError, SourceError, MappingError, UsageError, Interrupted; and
    Findings when the target's rules leave something of the backend's own sources.
    """
    from porter.custom_ops import build as own_ops
    from porter.register import catalogue
    from porter.register import stage as register
    from porter.toolchain.discovery import find_torch

    port_backend(work)
    torch = None if until == "register" else find_torch(work.build.python, work.rules.release)
    torchgen = catalogue.in_tree(work.tree)
    own = own_ops.own(work.library, work.rules.target, torchgen, work.rules.release)
    inputs = _inputs(work, torch, own)
    ready = register.prepare(inputs, work.folder / "register")
    if torch is None:
        told = functools.partial(work.progress, 0, 0)
        return PipelineResult(
            register.register(inputs, None, work.folder / "register", progress=told)
        )
    registered, built = _build(work, inputs, ready)
    ops = _build_own(work, torch, own) if own else None
    packaged = _package(work, torch, ops) if until == "package" else None
    return PipelineResult(registered, built, packaged, ops)


def port_backend(work: PipelineInputs) -> None:
    """Port the backend's own sources into `backend/` of the port's folder."""
    ported = backend_sources.port(
        work.rules, work.library.digest(work.rules.target), work.folder / "backend", work.port
    )
    problems = [
        Problem(f"{left.reason}: {left.name}", f"backend/{file.path}:{left.line}", left.note)
        for file in ported.manifest.files.values()
        for left in file.residue
        if left.reason in (Reason.UNMAPPED, Reason.AMBIGUOUS)
    ]
    if problems:
        raise Findings(problems)


def _inputs(work: PipelineInputs, torch: Torch | None, own: OwnOps | None) -> Inputs:
    from porter.custom_ops import override_cpp
    from porter.mapping import registration
    from porter.register import catalogue
    from porter.register.stage import Inputs

    return Inputs(
        profile=work.rules.profile,
        torchgen=catalogue.in_tree(work.tree),
        rules=work.library.special("pytorch", registration.FILE),
        tree=work.tree,
        library=torch.lib / "libtorch_cpu.so" if torch else None,
        ported=(work.folder / "src", work.folder / "backend"),
        replaced=override_cpp.replaced(own) if own else {},
    )


def _build(work: PipelineInputs, inputs: Inputs, ready: Ready) -> tuple[Registered, BuildResult]:
    """Build the libraries; operators are registered in between, for what the objects provide."""
    from porter.builder.stage import build
    from porter.register.stage import register

    registered: list[Registered] = []

    def emit(objects: Sequence[Path], missing: Sequence[NotBuilt]) -> Sequence[Path]:
        why = {left.path: left.reason for left in missing}
        registered.append(register(inputs, objects, work.folder / "register", why))
        return registered[-1].sources

    rules = build_sets.read(work.library, work.rules.profile)
    result = build(
        work.folder, work.rules.profile, rules, emit, ready.kernels, work.build, work.progress
    )
    return registered[-1], result


def _build_own(work: PipelineInputs, torch: Torch, own: OwnOps) -> BuiltOps:
    """The target's own operators, against what was just built."""
    from porter.builder.flags import header_folders
    from porter.custom_ops.build_steps import SOURCES, Against, OpsBuild, OpsBuildSettings

    sources = work.library.own_ops(work.rules.target)
    assert sources, "there are operators, so that there is a folder"
    # What ninja and the compiler name are whole paths.
    folder = Path(os.path.realpath(work.folder))
    includes = header_folders(folder, work.rules.profile)
    against = Against(torch, includes, folder / "build" / "lib")
    build = work.build
    settings = OpsBuildSettings(build.python, build.jobs, build.launcher, build.compiler)
    steps = OpsBuild(
        folder / "ops", work.rules, work.library, against, own, settings, work.progress
    )
    return steps.run(sources / SOURCES)


def _package(work: PipelineInputs, torch: Torch, ops: BuiltOps | None) -> Packaged:
    from porter.builder.flags import header_folders
    from porter.model.package import PackageSpec, Runtime
    from porter.package.bundled_runtime import simt_runtime
    from porter.package.shipped_headers import headers
    from porter.package.stage import package
    from porter.simt.float_conversions import PLUGIN

    lib = work.folder / "build" / "lib"
    profile = work.rules.profile
    runtime = Runtime()
    if profile.build.runtime == "simt":
        runtime = simt_runtime(lib / "libsimt.so", work.folder / "build" / "runtime" / PLUGIN)
    licenses = tuple(path for name in ("LICENSE", "NOTICE") if (path := work.tree / name).is_file())
    shown = headers(header_folders(work.folder, profile), profile.suffixes.get("cuh", "cuh"))
    own = ops.package if ops else None
    spec = PackageSpec(profile, work.rules.release, torch.cxx11_abi, runtime, licenses, shown, own)
    return package(
        spec,
        lib,
        work.folder / "package",
        lambda done, total: work.progress(done, total, "package"),
    )
