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
@options.as_json
def report(
    folder: Path,
    reasons: tuple[str, ...],
    sort: str,
    limit: int | None,
    as_markdown: bool,
    as_json: bool,
) -> int:
    """Show the residue and the hazards of the existing port in DIR.

    \b
    porter report generated/simt/2.6.0
    porter report generated/simt/2.6.0 --reason unsupported --sort first --limit 0
    """
    if as_json and as_markdown:
        raise UsageError("--json and --markdown exclude each other")
    # Imported late: `porter report --help` does not need these modules.
    from porter.port import saved_report
    from porter.report import report_query

    whole = saved_report.read(folder)
    chosen = tuple(map(Reason, reasons))
    if as_json or as_markdown:
        part = report_query.narrowed(whole, chosen, report_query.Order(sort), limit or 0)
        if as_json:
            console.print_json(part.document())
        else:
            console.print_text(report_query.markdown(part))
    else:
        part = report_query.narrowed(whole, chosen, report_query.Order(sort))
        console.print_lines(report_query.lines(part, _MOST if limit is None else limit))
    return 0
