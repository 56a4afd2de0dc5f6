"""The steps of a build, in their order."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import fs
from porter.base.errors import BuildError, Problem, SourceError
from porter.base.fs import write_if_changed
from porter.builder import flags, link_check, undefined_symbols
from porter.builder.build_context import BuildContext
from porter.builder.libraries import write_version_scripts
from porter.builder.symbol_table import SymbolTable
from porter.builder.up_to_date import PassedCheck
from porter.model.build import BINDING, CompileUnit, Failure, NotBuilt, SharedLibrary
from porter.toolchain import ninja_file, precompiled
from porter.toolchain.diagnostics import cause, failure
from porter.toolchain.ninja import NinjaOutcome, Progress, ninja_command, run_ninja


class CompiledObjects(NamedTuple):
    """What compiling came to."""

    units: tuple[CompileUnit, ...]
    """Those whose objects are there."""
    failed: tuple[Failure, ...]
    made: int

    @property
    def not_built(self) -> tuple[NotBuilt, ...]:
        """What failed, as sources that are not in the libraries."""
        return tuple(NotBuilt(one.path, "it does not compile") for one in self.failed)


class LinkableUnits(NamedTuple):
    """What of it can be linked."""

    units: tuple[CompileUnit, ...]
    left_out: tuple[NotBuilt, ...]


def build_runtime(site: BuildContext, progress: Progress | None) -> None:
    """Put porter's own runtime into `lib`, for a target that stands on it. Raises BuildError."""
    if site.profile.build.runtime != "simt":
        return
    # Imported late: other targets have nothing of it.
    from porter.simt.build import Options, build

    library = build(
        Options(
            out=site.out / "runtime",
            compiler=shlex.join(site.compiler.command),
            warp_size=site.profile.warp_size,
            jobs=site.jobs.all,
            launcher=shlex.join(site.commands.launcher),
        ),
        progress,
    )
    place = site.out / "lib" / library.name
    try:
        place.parent.mkdir(exist_ok=True)
        if not (place.exists() and place.samefile(library)):
            place.unlink(missing_ok=True)
            fs.link_or_copy(library, place)
    except OSError as error:
        raise fs.cannot_write(error, place) from None


def build_objects(site: BuildContext, progress: Progress | None) -> CompiledObjects:
    """Compile everything that is known before the registrations.

    Raises BuildError with every failure there was, unless they are to be left out; what belongs to the host side is
    never left out.
    """
    plan, out = site.plan, site.out
    if not (out / ninja_file.LIBRARIES).exists():
        write_if_changed(out / ninja_file.LIBRARIES, "")
    header = _write_header(site)
    graph = ninja_file.objects_graph(plan.units, site.commands, site.jobs, site.depends, header)
    if write_if_changed(out / ninja_file.GRAPH, graph):
        # As long as the graph is the same, those of the last run hold, the registrations' among them.
        _write_commands(site, plan.units)
    keep_going = site.settings.keep_going
    outcome = run_ninja(
        out, [ninja_file.OBJECTS], jobs=site.jobs.all, keep_going=keep_going, progress=progress
    )
    failed = _failures(site, outcome, plan.units)
    broken = {failure.path for failure in failed}
    optional = {unit.path for unit in plan.units if undefined_symbols.can_go(unit)}
    needed = not broken <= optional
    if failed and (needed or not keep_going):
        raise BuildError(map(_problem, failed))
    units = tuple(unit for unit in plan.units if unit.path not in broken)
    return CompiledObjects(units, failed, outcome.done)


