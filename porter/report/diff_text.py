"""Drift as lines for a terminal, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.model.drift import Drift
from porter.report import next_steps
from porter.report.diff_tables import tables, totals
from porter.report.tables import Line, aligned, grid, headed, titled

_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def lines(drift: Drift, names: tuple[str, str], limit: int = 0) -> Iterator[Line]:
    """Drift as lines for a terminal.

    `names` are the names of both ports. Each table has at most `limit` rows (0: all).
    """
    for letter, name, target, release in zip("ab", names, drift.target, drift.release, strict=True):
        yield Line(f"{letter}  {name}  (PyTorch {release} for {target})")
    yield Line("")
    if drift.equal:
        yield Line("equal", "green")
        return
    yield from aligned(totals(drift))
    yield from next_steps.lines(next_steps.of_drift(drift))
    for table in tables(drift):
        yield from titled(table, limit)
    for file in drift.changed:
        if file.text:
            yield Line("")
            yield from (_coloured(text) for text in file.text.removesuffix("\n").split("\n"))


def markdown(drift: Drift, names: tuple[str, str], limit: int = 0) -> str:
    """Drift as Markdown. `names` are the names of both ports; each table has at most `limit` rows (0: all)."""
    a, b = (
        f"`{name}` (PyTorch {release} for {target})"
        for name, target, release in zip(names, drift.target, drift.release, strict=True)
    )
    out = ["# Drift", "", f"- a: {a}", f"- b: {b}", "", *markdown_body(drift, limit)]
    return "\n".join(out) + "\n"


def markdown_body(drift: Drift, limit: int = 0, level: int = 2) -> Iterator[str]:
    """Lines of the Markdown page without the title. `level` is the level of the headings."""
    if drift.equal:
        yield "The two are equal."
        return
    yield from grid(totals(drift))
    for table in tables(drift):
        yield from headed(table, limit, level)
    texts = [file for file in drift.changed if file.text]
    if texts:
        yield from ["", f"{'#' * level} Text"]
    for file in texts:
        text = (file.text or "").removesuffix("\n")
        # The fence is longer than any run of backticks in the diff, because upstream's comments may contain fences.
        fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
        yield from ["", f"<details><summary>{file.after.to}</summary>", ""]
        yield from [f"{fence}diff", text, fence, "", "</details>"]


def _coloured(text: str) -> Line:
    if text.startswith(("--- ", "+++ ")):
        return Line(text, "bold")
    return Line(text, _DIFF_STYLES.get(text[:1], ""))
