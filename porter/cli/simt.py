"""`porter simt`: build of the runtime of target `simt`, which runs CUDA programs on the host CPU."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from porter.cli import console, options

_OUT = click.option(
    "--out",
    type=options.PathArgument(file_okay=False),
    default=Path("build/simt"),
    show_default=True,
    metavar="DIR",
    help="Folder of the build; a later build compiles only changed sources.",
)
_WARP_SIZE = click.option(
    "--warp-size",
    type=click.Choice(["32", "64"]),
    default="32",
    show_default=True,
    help="Number of lanes of a warp.",
)


@click.group()
def simt() -> None:
    """Build the runtime of target simt, and print the flags for programs that use it."""


@simt.command(short_help="Build libsimt.so.")
@_OUT
@click.option(
    "--compiler",
    default="g++",
    show_default=True,
    metavar="CXX",
    help="C++ compiler, for example clang++-16.",
)
@_WARP_SIZE
@click.option(
    "--sanitize",
    type=click.Choice(["address", "thread"]),
    help="Build with AddressSanitizer or ThreadSanitizer.",
)
@click.option("--debug", is_flag=True, help="Build without optimisation, with assertions.")
@click.option(
    "--tests", is_flag=True, help="Also build the runtime's test program (needs doctest)."
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1, max=options.MOST_JOBS),
    metavar="N",
    help="Number of parallel processes; default: one for each core.",
)
@click.option(
    "--launcher",
    metavar="CMD",
    help="Program that runs the compiler; default: ccache if it is installed.",
)
def build(
    out: Path,
    compiler: str,
    warp_size: str,
    sanitize: str | None,
    debug: bool,
    tests: bool,
    jobs: int | None,
    launcher: str | None,
) -> int:
    """Build libsimt.so with ninja, and print its path.

    \b
    porter simt build
    porter simt build --sanitize address --out build/simt-address --tests
    """
    from porter.simt.build import Options, conversion_flags
    from porter.simt.build import build as build_runtime

    library = build_runtime(
        Options(
            out=_real(out),
            compiler=compiler,
            warp_size=int(warp_size),
            sanitizer="address" if sanitize == "address" else "thread" if sanitize else None,
            debug=debug,
            tests=tests,
            jobs=jobs,
            launcher=launcher,
        )
    )
    console.print_text(f"{library}\n")
    if warning := conversion_flags(_real(out)).warning:
        console.warn(warning)
    return 0


@simt.command(short_help="Print the compiler's arguments for a ported program.")
@_OUT
@click.option(
    "--cached",
    is_flag=True,
    help=(
        "Use the runtime of simtcc instead of DIR: $PORTER_SIMT_RUNTIME, else a build in porter's cache, made at the "
        "first use."
    ),
)
@_WARP_SIZE
@click.option(
    "--only", type=click.Choice(["compile", "link"]), help="Print the flags of one step only."
)
@click.option(
    "--torch",
    is_flag=True,
    help="Print the flags of an extension of PyTorch for the installed backend torch_simt, instead of a program's.",
)
@options.python
@options.as_json
def flags(
    out: Path,
    cached: bool,
    warp_size: str,
    only: str | None,
    torch: bool,
    python: str,
    as_json: bool,
) -> int:
    """Print the compiler and linker flags for a ported program that uses the build in DIR.

    \b
    porter port sum.cu --target simt --out ported
    g++ -O2 $(porter simt flags) ported/simt/src/sum.cu -o sum

    Paths with blanks or special characters of the shell are quoted. For such paths, run: eval "g++ $(porter simt flags)
    ...".
    """
    if torch:
        compiling, linking = _torch_flags(python)
    else:
        compiling, linking = _flags(_cached_runtime() if cached else _real(out), int(warp_size))
    if as_json:
        parts = {"compile": compiling, "link": linking}
        console.print_json({name: parts[name] for name in ([only] if only else parts)})
        return 0
    # The libraries may precede the source that needs them, because they are shared libraries.
    flags = {"compile": compiling, "link": linking}[only] if only else [*linking, *compiling]
    if any(shlex.quote(flag) != flag for flag in flags):
        console.warn(
            'paths contain blanks or special characters of the shell; run: eval "g++ $(porter simt flags) ..."'
        )
    console.print_text(f"{shlex.join(flags)}\n")
    return 0


def _cached_runtime() -> Path:
    from porter.toolkit.target_settings import simt_runtime

    return simt_runtime()


def _flags(out: Path, warp_size: int) -> tuple[list[str], list[str]]:
    from porter.simt.build import conversion_flags, link_flags, program_flags

    convert = conversion_flags(out)
    if convert.warning:
        console.warn(convert.warning)
    return [*program_flags(warp_size), *convert.flags], link_flags(out)


def _torch_flags(python: str) -> tuple[list[str], list[str]]:
    from porter.toolchain.discovery import find_torch
    from porter.toolkit.extension_flags import extension_flags

    return extension_flags("simt", find_torch(python))


def _real(folder: Path) -> Path:
    # Path.resolve would raise an error for symbolic links that form a cycle.
    return Path(os.path.realpath(folder))
