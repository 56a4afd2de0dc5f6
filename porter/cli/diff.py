"""`porter diff`: comparison of two ports, or of two results of operator checks or device tests."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base import fs
from porter.base.errors import UsageError
from porter.cli import console, options
from porter.model.port_output import Output
from porter.port import output as port_output

_MOST = 20
"""Default number of rows that a terminal shows of each table."""


@click.command()
@click.argument("a", type=options.PathArgument())
@click.argument("b", type=options.PathArgument())
@options.as_json
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
@options.html
@click.option("--no-text", is_flag=True, help="Do not show the unified diffs of changed files.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=None,
    metavar="N",
    help=f"Number of rows to show of each table; 0 shows all. Default: {_MOST}; with --markdown, all.",
)
def diff(
    a: Path,
    b: Path,
    as_json: bool,
    as_markdown: bool,
    page: Path | None,
    no_text: bool,
    limit: int | None,
) -> int:
    """List the differences between the ports A and B: files, rules, residue, hazards, text.

    A and B are output folders (<out>/<target>/<release>) or lock files. If both are results of porter verify or porter
    device-tests (*.jsonl), the command lists the checks or tests that improved and those that broke. Exit code 0: A and
    B are equal; 1: A and B differ.

    \b
    porter diff generated/simt/1.13.1 generated/simt/2.6.0
    porter diff generated/simt-2.6.0.lock.json generated/simt/2.6.0 --json
    porter diff generated/simt/2.6.0/verify/before.jsonl generated/simt/2.6.0/verify/results.jsonl
    """
    if as_json and as_markdown:
        raise UsageError("--json and --markdown exclude each other")
    if a.suffix == b.suffix == ".jsonl":
        return _results(a, b, as_json, page, _MOST if limit is None else limit)
    # Imported late: `porter diff --help` does not need these modules.
    from porter.report import diff as differ
    from porter.report import diff_text

    first, second = port_output.read(a), port_output.read(b)
    _warn(first)
    _warn(second)
    drift = differ.compare(first, second)
    if not no_text:
        drift = differ.with_text(drift, first, second)
    if page:
        from porter.report.pages import drift_page

        fs.write_if_changed(page, drift_page.render(drift, (str(a), str(b))))
    if as_json:
        console.print_json(
            {"a": _described(first), "b": _described(second), **differ.as_json(drift)}
        )
    elif as_markdown:
        console.print_text(diff_text.markdown(drift, (str(a), str(b)), limit or 0))
    else:
        shown = diff_text.lines(drift, (str(a), str(b)), _MOST if limit is None else limit)
        console.page_lines(list(shown))
    return 0 if drift.equal else 1


def _results(a: Path, b: Path, as_json: bool, page: Path | None, limit: int) -> int:
    from porter.report import verification_diff
    from porter.verify import results

    compared = verification_diff.compare(results.read(a), results.read(b))
    if page:
        from porter.report.pages import drift_page

        fs.write_if_changed(page, drift_page.render_results(compared, (str(a), str(b))))
    if as_json:
        console.print_json(verification_diff.as_json(compared))
    else:
        console.page_lines(list(verification_diff.lines(compared, limit)))
    return 0 if compared.equal else 1


def _described(output: Output) -> dict[str, object]:
    return {
        "path": str(output.place),
        "kind": "port" if output.folder else "lock",
        "target": output.lock.target,
        "release": output.lock.release,
        "not_as_ported": {
            "changed": list(output.changed),
            "missing": list(output.missing),
            "foreign": list(output.foreign),
        },
    }


def _warn(output: Output) -> None:
    """Warn about files of an output folder that were changed, removed or added after porter wrote the folder.

    The comparison uses the files as they are now.
    """
    for paths, what in (
        (output.changed, "changed since porter wrote them"),
        (output.missing, "removed since porter wrote them"),
        (output.foreign, "not written by porter"),
    ):
        if paths:
            first = ", ".join(paths[:3]) + (" ..." if len(paths) > 3 else "")
            files = "1 file" if len(paths) == 1 else f"{len(paths)} files"
            console.warn(f"{output.place}: {files} {what}: {first}")
