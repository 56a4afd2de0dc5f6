"""The build stage: a port in, its libraries out.

    result = build(folder, profile, rules, emit, settings=Settings(kernels="core"))

compiler, PyTorch, plan -> runtime -> objects -> which of them link -> registrations (`emit`) -> libraries -> check

Only what changed is made again; what fails leaves the rest as it was.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from porter.base.fs import write_if_changed
from porter.base.json_text import indented
from porter.builder import build_plan, steps
from porter.builder.build_context import BuildSettings, prepare
from porter.builder.libraries import libraries_of
from porter.builder.symbol_table import SymbolTable
from porter.model.build import BINDING, REGISTRATION, BuildResult, BuildRules, NotBuilt, to_json
from porter.model.rules import Profile
from porter.toolchain.ninja import Progress, locked

Emit = Callable[[Sequence[Path], Sequence[NotBuilt]], Sequence[Path]]
"""Given the objects that the kernels' library is linked from, and the sources that are not in it, writes the
registrations and gives their sources, which lie in the port's folder `register`. It must write only what changed."""
RESULT = "result.json"


def build(
    folder: Path,
    profile: Profile,
    rules: BuildRules,
    emit: Emit,
    kernels: Sequence[Path] = (),
    settings: BuildSettings | None = None,
    progress: Progress | None = None,
) -> BuildResult:
    """Build the port in `folder` (`<out>/<target>/<release>`) into `folder/build/lib`.

    `kernels` are sources in the port's folder `register` that are compiled with its own kernels.

    Raises BuildError for whatever does not compile or link, SourceError when `folder` holds no port, when the installed
    PyTorch is not the port's, or when the place takes no data; UsageError when `settings.kernels` selects nothing;
    Interrupted on Ctrl-C. What was built is kept in any case.
    """
    folder = Path(os.path.realpath(folder))
    clock: dict[str, float] = {}
    with _timed(clock, "look"):
        site = prepare(folder, profile, rules, settings or BuildSettings(), kernels)
    with locked(site.out):
        table = SymbolTable(site.out / ".symbols")
        with _timed(clock, "runtime"):
            steps.build_runtime(site, progress)
        with _timed(clock, "objects"):
            objects = steps.build_objects(site, progress)
        with _timed(clock, "symbols"):
            linkable = steps.linkable(site, objects, table)
        with _timed(clock, "register"):
            sources = emit(
                [site.out / u.object for u in linkable.units if u.set not in BINDING],
                [*site.plan.not_built, *objects.not_built, *linkable.left_out],
            )
        registrations = build_plan.written_units(folder, sources, REGISTRATION)
        libraries = libraries_of([*linkable.units, *registrations], profile, site.torch)
        with _timed(clock, "libraries"):
            made = steps.build_libraries(site, registrations, libraries, progress)
        with _timed(clock, "check"):
            steps.check_libraries(site, libraries, table)
        table.save()
        result = BuildResult(
            built=tuple(unit.path for unit in (*linkable.units, *registrations)),
            failed=objects.failed,
            left_out=linkable.left_out,
            not_built=site.plan.not_built,
            libraries=tuple(site.out / library.name for library in libraries),
            compiled=objects.made + made,
            seconds=clock,
            warnings=(site.convert.warning,) if site.convert.warning else (),
        )
        write_if_changed(site.out / RESULT, indented(to_json(result)) + "\n")
        return result


@contextmanager
def _timed(clock: dict[str, float], step: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    clock[step] = time.perf_counter() - start
