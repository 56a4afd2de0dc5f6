"""Resolved build environment: compiler, installed PyTorch, build plan and commands."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.builder import build_plan, flags, header_overrides
from porter.mapping.build_sets import chosen
from porter.model.build import KERNELS, BuildPlan, BuildRules
from porter.model.manifest import Manifest
from porter.model.rules import Profile
from porter.port.output import is_port, read_manifest
from porter.simt.compiler_plugin import PluginFlags
from porter.toolchain import precompiled
from porter.toolchain.diagnostics import UpstreamLines
from porter.toolchain.discovery import (
    Compiler,
    Torch,
    default_launcher,
    find_compiler,
    find_torch,
    header_torch,
)
from porter.toolchain.jobs import Jobs, available_bytes, jobs_for
from porter.toolchain.ninja_file import Commands


class BuildSettings(NamedTuple):
    """Options of a build."""

    kernels: str = "all"
    """`all`, a source set such as `core`, or a glob of upstream paths; commas separate several."""
    jobs: int | None = None
    """Number of parallel compilers; the default is limited by processors and memory."""
    launcher: str | None = None
    """Program that starts the compiler. None: ccache if it is installed. Empty: no such program."""
    compiler: str | None = None
    """Compiler command; by default $CXX, else the profile's."""
    python: str = sys.executable
    """Interpreter whose installed PyTorch the build uses."""
    keep_going: bool = False
    """True to leave out sources that do not compile, and sources that need their symbols; the result lists both."""
    header_tree: Path | None = None
    """Header tree to compile against in place of an installed PyTorch; nothing is linked."""


class BuildContext(NamedTuple):
    """Resolved build environment of one port."""

    folder: Path
    """Folder of the port: `<out>/<target>/<release>`."""
    profile: Profile
    settings: BuildSettings
    compiler: Compiler
    torch: Torch
    plan: BuildPlan
    commands: Commands
    jobs: Jobs
    origins: UpstreamLines
    sources: Mapping[str, Path]
    """Maps an upstream path to the file in the port."""
    header: str | None
    """Text of the precompiled header of kernels; None for a build without a precompiled header."""
    convert: PluginFlags
    """Flags and plugin for float-to-integer conversions with CUDA's results."""

    @property
    def out(self) -> Path:
        return self.folder / "build"

    @property
    def depends(self) -> tuple[Path, ...]:
        """Files on which every object depends: the plugin, and PyTorch's version.py (an installation rewrites it)."""
        plugins = (self.convert.plugin,) if self.convert.plugin else ()
        return (self.torch.root / "version.py", *plugins)


def prepare(
    folder: Path,
    profile: Profile,
    rules: BuildRules,
    settings: BuildSettings,
    kernels: Sequence[Path] = (),
) -> BuildContext:
    """Find the compiler and PyTorch, and plan the build of the port in `folder`. Returns the resolved environment.

    `kernels`: sources of kernels that the register stage generated.

    Raises BuildError when the compiler or PyTorch is unusable, SourceError when `folder` contains no port or when
    PyTorch is missing or differs from the port's release, UsageError when `settings.kernels` matches no source.
    """
    manifest = read_manifest(folder)
    compiler = find_compiler(
        settings.compiler or os.environ.get("CXX") or profile.compiler or "g++"
    )
    torch = torch_for(settings, manifest.release)
    if settings.header_tree:
        plan = BuildPlan((), ())
    else:
        plan = build_plan.plan_of(
            folder, manifest, rules, profile, chosen(rules, settings.kernels), settings.kernels
        )
    glue = build_plan.glue_units(folder, profile)
    written = build_plan.written_units(folder, kernels, KERNELS)
    plan = plan._replace(units=(*plan.units, *glue, *written))
    launcher = shlex.split(default_launcher(settings.launcher))
    header = precompiled.header(rules.precompiled, manifest.files, compiler, launcher)
    ported = (file.to for file in manifest.files.values())
    headers = header_overrides.define(ported, torch.includes[0])
    rules = rules._replace(defines=(*rules.defines, headers))
    convert = flags.conversions(profile, compiler, folder / "build" / "runtime")
    commands = Commands(
        compiler.command,
        precompiled.launched(launcher) if header else tuple(launcher),
        (
            *flags.compile_flags(folder, profile, rules, compiler, torch),
            *convert.flags_in(folder / "build", launcher),
        ),
        profile.build.host_flags,
        flags.python_flags(torch),
        flags.stub_flags(torch),
    )
    return BuildContext(
        folder,
        profile,
        settings,
        compiler,
        torch,
        plan,
        commands,
        _jobs(settings),
        _origins(folder, manifest),
        {file.path: folder / "src" / file.to for file in manifest.files.values()},
        header,
        convert,
    )


def torch_for(settings: BuildSettings, release: str) -> Torch:
    """PyTorch against which a build compiles. Raises the errors of `find_torch` and `header_torch`."""
    if settings.header_tree:
        return header_torch(settings.header_tree, settings.python)
    return find_torch(settings.python, release)


def _jobs(settings: BuildSettings) -> Jobs:
    cores = len(os.sched_getaffinity(0))
    return jobs_for(settings.jobs or cores, available_bytes())


def _origins(folder: Path, manifest: Manifest) -> UpstreamLines:
    backend = folder / "backend"
    glue = read_manifest(backend).files.values() if is_port(backend) else ()
    return UpstreamLines(
        [
            (folder / "src", {file.to: file.path for file in manifest.files.values()}, ""),
            (
                build_plan.glue_root(backend),
                {file.to: file.path for file in glue},
                f"{build_plan.GLUE_PATH}/",
            ),
            (folder / "register", {}, "register/"),
        ],
        folder / "build",
    )
