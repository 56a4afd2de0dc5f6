"""`porter op`: custom operators, each made from an entry in ops.yaml and a CUDA kernel."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec

import click

from porter.cli import console, options
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary

# This module is imported late at run time, because `--help` does not need it.
if TYPE_CHECKING:
    from porter.model.custom_ops import BuiltOps

_More = ParamSpec("_More")
_PROJECT = click.argument(
    "project", default=".", metavar="[DIR]", type=options.PathArgument(file_okay=False)
)
_LAUNCHER = click.option(
    "--launcher",
    metavar="PROGRAM",
    help="Program that runs the compiler; default: ccache if it is installed.",
)
_COMPILER = click.option(
    "--compiler",
    metavar="COMMAND",
    help="C++ compiler; default: $CXX, else the compiler in the target's profile.",
)


@click.group()
def op() -> None:
    """Create, build and test custom operators.

    \b
    porter op new my_ops --schema "scale(Tensor x, float factor) -> Tensor"
    porter op build my_ops
    porter op test my_ops
    """


@op.command(short_help="Create a project of operators.")
@click.argument("name")
@click.option(
    "--schema",
    "schemas",
    multiple=True,
    required=True,
    metavar="TEXT",
    help="Schema of an operator, as in native_functions.yaml; may be given several times.",
)
@click.option(
    "--binding",
    type=click.Choice(["library", "pybind11"]),
    default="library",
    show_default=True,
    help="library: operators of PyTorch's dispatcher; pybind11: plain functions, without gradients and torch.compile.",
)
@click.option(
    "--out",
    type=options.PathArgument(),
    metavar="DIR",
    help="Folder of the new project; default: NAME.",
)
@options.target
@options.python
@options.mappings
@options.as_json
def new(
    name: str,
    schemas: tuple[str, ...],
    binding: str,
    out: Path | None,
    target: str,
    python: str,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Create a project of custom operators that builds and passes its tests.

    The project has an ops.yaml with an entry for each schema, an example kernel in CUDA, and tests that compare the
    kernel with a reference. NAME is the namespace of the operators, torch.ops.NAME.

    \b
    porter op new my_ops --schema "scale(Tensor x, float factor) -> Tensor"
    """
    from porter.custom_ops import new_project
    from porter.register import catalogue
    from porter.toolchain.discovery import find_torch

    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    torch = find_torch(python)
    device = rule_cache.rule_set(library, target, torch.release).profile.device
    folder = out or Path(name)
    torchgen = catalogue.in_wheel(torch.root.parent)
    written = new_project.create(
        folder, new_project.ProjectNames(name, target, device, binding), schemas, torchgen
    )
    if as_json:
        console.print_json({"project": str(folder), "files": [str(path) for path in written]})
    else:
        for path in written:
            console.print_text(f"{path}\n")
        console.print_text(f"next: porter op build {folder}\n      porter op test {folder}\n")
    return 0


class _Project(NamedTuple):
    """Project of operators with the result of its build."""

    folder: Path
    target: str
    python: str
    built: BuiltOps


def _builds(command: Callable[Concatenate[_Project, _More], int]) -> Callable[..., int]:
    """Decorator that adds the options of a build to a command, and builds the project before the command runs."""

    @functools.wraps(command)
    def run(
        project: Path,
        target: str,
        jobs: int,
        python: str,
        compiler: str | None,
        launcher: str | None,
        mapping_dirs: tuple[Path, ...],
        *more: _More.args,
        **named: _More.kwargs,
    ) -> int:
        from porter.custom_ops.build import build
        from porter.custom_ops.build_steps import OpsBuildSettings

        library = MappingLibrary.find(mapping_dirs)
        library.root_of(target)
        settings = OpsBuildSettings(python, jobs, launcher, compiler)
        with console.progress(f"building for {target}", patient=True) as progress:
            built = build(project, library, target, settings, progress)
        return command(_Project(project, target, python, built), *more, **named)

    first = (_PROJECT, options.target, options.jobs, options.python)
    for option in reversed((*first, _COMPILER, _LAUNCHER, options.mappings)):
        run = option(run)
    return run


@op.command(short_help="Build a project of operators.")
@_builds
@options.as_json
def build(project: _Project, as_json: bool) -> int:
    """Build the operators of a project (default: the current folder) for the installed backend.

    porter ports the kernels to the target, generates registrations for autograd and torch.compile, and builds the
    Python package build/TARGET/python/NAMESPACE.

    \b
    porter op build my_ops --target simt
    """
    built, ops = project.built, project.built.ops
    told = {
        "operators": [one.signature.full_name for one in ops.custom],
        "replaced": [name for one in ops.override for name in one.serves],
        "excluded": [one.op for one in ops.exclude],
        "fallback": [one.op for one in ops.fallback],
    }
    for note in built.notes:
        console.warn(note)
    if as_json:
        head = {"target": project.target, "namespace": ops.namespace}
        tail = {"package": str(built.package), "made": built.made, "notes": built.notes}
        console.print_json({**head, **told, **tail})
    else:
        own = ops.namespace if ops.binding == "pybind11" else f"torch.ops.{ops.namespace}"
        spaces = {"operators": own}
        for what, names in told.items():
            if names:
                console.print_text(f"{what:<10} {spaces.get(what, 'aten')}: {', '.join(names)}\n")
        console.print_text(f"package    {built.package}\nmade       {built.made} files\n")
    return 0


@op.command(short_help="Test a project of operators.")
@_builds
@click.option(
    "--pytest",
    "more",
    multiple=True,
    metavar="ARGUMENT",
    help="Argument for pytest; may be given several times.",
)
def test(project: _Project, more: tuple[str, ...]) -> int:
    """Build the operators of a project, and run the project's tests on the installed backend.

    The fake kernel of every operator that a test calls must agree with the real kernel. Operators that no test calls
    are listed.

    \b
    porter op test my_ops
    porter op test my_ops --pytest -x --pytest my_ops/tests/test_ops.py
    """
    from porter.custom_ops.run_tests import test as test_ops

    tested = test_ops(project.folder, project.built, project.python, more)
    if tested.uncalled:
        console.warn(f"no test calls {', '.join(tested.uncalled)}")
    return 0 if tested.passed else 1
