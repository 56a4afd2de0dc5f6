"""The build stage: compile, link and check a port's libraries.

    with opened(folder, profile, rules, settings, kernels) as build:
        compiled = compile_port(build)
        sources = ...                                # registrations for compiled.objects
        linked = link(build, compiled, sources)
        result = check(build, compiled, linked)

Only changed parts are built again. A failure leaves all other files as they were.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from porter.base.fs import write_if_changed
from porter.base.json_text import indented
from porter.builder import build_plan, steps
from porter.builder.build_context import BuildContext, BuildSettings, prepare
from porter.builder.libraries import libraries_of
from porter.builder.symbol_table import SymbolTable
from porter.model.build import (
    BINDING,
    REGISTRATION,
    BuildResult,
    BuildRules,
    CompiledPort,
    LinkedLibraries,
    to_json,
)
from porter.model.rules import Profile
from porter.toolchain.ninja import Progress, locked

RESULT = "result.json"


class OpenBuild(NamedTuple):
    """Build folder that this process has locked."""

    context: BuildContext
    symbols: SymbolTable
    progress: Progress | None
    seconds: dict[str, float]
    """Maps the name of a finished step to its wall-clock seconds."""


@contextmanager
def opened(
    folder: Path,
    profile: Profile,
    rules: BuildRules,
    settings: BuildSettings | None = None,
    kernels: Sequence[Path] = (),
    progress: Progress | None = None,
) -> Iterator[OpenBuild]:
    """Context that locks `folder/build` and resolves the environment for a build of the port in `folder`.

    `folder` is `<out>/<target>/<release>`. `kernels` are sources in the port's folder `register` that are compiled
    together with the port's own kernels. Raises BuildError when the compiler or PyTorch is unusable; SourceError when
    `folder` contains no port, when PyTorch is missing or differs from the port's release, or when the folder cannot be
    written; UsageError when `settings.kernels` matches no source.
    """
    folder = Path(os.path.realpath(folder))
    seconds: dict[str, float] = {}
    with timed(seconds, "look"):
        context = prepare(folder, profile, rules, settings or BuildSettings(), kernels)
    with locked(context.out):
        symbols = SymbolTable(context.out / ".symbols")
        yield OpenBuild(context, symbols, progress, seconds)
        symbols.save()


def compile_port(build: OpenBuild) -> CompiledPort:
    """Compile the runtime and all sources except the registrations, and select the objects that can be linked.

    Raises BuildError for sources that do not compile or need an undefined symbol, Interrupted on Ctrl-C. Finished
    objects are kept.
    """
    context = build.context
    with timed(build.seconds, "runtime"):
        steps.build_runtime(context, build.progress)
    with timed(build.seconds, "objects"):
        compiled = steps.build_objects(context, build.progress)
    with timed(build.seconds, "symbols"):
        linkable = steps.linkable(context, compiled, build.symbols)
    return CompiledPort(
        units=linkable.units,
        objects=tuple(
            context.out / unit.object for unit in linkable.units if unit.set not in BINDING
        ),
        failed=compiled.failed,
        left_out=linkable.left_out,
        missing=(*context.plan.not_built, *compiled.not_built, *linkable.left_out),
        made=compiled.made,
    )


def compile_only(build: OpenBuild, sources: Sequence[Path]) -> BuildResult:
    """Compile the sources of the plan and the registrations `sources`. Nothing is linked.

    The result is also written to `result.json`. With the setting `keep_going`, it lists the sources that do not
    compile; otherwise such a source raises BuildError. Raises Interrupted on Ctrl-C.
    """
    context = build.context
    units = build_plan.written_units(context.folder, sources, REGISTRATION)
    context = context._replace(plan=context.plan._replace(units=(*context.plan.units, *units)))
    with timed(build.seconds, "objects"):
        compiled = steps.build_objects(context, build.progress)
    result = BuildResult(
        built=tuple(unit.path for unit in compiled.units),
        failed=compiled.failed,
        left_out=(),
        not_built=context.plan.not_built,
        libraries=(),
        compiled=compiled.made,
        seconds=build.seconds,
    )
    write_if_changed(context.out / RESULT, indented(to_json(result)) + "\n")
    return result


def link(build: OpenBuild, compiled: CompiledPort, sources: Sequence[Path]) -> LinkedLibraries:
    """Compile the registrations `sources`, which lie in the port's folder `register`, and link the libraries.

    Raises BuildError for sources that do not compile and for libraries that do not link, Interrupted on Ctrl-C.
    """
    context = build.context
    units = build_plan.written_units(context.folder, sources, REGISTRATION)
    libraries = libraries_of([*compiled.units, *units], context.profile, context.torch)
    with timed(build.seconds, "libraries"):
        made = steps.build_libraries(context, units, libraries, build.progress)
    return LinkedLibraries(tuple(libraries), tuple(units), made)


def check(build: OpenBuild, compiled: CompiledPort, linked: LinkedLibraries) -> BuildResult:
    """Check the symbols that the libraries need and export, and return the result of the build.

    The result is also written to `result.json`. Raises BuildError with a list of all problems.
    """
    context = build.context
    with timed(build.seconds, "check"):
        steps.check_libraries(context, linked.libraries, build.symbols)
    warning = context.convert.warning
    result = BuildResult(
        built=tuple(unit.path for unit in (*compiled.units, *linked.registrations)),
        failed=compiled.failed,
        left_out=compiled.left_out,
        not_built=context.plan.not_built,
        libraries=tuple(context.out / library.name for library in linked.libraries),
        compiled=compiled.made + linked.made,
        seconds=build.seconds,
        warnings=(warning,) if warning else (),
    )
    write_if_changed(context.out / RESULT, indented(to_json(result)) + "\n")
    return result


@contextmanager
def timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    """Context that stores the wall-clock seconds of a step in `seconds`, if the step ends without an exception."""
    start = time.perf_counter()
    yield
    seconds[step] = time.perf_counter() - start
