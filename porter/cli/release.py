"""`porter release`: the PyTorch releases that porter knows."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.cli import console, options
from porter.cli.prove import prove
from porter.cli.releases import check_version, unknown_release
from porter.port import header_tree
from porter.project import release_trees
from porter.release import facts, known, listing
from porter.release.known import KnownRelease
from porter.report.tables import Line


@click.group()
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

    The facts of a release that porter does not know are read from its fetched header tree.

    \b
    porter release show 2.6.0
    porter release show 2.10 --json
    """
    check_version(version)
    releases = known.read()
    found = releases.find(version) or _unknown(version)
    if found is None:
        names = ", ".join(one.release for one in releases.releases)
        text = f"PyTorch {version} is not a known release, and its header tree is not in the cache"
        help = f"known: {names}; fetch another: porter release fetch {version}{header_tree.SUFFIX}"
        raise UsageError(text, help=help)
    if as_json:
        console.print_json(listing.document(found))
        return 0
    console.print_lines(listing.details(found))
    if releases.find(version) is None:
        newest = releases.newest.release
        console.warn(unknown_release(found.release, newest))
        console.print_lines([Line(""), Line("next:", "bold")])
        console.print_lines(
            Line(f"  porter {words}")
            for words in (
                f"upgrade {newest} {found.release}",
                f"release prove {found.release} --compile",
                f"abi {newest} {found.release}",
            )
        )
    return 0


def _unknown(version: str) -> KnownRelease | None:
    """Facts of a fetched header tree; None when the cache lacks the tree. Raises SourceError for a damaged tree."""
    tree = release_trees.cached(f"{version}{header_tree.SUFFIX}")
    return KnownRelease(version, facts.read(tree), ()) if tree else None


release.add_command(prove)
