"""Steps of the build stage, in their order."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import fs
from porter.base.errors import BuildError, Problem
from porter.base.fingerprint import Answer
from porter.base.fs import write_if_changed
from porter.builder import flags, link_check, undefined_symbols
from porter.builder.build_context import BuildContext
from porter.builder.libraries import write_version_scripts
from porter.builder.symbol_table import SymbolTable
from porter.builder.up_to_date import PassedCheck
from porter.model.build import BINDING, CompileUnit, Failure, NotBuilt, SharedLibrary
from porter.toolchain import ninja_file, precompiled
from porter.toolchain.diagnostics import failures
from porter.toolchain.ninja import Progress, run_ninja

CHECKS = Answer("link-checks", ("base", "builder", "model", "toolchain"))
"""Fingerprint of the code that checks symbols before and after linking."""


class CompiledObjects(NamedTuple):
    """Units with objects, and failed commands, after `build_objects`."""

    units: tuple[CompileUnit, ...]
    """Sources whose objects exist."""
    failed: tuple[Failure, ...]
    made: int
    """Number of objects that this run compiled."""

    @property
    def not_built(self) -> tuple[NotBuilt, ...]:
        """Failed sources as `NotBuilt` entries."""
        return tuple(NotBuilt(one.path, "it does not compile") for one in self.failed)


class LinkableUnits(NamedTuple):
    """Result of `linkable`: units to link, and units that are left out."""

    units: tuple[CompileUnit, ...]
    left_out: tuple[NotBuilt, ...]


def build_runtime(context: BuildContext, progress: Progress | None) -> None:
    """Build libsimt.so and put it into `lib`, if the target's runtime is simt. Raises BuildError."""
    if context.profile.build.runtime != "simt":
        return
    # Imported late: builds for other targets do not load it.
    from porter.simt.build import Options, build

    library = build(
        Options(
            out=context.out / "runtime",
            compiler=shlex.join(context.compiler.command),
            warp_size=context.profile.warp_size,
            jobs=context.jobs.all,
            launcher=shlex.join(context.commands.launcher),
        ),
        progress,
    )
    place = context.out / "lib" / library.name
    try:
        place.parent.mkdir(exist_ok=True)
        if not (place.exists() and place.samefile(library)):
            place.unlink(missing_ok=True)
            fs.link_or_copy(library, place)
    except OSError as error:
        raise fs.cannot_write(error, place) from None


def build_objects(context: BuildContext, progress: Progress | None) -> CompiledObjects:
    """Compile all sources of the build plan, and return the units whose objects exist.

    Raises BuildError with a list of all failures. With `keep_going`, failed kernels are left out instead; any other
    failed source is still an error, unless nothing is linked.
    """
    plan, out = context.plan, context.out
    if not (out / ninja_file.LIBRARIES).exists():
        write_if_changed(out / ninja_file.LIBRARIES, "")
    header = _write_header(context)
    graph = ninja_file.objects_graph(
        plan.units, context.commands, context.jobs, context.depends, header
    )
    if write_if_changed(out / ninja_file.GRAPH, graph):
        # For an unchanged graph, compile_commands.json of the last run stays: it also lists the registrations.
        _write_commands(context, plan.units)
    keep_going = context.settings.keep_going
    outcome = run_ninja(
        out, [ninja_file.OBJECTS], jobs=context.jobs.all, keep_going=keep_going, progress=progress
    )
    failed = failures(outcome, context.out, plan.units, context.origins)
    broken = {failure.path for failure in failed}
    optional = {unit.path for unit in plan.units if undefined_symbols.can_go(unit)}
    needed = context.torch.has_libraries and not broken <= optional
    if failed and (needed or not keep_going):
        raise BuildError(map(_problem, failed))
    units = tuple(unit for unit in plan.units if unit.path not in broken)
    return CompiledObjects(units, failed, outcome.done)


