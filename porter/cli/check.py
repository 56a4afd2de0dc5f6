"""`porter check`: races, bad memory, barriers and uninitialised memory in CUDA programs, without a GPU."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.cli import console, options

_KINDS = ("memory", "race", "sync", "init", "host", "schedule")


class _WithArguments(click.Command):
    """Command whose words after `--` are arguments of the checked program."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, dashes, program = args, [], []
        if "--" in args:
            at = args.index("--")
            own, dashes, program = args[:at], args[at : at + 1], args[at + 1 :]
        ctx.meta["porter.check.arguments"] = (tuple(program), bool(dashes))
        return super().parse_args(ctx, own)


@click.command(cls=_WithArguments)
@click.argument("sources", nargs=-1, required=True, type=options.PathArgument(dir_okay=False))
@click.option(
    "--check",
    "kinds",
    default="memory,race,sync,init",
    show_default=True,
    metavar="KINDS",
    help=f"Kinds of checks, separated by commas: {', '.join(_KINDS)}.",
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
    kinds: str,
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
    chosen = _kinds(kinds)
    # Imported late: the driver imports the whole port.
    from porter.checks import checked_run, findings
    from porter.checks import suppressions as accepted

    known = accepted.read(suppressions) if suppressions else ()
    arguments, _ = ctx.meta["porter.check.arguments"]
    outcome = checked_run.check(sources, arguments, chosen, nvcc, quiet=as_json)
    left, hidden = accepted.split(outcome.findings, known)
    if as_json:
        data = {"findings": findings.as_json(left), "suppressed": hidden, "exit": outcome.code}
        console.print_json(data)
    else:
        for one in left:
            console.print_text(f"{findings.text(one)}\n")
        more = f", {hidden} suppressed" if hidden else ""
        console.print_text(f"{len(left)} finding{'' if len(left) == 1 else 's'}{more}\n")
    return error_exitcode if left else outcome.code


def _kinds(text: str) -> tuple[str, ...]:
    chosen = tuple(filter(None, text.split(",")))
    if unknown := [one for one in chosen if one not in _KINDS]:
        raise UsageError(
            f"--check: unknown kind {unknown[0]}", help=f"known kinds: {', '.join(_KINDS)}"
        )
    if not chosen:
        raise UsageError("--check names no kind", help=f"known kinds: {', '.join(_KINDS)}")
    return chosen
