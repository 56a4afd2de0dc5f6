"""`porter report`: the report of an existing port."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.cli import console, options
from porter.model.rewrite_result import Reason

_MOST = 10
"""Default number of residue words that a terminal shows for each reason."""
_ORDERS = ("places", "files", "name", "first")
"""Values of `porter.report.report_query.Order`, repeated here because importing that module is slow."""


@click.command()
@click.argument("folder", metavar="DIR", type=options.PathArgument())
@click.option(
    "--reason",
    "reasons",
    multiple=True,
    type=click.Choice([str(reason) for reason in Reason]),
    help="Show only residue with this reason; may be given several times.",
)
@click.option(
    "--sort",
    type=click.Choice(_ORDERS),
    default=_ORDERS[0],
    show_default=True,
    help="Sort residue words by the number of places, by the number of files, by name, or by the first place.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=None,
    metavar="N",
    help=f"Number of words to show for each reason; 0 shows all. Default: {_MOST}; with --json or --markdown, all.",
)
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
@click.option(
    "--html",
    "page",
    type=options.PathArgument(dir_okay=False),
    metavar="FILE",
    help="Write the page of the port to FILE, from the files in DIR and the source tree that DIR was made from.",
)
@options.pytorch_src("Source tree for --html, if the tree has moved since the port was made.")
@options.jobs
@options.mappings
@options.as_json
def report(
    folder: Path,
    reasons: tuple[str, ...],
    sort: str,
    limit: int | None,
    as_markdown: bool,
    page: Path | None,
    tree: Path | None,
    jobs: int,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Show the residue and the hazards of the existing port in DIR.

    \b
    porter report generated/simt/2.6.0
    porter report generated/simt/2.6.0 --reason unsupported --sort first --limit 0
    porter report generated/simt/2.6.0 --html report.html
    """
    if as_json and as_markdown:
        raise UsageError("--json and --markdown exclude each other")
    # Imported late: `porter report --help` does not need these modules.
    from porter.port import saved_report
    from porter.report import next_steps, report_query

    whole = saved_report.read(folder)
    chosen = tuple(map(Reason, reasons))
    if page:
        _write_page(folder, page, tree, mapping_dirs, jobs)
    if as_json or as_markdown:
        part = report_query.narrowed(whole, chosen, report_query.Order(sort), limit or 0)
        if as_json:
            console.print_json(part.document())
        else:
            console.print_text(report_query.markdown(part))
    else:
        part = report_query.narrowed(whole, chosen, report_query.Order(sort))
        steps = next_steps.of_port(whole, saved_report.later_stage(folder, "build/result.json"))
        shown = report_query.body(part, _MOST if limit is None else limit)
        console.page_lines([*report_query.head(part), *next_steps.lines(steps), *shown])
    return 0


def _write_page(
    folder: Path, place: Path, tree: Path | None, mapping_dirs: tuple[Path, ...], jobs: int
) -> None:
    """Write the page of the port in `folder`. Raises SourceError for a port that cannot be read."""
    from porter.inspect import port_page
    from porter.mapping.library import MappingLibrary

    library = MappingLibrary.find(mapping_dirs)
    with console.progress(f"writing {place}"):
        port_page.of_saved(folder, library, tree, jobs).write(place)
