"""`porter compare`: comparison of two ports that are made from one tree, for two targets."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.base.fork_pool import share_out
from porter.cli import console, options
from porter.cli.release_checks import release_to_port
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.rules import RuleSet


@click.command()
@click.argument("a")
@click.argument("b")
@options.pytorch_src("PyTorch source tree or header tree; never modified.", required=True)
@options.release("PyTorch release of the tree; default: the tree's own.")
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="List every difference, not only the number of differences of each kind.",
)
@options.jobs
@options.mappings
@options.as_json
def compare(
    a: str,
    b: str,
    tree: Path,
    release: str | None,
    every: bool,
    jobs: int,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Port a tree to the targets A and B, and list the differences of the two ports.

    Both ports are made in memory, without overlays; nothing is compiled or written. If only one name of the upstream
    text has become different names in the two ports, these names are listed as a pair. All other differences (launches,
    dynamic shared memory, calls with different arguments, patches) are listed with the rules of A and B that made them.

    \b
    porter compare simt musa --pytorch-src ../pytorch
    porter compare simt musa --pytorch-src ../pytorch --all --json
    """
    # Imported late: `porter compare --help` does not need the rewriter.
    from porter.inspect import port_comparison
    from porter.report import comparison

    if a == b:
        raise UsageError(f"target {a} is given twice", help="give two targets: porter target list")
    library = MappingLibrary.find(mapping_dirs)
    for target in (a, b):
        library.root_of(target)
    told = release_to_port(tree, release)

    def compiled(number: int) -> RuleSet:
        return rule_cache.checked_rule_set(library, (a, b)[number], told)

    rules = {one.target: one for one in share_out(2, compiled, jobs)}
    found = port_comparison.compare(tree, rules[a], rules[b], jobs)
    if as_json:
        head = {"a": a, "b": b, "release": told}
        console.print_json({**head, **comparison.document(found)})
    else:
        console.print_lines(comparison.lines(found, a, b, every=every))
    return 0
