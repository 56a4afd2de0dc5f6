"""The stages of `porter run`, in the order in which they run; each stage is one function.

    port -> prepare -> compile_port -> register -> link -> check -> custom_ops -> package

Each function takes the inputs of the run and the results of earlier stages, and returns its own result. `run` calls
the stages after `port`.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porter.base.errors import Findings, Problem, SourceError
from porter.mapping.library import MappingLibrary
from porter.model import seams
from porter.model.overlay import Overlay
from porter.model.pipeline import PipelineResult
from porter.model.ported import Ported
from porter.model.rewrite_result import Reason
from porter.model.rules import RuleSet
from porter.port import stage as port_stage
from porter.port.stage import PortSettings, ReportInputs
from porter.release import known

# The code of a stage is imported when the stage runs, so that a run that ends earlier does not load the code.
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from porter.builder.build_context import BuildSettings
    from porter.builder.stage import OpenBuild
    from porter.model.build import BuildResult, CompiledPort, LinkedLibraries
    from porter.model.custom_ops import BuiltOps, OwnOps
    from porter.model.ops import Ready, Registered
    from porter.model.package import Packaged
    from porter.register.stage import Inputs as RegisterInputs
    from porter.toolchain.discovery import Torch

Progress = Callable[[int, int, str], None]
"""Callback with the number of finished steps, the number of all steps, and the last step."""

UNTIL = ("port", "register", "compile", "build", "package")
"""Values of `--until`, the last stage of a run.

`register` registers as if every source were compiled. `compile` also compiles all sources, but links nothing. `build`
includes custom operators.
"""


class PipelineInputs(NamedTuple):
    """Inputs of a run of the stages."""

    tree: Path
    """PyTorch's source tree."""
    folder: Path
    """Output folder, `<out>/<target>/<release>`."""
    rules: RuleSet
    library: MappingLibrary
    port: PortSettings
    build: BuildSettings
    progress: Progress
    """Callback for the progress of the stages after the port."""


class Prepared(NamedTuple):
    """Sources and facts that the compilation needs in addition to the port."""

    torch: Torch | None
    """The installed PyTorch; None for a run that compiles nothing."""
    own: OwnOps | None
    """Custom operators of the target; None for a target without any."""
    register: RegisterInputs
    generated: Ready
    """Headers and kernels that the release's torchgen wrote."""


def run(inputs: PipelineInputs, until: str) -> PipelineResult:
    """Run the stages after the port, up to the stage `until`: any value of `UNTIL` except `port`.

    Raises Findings when the target's rules leave CUDA names in the backend's own sources, and the errors of the stages:
    RegisterError, BuildError, SourceError, MappingError, UsageError and Interrupted.
    """
    if until != "register":
        from porter.builder import guard_macros

        rules = guard_macros.with_header(inputs.rules, inputs.folder / "build")
        inputs = inputs._replace(rules=rules)
    prepared = prepare(inputs, compiles=until != "register")
    if until == "register":
        return PipelineResult(register(inputs, prepared, None))
    if inputs.build.header_tree or until == "compile":
        return compile_only(inputs, prepared)
    with open_build(inputs, prepared) as build:
        compiled = compile_port(build)
        registered = register(inputs, prepared, compiled, build)
        linked = link(build, compiled, registered)
        built = check(build, compiled, linked)
    ops = custom_ops(inputs, prepared)
    packaged = package(inputs, prepared, ops) if until == "package" else None
    return PipelineResult(registered, built, packaged, ops)


def compile_only(inputs: PipelineInputs, prepared: Prepared) -> PipelineResult:
    """Register as if every source were compiled, and compile all sources and registrations. Nothing is linked.

    Against a header tree, torchgen's kernels are not compiled, because they include headers that no wheel contains.
    """
    from porter.builder import stage

    registered = register(inputs, prepared, None)
    if inputs.build.header_tree:
        prepared = prepared._replace(generated=prepared.generated._replace(kernels=()))
    with open_build(inputs, prepared) as build:
        return PipelineResult(registered, stage.compile_only(build, registered.sources))


def port(
    tree: Path,
    rules: RuleSet,
    mappings: str,
    folder: Path,
    settings: PortSettings,
    report: ReportInputs,
    overlays: Sequence[Overlay] = (),
) -> Ported:
    """Port PyTorch's CUDA sources into `folder`; `mappings` is the digest of the target's mappings."""
    return port_stage.port(tree, rules, mappings, folder, settings, report, overlays)


def prepare(inputs: PipelineInputs, *, compiles: bool = True) -> Prepared:
    """Prepare the compilation: port the backend's own sources, and let torchgen write headers and kernels.

    The result includes the target's custom operators.

    Raises Findings when the rules leave CUDA names in the backend's own sources, SourceError when the backend does not
    compile for the release.
    """
    from porter.builder.build_context import torch_for
    from porter.custom_ops import build, override_cpp
    from porter.mapping import registration
    from porter.register import catalogue
    from porter.register import stage as register_stage

    release = inputs.rules.release
    if compiles and not known.can_be_built(release):
        text = f"is PyTorch {release}; the backend compiles for {known.OLDEST_BUILT} and later releases"
        help = "run porter run --until register, which ports the tree and generates registrations"
        raise SourceError(text, str(inputs.tree), help)
    _port_backend(inputs)
    torch = torch_for(inputs.build, release) if compiles else None
    torchgen = catalogue.in_tree(inputs.tree)
    own = build.own(inputs.library, inputs.rules.target, torchgen, release)
    register_inputs = register_stage.Inputs(
        profile=inputs.rules.profile,
        torchgen=torchgen,
        rules=inputs.library.special("pytorch", registration.FILE),
        tree=inputs.tree,
        library=torch.lib / "libtorch_cpu.so" if torch and torch.has_libraries else None,
        ported=(inputs.folder / "src", inputs.folder / "backend"),
        replaced=override_cpp.replaced(own) if own else {},
    )
    generated = register_stage.prepare(register_inputs, inputs.folder / "register")
    return Prepared(torch, own, register_inputs, generated)


