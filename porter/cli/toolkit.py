"""`porter toolkit`: a folder for use as CUDA_HOME, with a compiler driver that has nvcc's command line."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.cli import console, options
from porter.cli.release_checks import KNOWN_RELEASES, check_version


@click.command()
@options.target
@click.option(
    "--torch",
    is_flag=True,
    help="Make the toolkit for extensions of PyTorch, with the installed backend of the target.",
)
@options.python
@options.release("PyTorch release whose rules apply; with --torch, the installed release.")
@click.option(
    "--compiler", metavar="CXX", help="Compiler; default: the compiler in the target's profile."
)
@options.mappings
@options.as_json
def toolkit(
    target: str,
    torch: bool,
    python: str,
    release: str | None,
    compiler: str | None,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Print the path of a target's toolkit folder. The first call makes the folder, in porter's cache.

    The folder has the layout of a CUDA toolkit: bin/nvcc and bin/c++ port sources while they compile, include/ has
    headers with CUDA's names, and lib64/ has libraries with CUDA's names. Build systems use it as CUDA_HOME.

    \b
    CUDACXX=$(porter toolkit --target simt)/bin/nvcc cmake -S project -B build
    make NVCC=$(porter toolkit --target simt)/bin/nvcc
    """
    from porter.toolkit.cached_folder import made
    from porter.toolkit.inputs import Wanted

    if torch and release:
        raise UsageError(
            "--torch and --release contradict each other: --torch uses the installed release"
        )
    if release:
        check_version(release)
    found = None
    if torch:
        from porter.toolchain.discovery import find_torch

        found = find_torch(python)
    chosen = found.release if found else release or KNOWN_RELEASES[-1]
    folder = made(Wanted(target, mapping_dirs, chosen, found, compiler or ""))
    if as_json:
        console.print_json({"folder": str(folder)})
    else:
        console.print_text(f"{folder}\n")
    return 0
