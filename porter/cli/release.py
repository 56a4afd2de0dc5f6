"""`porter release`: the PyTorch releases that porter knows."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.cli import console, options
from porter.cli.prove import prove
from porter.cli.release_checks import check_version, unknown_release
from porter.port import header_tree
from porter.release import facts, known, listing
from porter.release.known import KnownRelease
from porter.report.tables import Line
from porter.vendor_repository import release_trees


@click.group()
def release() -> None:
    """List the PyTorch releases that porter knows and the stages proven on each; fetch a release.

    A stage, such as the port or the registration of operators, is proven on a release if it succeeded for a target. The
    proof is a command that repeats the stage.
    """


@release.command("list", short_help="List the known releases.")
@options.as_json
def list_(as_json: bool) -> int:
    """List the known releases, each with facts of its wheel and with its proven stages."""
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
    help="Source tree or git checkout from which the release is copied.",
)
@click.option("--git", metavar="URL", help="Git repository with the tags of PyTorch's releases.")
def fetch(name: str, from_checkout: Path | None, git: str | None) -> int:
    """Fetch the source tree of a release into ~/.cache/porter (or $PORTER_CACHE), check it, and print its folder.

    An existing tree is not fetched again. Sources come from Debian if the machine's apt knows the release, else from
    PyTorch's git repository. For VERSION-headers, the command fetches a header tree: the source files that the wheel of
    the release contains. The wheel comes from the package index of this machine's pip. porter can port a header tree,
    generate registrations, and compile the registrations and the backend's own sources (porter run --until build). It
    links no libraries, because a header tree contains no kernels.

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
    """Show the facts of a release, and its proven stages with the commands that repeat the proofs.

    If porter does not know the release, it reads the facts from the fetched header tree of the release.

    \b
    porter release show 2.6.0
    porter release show 2.10 --json
    """
    check_version(version)
    releases = known.read()
    found = releases.find(version) or _from_header_tree(version)
    if found is None:
        names = ", ".join(one.release for one in releases.releases)
        text = f"PyTorch {version} is not a known release, and its header tree is not in the cache"
        help = f"give one of {names}; or run porter release fetch {version}{header_tree.SUFFIX}"
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


def _from_header_tree(version: str) -> KnownRelease | None:
    """Release without proofs, with the facts of its header tree in the cache; None if the cache lacks the tree.

    Raises SourceError if the tree is damaged.
    """
    tree = release_trees.cached(f"{version}{header_tree.SUFFIX}")
    return KnownRelease(version, facts.read(tree), ()) if tree else None


release.add_command(prove)
