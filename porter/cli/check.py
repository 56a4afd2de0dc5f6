"""`porter check`: races, bad memory, barriers and uninitialised memory in CUDA programs, without a GPU."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.checks.findings import KINDS
from porter.cli import console, options
from porter.toolkit.command_line import DEVICE_SUFFIXES, HOST_SUFFIXES

_ARGUMENTS = "porter.check.arguments"


class _WithArguments(click.Command):
    """Command whose words after `--` are arguments of the checked program."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[_ARGUMENTS] = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])


@click.command(cls=_WithArguments)
@click.argument("sources", nargs=-1, required=True, type=options.PathArgument(dir_okay=False))
@click.option(
    "--check",
    "kinds",
    type=options.Words(KINDS),
    default="memory,race,sync,init",
    show_default=True,
    metavar="KIND,...",
    help=f"Kinds of checks, separated by commas: {', '.join(KINDS)}.",
)
@click.option(
    "--suppressions",
    type=options.PathArgument(dir_okay=False),
    metavar="FILE",
    help="YAML file with accepted findings, each with a reason.",
)
@click.option(
    "--error-exitcode",
    type=click.IntRange(0, 255),
    default=1,
    show_default=True,
    metavar="N",
    help="Exit code if something is found.",
)
@click.option(
    "--option",
    "nvcc",
    multiple=True,
    metavar="OPTION",
    help="Option of nvcc for the compilation, such as -Iinclude or -lcurand. May be repeated.",
)
@options.as_json
@click.pass_context
def check(
    ctx: click.Context,
    sources: tuple[Path, ...],
    kinds: tuple[str, ...],
    suppressions: Path | None,
    error_exitcode: int,
    nvcc: tuple[str, ...],
    as_json: bool,
) -> int:
    """Port, compile and run CUDA programs under checks, and report what they find.

    The program runs on the host CPU, with instrumentation at each access. Its arguments follow after `--`. The exit
    code is 1 if something is found, and the program's own exit code otherwise.

    \b
    porter check sum.cu
    porter check --check race,sync sum.cu main.cu -- 1024
    porter check --suppressions accepted.yaml --json sum.cu
    """
    if not kinds:
        raise UsageError("--check names no kind", help=f"choose from {', '.join(KINDS)}")
    # Imported late: the driver imports the whole port.
    from porter.checks import checked_run, findings
    from porter.checks import suppressions as accepted

    known = accepted.read(suppressions) if suppressions else ()
    _check_sources(sources)
    outcome = checked_run.check(sources, ctx.meta[_ARGUMENTS], kinds, nvcc, quiet=as_json)
    left, hidden = accepted.split(outcome.findings, known)
    if as_json:
        data = {"findings": findings.as_json(left), "suppressed": hidden, "exit": outcome.code}
        console.print_json(data)
    else:
        for one in left:
            console.print_text(f"{findings.text(one)}\n")
        console.print_text(f"{findings.count_text(len(left), hidden)}\n")
    return error_exitcode if left else outcome.code


def _check_sources(sources: tuple[Path, ...]) -> None:
    """Raise UsageError for a file that is no source, before the runtime is built, which takes minutes."""
    for path in sources:
        if path.suffix not in DEVICE_SUFFIXES | HOST_SUFFIXES:
            known = " ".join(sorted(DEVICE_SUFFIXES | HOST_SUFFIXES))
            raise UsageError(
                f"'{path}' is no CUDA or C++ source", help=f"its name ends with one of {known}"
            )
