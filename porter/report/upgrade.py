"""Result of `porter upgrade` as lines for a terminal, as plain data and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from porter.model.upgrade import Effect, Subject, Upgrade, UpgradeRow
from porter.report.tables import Line, Table, aligned, headed

TITLES = {
    Subject.FACT: "Compiler, CUDA and Python",
    Subject.HEADER: "Headers",
    Subject.SOURCE: "Selected files",
    Subject.VIRTUAL: "Virtual functions of classes that the backend derives from",
    Subject.DECLARATION: "Declarations that the backend uses",
    Subject.SCHEMA: "Operators",
    Subject.NAME: "Vendor names unknown to the mappings",
    Subject.RULE: "Patches and rules",
    Subject.OVERLAY: "Overlays",
    Subject.DSL: "Operators overridden by DSL kernels",
}
"""Maps a subject to the heading of its rows."""
_STYLES = {Effect.BREAKS: "red", Effect.CHECK: "yellow", Effect.INFORMS: ""}


def as_json(upgrade: Upgrade) -> dict[str, Any]:
    """All rows as plain data."""
    return {
        "from": upgrade.before._asdict(),
        "to": upgrade.after._asdict(),
        "target": upgrade.target,
        "rows": [row._asdict() for row in upgrade.rows],
        "unchecked": list(upgrade.unchecked),
    }


def lines(upgrade: Upgrade, limit: int = 0, informs: bool = False) -> Iterator[Line]:
    """Lines for a terminal, at most `limit` rows for each subject (0: all). `informs` adds rows that need no edit."""
    yield Line(heading(upgrade), "bold")
    yield Line("")
    yield from aligned(totals(upgrade))
    for subject in Subject:
        rows = [r for r in upgrade.of(subject) if informs or r.effect is not Effect.INFORMS]
        if not rows:
            continue
        yield Line("")
        yield Line(f"{TITLES[subject]} ({len(rows)})", "bold")
        for row in rows[:limit] if limit else rows:
            yield from _row(row)
        if limit and len(rows) > limit:
            yield Line(f"  ... and {len(rows) - limit} more: --limit 0", "dim")
    for sentence in upgrade.unchecked:
        yield Line("")
        yield Line(f"unchecked: {sentence}")


def markdown(upgrade: Upgrade) -> str:
    """Markdown page with all rows."""
    out = [f"# {heading(upgrade)}"]
    out += headed(totals(upgrade), level=2)
    for subject in Subject:
        if rows := upgrade.of(subject):
            out += headed(_table(subject, rows), level=2)
    if upgrade.unchecked:
        out += ["", "## Unchecked", "", *(f"- {sentence}" for sentence in upgrade.unchecked)]
    return "\n".join(out) + "\n"


def heading(upgrade: Upgrade) -> str:
    """Title with the two releases and the target."""
    before, after = upgrade.before.release, upgrade.after.release
    return f"PyTorch {before} to {after} for {upgrade.target}"


def _row(row: UpgradeRow) -> Iterator[Line]:
    yield Line(f"  {row.place}: {row.name}: {row.change}, {row.effect}", _STYLES[row.effect])
    for mark, text in (("-", row.before), ("+", row.after)):
        if text and text != row.name:
            yield from (Line(f"    {mark} {line}") for line in text.splitlines())
    yield Line(f"    {row.advice}", "dim")


def totals(upgrade: Upgrade) -> Table:
    """Table with the number of rows by subject and effect."""
    tally = upgrade.tally()
    rows = tuple(
        (TITLES[subject], *(str(tally[subject, effect]) for effect in Effect))
        for subject in Subject
        if any(tally[subject, effect] for effect in Effect)
    )
    columns = ("subject", *(effect.value for effect in Effect))
    return Table("Rows", columns, rows, frozenset({1, 2, 3}))


def _table(subject: Subject, rows: tuple[UpgradeRow, ...]) -> Table:
    columns = ("effect", "change", "name", "before", "after", "place", "what to do")
    cells = tuple(
        (r.effect.value, r.change.value, r.name, r.before, r.after, r.place, r.advice) for r in rows
    )
    return Table(TITLES[subject], columns, cells)
