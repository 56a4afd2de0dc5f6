"""`porter release`: the PyTorch releases that porter knows."""

from __future__ import annotations

import click

from porter.base.errors import UsageError
from porter.cli import console, options
from porter.cli.releases import check_version
from porter.release import known, listing


@click.group(short_help="Show the PyTorch releases that porter knows, and what is proven on each.")
def release() -> None:
    """Show the PyTorch releases that porter knows, and what is proven on each."""


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
        text = f"PyTorch {version} is not a release porter knows"
        raise UsageError(text, help=f"known: {names}")
    if as_json:
        console.print_json(listing.document(found))
    else:
        console.print_lines(listing.details(found))
    return 0