def linkable(site: BuildContext, objects: CompiledObjects, table: SymbolTable) -> LinkableUnits:
    """The units whose symbols are all there.

    Raises BuildError, with each symbol that is not, the source that needs it and the one that would define it, unless
    what needs it is to be left out.
    """
    units = [unit for unit in objects.units if unit.set not in BINDING]
    files = [site.out / unit.object for unit in units]
    outside = _outside(site)
    kept = PassedCheck(site.out / ".resolved", [*files, *outside])
    if kept.holds():
        return LinkableUnits(objects.units, ())
    symbols = dict(zip(units, table.of(files), strict=True))
    found = undefined_symbols.resolve(
        symbols, _defined(outside, table), shrink=site.settings.keep_going
    )
    gone = [NotBuilt(unit.path, "it is left out as well") for unit in found.left_out]
    where = undefined_symbols.DefinedIn(_not_linked(site, [*objects.not_built, *gone]))
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
    site: BuildContext,
    registrations: Sequence[CompileUnit],
    libraries: Sequence[SharedLibrary],
    progress: Progress | None,
) -> int:
    """Compile the registrations and link; gives the number of objects and libraries made. Raises BuildError."""
    scripts = write_version_scripts(libraries, site.out)
    text = ninja_file.libraries_graph(registrations, libraries, scripts, site.depends)
    write_if_changed(site.out / ninja_file.LIBRARIES, text)
    units = (*site.plan.units, *registrations)
    _write_commands(site, units)
    outcome = run_ninja(site.out, jobs=site.jobs.all, progress=progress)
    if failed := _failures(site, outcome, units):
        raise BuildError(map(_problem, failed))
    return outcome.done


def check_libraries(
    site: BuildContext, libraries: Sequence[SharedLibrary], table: SymbolTable
) -> None:
    """Look at what linked libraries need and show. Raises BuildError with all that is wrong."""
    places = {library.name: site.out / library.name for library in libraries}
    python = [library.name for library in libraries if not library.complete]
    outside = [*_outside(site), *link_check.python_libraries(site.torch)]
    kept = PassedCheck(site.out / ".checked", [*places.values(), *outside])
    if kept.holds():
        return
    problems = link_check.check(places, _defined(outside, table), site.torch, table, python)
    if problems:
        raise BuildError(problems)
    kept.keep()


def _write_header(site: BuildContext) -> Path | None:
    """What kernels begin with, where that is compiled once for all of them."""
    if site.header is None:
        return None
    place = site.out / precompiled.HEADER
    write_if_changed(place, site.header)
    return place


def _write_commands(site: BuildContext, units: Sequence[CompileUnit]) -> None:
    """For editors."""
    text = ninja_file.compile_commands(units, site.commands, site.out)
    write_if_changed(site.out / "compile_commands.json", text)


def _outside(site: BuildContext) -> list[Path]:
    """The libraries whose symbols a build may use."""
    link = [f"-L{site.out / 'lib'}", *flags.runtime_link(site.profile)]
    return [
        *link_check.torch_libraries(site.torch),
        *link_check.named_libraries(site.compiler, link),
        *link_check.system_libraries(site.compiler),
    ]


def _defined(files: Sequence[Path], table: SymbolTable) -> frozenset[str]:
    every = table.of(files)
    return frozenset().union(*(symbols.defined for symbols in every))


def _failures(
    site: BuildContext, outcome: NinjaOutcome, units: Sequence[CompileUnit]
) -> tuple[Failure, ...]:
    """What failed, by unit. Raises SourceError when the disk is full, BuildError when ninja itself gave up."""
    by_object = {unit.object: unit for unit in units}
    for failed in outcome.failed:
        why = cause(failed)
        if why and why.disk:
            raise SourceError(why.text, str(site.out), why.help)
    if outcome.code != 0 and not outcome.failed:
        command = shlex.join(ninja_command(site.out, "-v"))
        raise BuildError(outcome.said or "ninja failed", str(site.out), f"again: {command}")
    return tuple(
        failure(failed, by_object.get(failed.output), site.origins) for failed in outcome.failed
    )


def _problem(failed: Failure) -> Problem:
    text = f"{failed.path} could not be built (exit {failed.code})"
    command = f"command: {failed.command}"
    return Problem(f"{text}\n{failed.text}\n{command}", failed.place, failed.help)


def _not_linked(site: BuildContext, more: Sequence[NotBuilt]) -> Mapping[Path, NotBuilt]:
    """Sources of the port that are not linked, each with its upstream path and why."""
    left = [*site.plan.not_built, *more]
    return {site.sources[one.path]: one for one in left if one.path in site.sources}