def linkable(context: BuildContext, objects: CompiledObjects, table: SymbolTable) -> LinkableUnits:
    """Select the units that can be linked because none of their symbols is undefined.

    Raises BuildError with a list of the undefined symbols, each with the source that needs the symbol and the source
    that would define it. With `keep_going`, kernels with undefined symbols are left out instead.
    """
    units = [unit for unit in objects.units if unit.set not in BINDING]
    files = [context.out / unit.object for unit in units]
    outside = _outside(context)
    kept = PassedCheck(context.out / ".resolved", CHECKS, [*files, *outside])
    if kept.holds():
        return LinkableUnits(objects.units, ())
    symbols = dict(zip(units, table.of(files), strict=True))
    found = undefined_symbols.resolve(
        symbols, _defined(outside, table), shrink=context.settings.keep_going
    )
    gone = [NotBuilt(unit.path, "it is left out too") for unit in found.left_out]
    where = undefined_symbols.DefinedIn(_not_linked(context, [*objects.not_built, *gone]))
    if found.missing:
        raise BuildError(undefined_symbols.problems(found.missing, where))
    if not found.left_out:
        kept.keep()
        return LinkableUnits(objects.units, ())
    return LinkableUnits(
        tuple(unit for unit in objects.units if unit not in found.left_out),
        tuple(undefined_symbols.left_out_for(found.left_out, where)),
    )


def build_libraries(
    context: BuildContext,
    registrations: Sequence[CompileUnit],
    libraries: Sequence[SharedLibrary],
    progress: Progress | None,
) -> int:
    """Compile the registrations and link. Returns the number of objects and libraries made. Raises BuildError."""
    scripts = write_version_scripts(libraries, context.out)
    text = ninja_file.libraries_graph(registrations, libraries, scripts, context.depends)
    write_if_changed(context.out / ninja_file.LIBRARIES, text)
    units = (*context.plan.units, *registrations)
    _write_commands(context, units)
    outcome = run_ninja(context.out, jobs=context.jobs.all, progress=progress)
    if failed := failures(outcome, context.out, units, context.origins):
        raise BuildError(map(_problem, failed))
    return outcome.done


def check_libraries(
    context: BuildContext, libraries: Sequence[SharedLibrary], table: SymbolTable
) -> None:
    """Check the symbols that linked libraries need and export. Raises BuildError with a list of all problems."""
    places = {library.name: context.out / library.name for library in libraries}
    python = [library.name for library in libraries if not library.complete]
    outside = [*_outside(context), *link_check.python_libraries(context.torch)]
    kept = PassedCheck(context.out / ".checked", CHECKS, [*places.values(), *outside])
    if kept.holds():
        return
    problems = link_check.check(places, _defined(outside, table), context.torch, table, python)
    if problems:
        raise BuildError(problems)
    kept.keep()


def _write_header(context: BuildContext) -> Path | None:
    """Write the header to precompile for kernels, and return its path; None for a build without such a header."""
    if context.header is None:
        return None
    place = context.out / precompiled.HEADER
    write_if_changed(place, context.header)
    return place


def _write_commands(context: BuildContext, units: Sequence[CompileUnit]) -> None:
    """Write compile_commands.json, which editors read."""
    text = ninja_file.compile_commands(units, context.commands, context.out)
    write_if_changed(context.out / "compile_commands.json", text)


def _outside(context: BuildContext) -> list[Path]:
    """Libraries of PyTorch, the runtime and the system that define symbols for the objects of a build."""
    link = [f"-L{context.out / 'lib'}", *flags.runtime_link(context.profile)]
    return [
        *link_check.torch_libraries(context.torch),
        *link_check.named_libraries(context.compiler, link),
        *link_check.system_libraries(context.compiler),
    ]


def _defined(files: Sequence[Path], table: SymbolTable) -> frozenset[str]:
    every = table.of(files)
    return frozenset().union(*(symbols.defined for symbols in every))


def _problem(failed: Failure) -> Problem:
    text = f"{failed.path} could not be built (exit {failed.code})"
    command = f"command: {failed.command}"
    return Problem(f"{text}\n{failed.text}\n{command}", failed.place, failed.help)


def _not_linked(context: BuildContext, more: Sequence[NotBuilt]) -> Mapping[Path, NotBuilt]:
    """Maps the file of each source of the port that is not linked to its upstream path and the reason.

    `more`: sources that are not linked, in addition to those that the plan leaves out.
    """
    left = [*context.plan.not_built, *more]
    return {context.sources[one.path]: one for one in left if one.path in context.sources}
