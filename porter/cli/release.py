"""`porter release`: the PyTorch releases that porter knows."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.cli import console, options
from porter.cli.prove import prove
from porter.cli.releases import check_version
from porter.release import known, listing


@click.group(short_help="Show the PyTorch releases that porter knows, with proofs; fetch one.")
def release() -> None:
    """Show the PyTorch releases that porter knows, with proofs; fetch one."""


@release.command("list", short_help="List the known releases.")
@options.as_json
def list_(as_json: bool) -> int:
    """List the known releases with facts of their wheels, and the stages that are proven on each."""
    releases = known.read().releases
    if as_json:
        console.print_json({"releases": [listing.document(one) for one in releases]})
    else:
        console.print_lines(listing.table(releases))
    return 0


@release.command("fetch", short_help="Fetch the source tree of a release.")
@click.argument("name", metavar="VERSION")
@click.option(
    "--from-checkout",
    type=options.PathArgument(),
    metavar="DIR",
    help="Source tree or git checkout to take the release from.",
)
@click.option("--git", metavar="URL", help="Git repository with PyTorch's tags.")
def fetch(name: str, from_checkout: Path | None, git: str | None) -> int:
    """Fetch the source tree of a release into ~/.cache/porter (or $PORTER_CACHE), check it, and print its folder.

    An existing tree is not fetched again. Sources come from Debian if the machine's apt knows the release, else from
    PyTorch's git repository. VERSION-headers is the header tree of a release: those of its source files that the wheel
    contains, from the package index of this machine's pip. porter can port a header tree, generate registrations and
    compile the backend (--until build); there are no kernels to link.

    \b
    porter run --pytorch-src $(porter release fetch 2.6.0)
    porter release fetch 2.14.1-headers
    """
    # Imported late: only this command of the group runs a program.
    import subprocess

    from porter.project import release_trees

    release_trees.check_name(name)
    command = release_trees.fetch_command(name)
    command += ["--from-checkout", str(from_checkout)] if from_checkout else []
    command += ["--git", git] if git else []
    return subprocess.run(command, check=False).returncode


@release.command("show", short_help="Show one release.")
@click.argument("version")
@options.as_json
def show(version: str, as_json: bool) -> int:
    """Show the facts of a release, each with its source, and its proofs, each with the command that shows it.

    \b
    porter release show 2.6.0
    porter release show 2.10 --json
    """
    check_version(version)
    releases = known.read()
    found = releases.find(version)
    if found is None:
        names = ", ".join(one.release for one in releases.releases)
        text = f"PyTorch {version} is not a known release"
        raise UsageError(text, help=f"known: {names}")
    if as_json:
        console.print_json(listing.document(found))
    else:
        console.print_lines(listing.details(found))
    return 0


release.add_command(prove)