def open_build(inputs: PipelineInputs, prepared: Prepared) -> AbstractContextManager[OpenBuild]:
    """Context manager that locks the build folder for the stages from `compile_port` to `check`."""
    from porter.builder import stage
    from porter.mapping import build_sets

    profile = inputs.rules.profile
    rules = build_sets.read(inputs.library, profile)
    kernels = prepared.generated.kernels
    return stage.opened(inputs.folder, profile, rules, inputs.build, kernels, inputs.progress)


def compile_port(build: OpenBuild) -> CompiledPort:
    """Compile the port, the backend and the generated kernels."""
    from porter.builder import stage

    return stage.compile_port(build)


def register(
    inputs: PipelineInputs,
    prepared: Prepared,
    compiled: CompiledPort | None,
    build: OpenBuild | None = None,
) -> Registered:
    """Write registrations of the operators whose kernels the compiled objects contain.

    If `compiled` is None, every ported source counts as compiled. `build`, if given, records the duration.
    """
    from porter.builder.stage import timed
    from porter.register import stage

    folder = inputs.folder / "register"
    if compiled is None:
        told = functools.partial(inputs.progress, 0, 0)
        return stage.register(prepared.register, None, folder, progress=told)
    reasons = {left.path: left.reason for left in compiled.missing}
    with timed(build.seconds if build else {}, "register"):
        return stage.register(prepared.register, compiled.objects, folder, reasons)


def link(build: OpenBuild, compiled: CompiledPort, registered: Registered) -> LinkedLibraries:
    """Compile the registrations and link the libraries."""
    from porter.builder import stage

    return stage.link(build, compiled, registered.sources)


def check(build: OpenBuild, compiled: CompiledPort, linked: LinkedLibraries) -> BuildResult:
    """Check the symbols of the linked libraries and write the build's result."""
    from porter.builder import stage

    return stage.check(build, compiled, linked)


def custom_ops(inputs: PipelineInputs, prepared: Prepared) -> BuiltOps | None:
    """Build the target's custom operators against the new libraries; None for a target without custom operators."""
    if prepared.own is None or prepared.torch is None:
        return None
    from porter.builder.flags import header_folders
    from porter.custom_ops.build_steps import SOURCES, Against, OpsBuild, OpsBuildSettings

    sources = inputs.library.own_ops(inputs.rules.target)
    assert sources, "operators were read from this folder"
    # ninja and the compiler need absolute paths.
    folder = Path(os.path.realpath(inputs.folder))
    includes = header_folders(folder, inputs.rules.profile)
    against = Against(prepared.torch, includes, folder / "build" / "lib")
    given = inputs.build
    settings = OpsBuildSettings(given.python, given.jobs, given.launcher, given.compiler)
    build = OpsBuild(
        folder / "ops",
        inputs.rules,
        inputs.library,
        against,
        prepared.own,
        settings,
        inputs.progress,
    )
    return build.run(sources / SOURCES)


def package(inputs: PipelineInputs, prepared: Prepared, ops: BuiltOps | None) -> Packaged:
    """Put the libraries, the headers and the Python package into a wheel."""
    from porter.abi.torch_layout import layout_of
    from porter.builder.flags import header_folders
    from porter.model.package import PackageSpec, Runtime
    from porter.package import stage
    from porter.package.bundled_runtime import simt_runtime
    from porter.package.shipped_headers import headers
    from porter.simt.compiler_plugin import PLUGIN

    assert prepared.torch, "libraries were linked against it"
    folder, profile = inputs.folder, inputs.rules.profile
    lib = folder / "build" / "lib"
    runtime = Runtime()
    if profile.build.runtime == "simt":
        runtime = simt_runtime(lib / "libsimt.so", folder / "build" / "runtime" / PLUGIN)
    licenses = tuple(
        path for name in ("LICENSE", "NOTICE") if (path := inputs.tree / name).is_file()
    )
    shown = headers(header_folders(folder, profile), profile.suffixes.get("cuh", "cuh"))
    spec = PackageSpec(
        profile,
        # The libraries are built against the installed PyTorch; the tree may have another patch version.
        prepared.torch.release,
        prepared.torch.cxx11_abi,
        runtime,
        licenses,
        shown,
        ops.package if ops else None,
        layout_of(prepared.torch),
    )
    return stage.package(
        spec, lib, folder / "package", lambda done, total: inputs.progress(done, total, "package")
    )


def _port_backend(inputs: PipelineInputs) -> None:
    """Port the backend's own sources into `backend/` of the output folder, and copy the vendor's seam implementations.

    Raises Findings if unmapped or ambiguous CUDA names remain.
    """
    from porter.port import backend_sources

    ported = backend_sources.port(
        inputs.rules,
        inputs.library.digest(inputs.rules.target),
        inputs.folder / "backend",
        inputs.port,
    )
    target = inputs.rules.target
    mappings = inputs.library.root_of(target) / target
    backend_sources.copy_vendors(inputs.rules, mappings, inputs.folder / seams.FOLDER)
    problems = [
        Problem(f"{left.reason}: {left.name}", f"backend/{file.path}:{left.line}", left.note)
        for file in ported.manifest.files.values()
        for left in file.residue
        if left.reason in (Reason.UNMAPPED, Reason.AMBIGUOUS)
    ]
    if problems:
        raise Findings(problems)
