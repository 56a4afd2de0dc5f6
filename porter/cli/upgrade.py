"""`porter upgrade`: list of the changes to a target's files that a new release of PyTorch requires."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base import fs
from porter.base.errors import UsageError
from porter.cli import console, options
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.upgrade import Effect

_MOST = 20
"""Default number of rows that a terminal shows in each section of the report."""


@click.command()
@click.argument("a")
@click.argument("b")
@options.target
@options.mappings
@options.as_json
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
@options.html
@click.option("--all", "everything", is_flag=True, help="Also show rows that require no edit.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=_MOST,
    show_default=True,
    metavar="N",
    help="Number of rows to show in each section of the report; 0 shows all.",
)
@options.jobs
def upgrade(
    a: str,
    b: str,
    target: str,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
    as_markdown: bool,
    page: Path | None,
    everything: bool,
    limit: int,
    jobs: int,
) -> int:
    """Compare releases A and B of PyTorch, and list the changes to a target's files that release B requires.

    Nothing is compiled. A and B are source trees, header trees, or releases that `porter release fetch` has fetched.
    Each row of the list names the file and line to edit. Exit code 0: no row breaks the port, the registration or the
    compilation; 1: a row breaks one of these.

    \b
    porter upgrade 2.6.0 2.7.1
    porter upgrade 2.9.1 2.10.0 --target musa --html upgrade.html
    porter upgrade ../pytorch-2.6.0 ../pytorch-2.7.1-headers --json
    """
    if as_json and as_markdown:
        raise UsageError("--json and --markdown exclude each other")
    # Imported late: `porter upgrade --help` does not need these modules.
    from porter.report import upgrade as report
    from porter.report.pages import upgrade_page
    from porter.upgrade import mentions, trees
    from porter.upgrade.compare import Compared, compare

    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    first, second = trees.pair(a, b)
    rules = [rule_cache.rule_set(library, target, one.release) for one in (first, second)]
    overlays = options.read_overlays(library, target)
    backend = mentions.backend()
    done = compare(Compared(first, second, rules[0], rules[1], library, backend, overlays, jobs))
    if page:
        fs.write_if_changed(page, upgrade_page.render(done))
    if as_json:
        console.print_json(report.as_json(done))
    elif as_markdown:
        console.print_text(report.markdown(done))
    else:
        console.print_lines(report.lines(done, limit, everything))
    return int(any(row.effect is Effect.BREAKS for row in done.rows))
