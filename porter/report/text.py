"""The summary of a port as a person reads it in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porter.model.port import Reason
from porter.report import evidence
from porter.report.files import MEANING
from porter.report.summary import Summary

if TYPE_CHECKING:
    from porter.port import Ported


def show(summary: Summary, ported: Ported, seconds: dict[str, float], dry_run: bool) -> None:
    """Print tables of what was done, left and may be wrong."""
    # Imported late: --json must not pay for it.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=False)
    title = f"PyTorch {summary.release} for {summary.target}"
    head = Table(
        title=title, title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 0)
    )
    head.add_row("files", f"{summary.selected} selected, {_wrote(ported, dry_run)}")
    head.add_row("edits", f"{summary.edits}")
    head.add_row("names", evidence.headline(summary.names, summary.collisions()))
    head.add_row("dead rules", f"{len(summary.dead)} of those written singly (listed in report.md)")
    head.add_row("seconds", ", ".join(f"{stage} {value:.2f}" for stage, value in seconds.items()))
    console.print(head)
    console.print()

    left = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name, side in (
        ("left", "left"),
        ("places", "right"),
        ("words", "right"),
        ("meaning", "left"),
    ):
        left.add_column(name, justify="right" if side == "right" else "left")
    for reason in Reason:
        count = summary.places(reason)
        bad = count and reason in (Reason.UNMAPPED, Reason.AMBIGUOUS)
        style = "red" if bad else ""
        words = str(len(summary.residue[reason]))
        left.add_row(str(reason), str(count), words, MEANING[reason], style=style)
    console.print(left)
    for word in summary.residue[Reason.UNMAPPED][:10]:
        console.print(
            Text(f"  unmapped {word.name}: {word.count} places, first {word.first}", style="red")
        )
    console.print()

    danger = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("may be wrong", "places", "files", "why"):
        danger.add_column(name, justify="right" if name in ("places", "files") else "left")
    for hazard in summary.hazards:
        danger.add_row(hazard.name, str(hazard.count), str(hazard.files), hazard.note)
    console.print(danger)
    if not dry_run:
        console.print()
        console.print(Text(f"port    {ported.folder / 'src'}"))
        console.print(Text(f"report  {ported.folder / 'report.md'}"))


def _wrote(ported: Ported, dry_run: bool) -> str:
    verb = "would be written" if dry_run else "written"
    return f"{ported.written} {verb}, {ported.unchanged} unchanged"
