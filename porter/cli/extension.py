"""`porter extension`: packages that extend PyTorch for CUDA, built for a target without edits."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.cli import console, options
from porter.cli.stage_timer import Clock


@click.group()
def extension() -> None:
    """Build packages that extend PyTorch for CUDA, without edits of their sources."""


@extension.command(short_help="Build the wheel of a package for a target.")
@click.argument("package", metavar="SDIST|DIR|NAME")
@options.target
@options.out("Output folder; the wheel and its report go to DIR/NAME-VERSION.", required=True)
@options.python
@options.jobs
@options.mappings
@options.as_json
def build(
    package: str,
    target: str,
    out: Path,
    python: str,
    jobs: int,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Build the wheel of an unmodified package for a target, from an sdist, a folder, or a name in the package index.

    The package's own build (pip wheel --no-build-isolation) runs with a toolkit of the target as CUDA_HOME; its
    compiler driver ports the sources. The target's backend must be installed for the interpreter.

    \b
    porter extension build torch-scatter==2.1.2 --target simt --out wheels
    pip install --no-deps wheels/torch_scatter-2.1.2/*.whl
    """
    if not package:
        raise UsageError("the package's name is empty", help="give an sdist, a folder, or a name")
    from porter.toolkit import extension_report
    from porter.toolkit.extension import BuildSettings
    from porter.toolkit.extension import build as build_extension

    clock = Clock()
    settings = BuildSettings(target, python, mapping_dirs, jobs)
    with console.progress(f"building {package} for {target}"):
        built = build_extension(package, out, settings, clock.lap, clock.seconds)
    if as_json:
        console.print_json({**extension_report.document(built), "folder": str(built.wheel.parent)})
    else:
        console.print_lines(extension_report.lines(built))
    return 0
