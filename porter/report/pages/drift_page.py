"""Page of `porter diff`: tables of the differences between two ports or two results, and the texts of changed files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from porter.model.drift import Drift
from porter.report import verification_diff
from porter.report.diff_tables import tables, totals
from porter.report.pages.frame import Block, Section, packed, page
from porter.report.pages.markup import Html, join, link, table, tag
from porter.report.pages.tiles import tiles
from porter.report.tables import Table
from porter.report.verification_diff import VerificationDrift

_GROUPS = (
    ("words", "Remaining words", "Left"),
    ("rules", "Rules", "Rules"),
    ("hazards", "May be wrong", "Hazards"),
    ("files", "Files", "Files"),
)
"""Sections of the page: id, title, and first word of the titles of the section's tables (`diff_tables.tables`)."""
_KEYS = ("word", "rule", "file", "ported", "ported, b")
"""Names of columns whose cells identify a row. A table has exactly one of these columns."""


def render(drift: Drift, names: tuple[str, str]) -> str:
    """Text of the page of the drift between two ports. `names` are the names of both ports."""
    sections = [Section("overview", "Overview", overview(drift, names))]
    found = list(tables(drift))
    texts = {file.after.to: file.text for file in drift.changed if file.text}
    for id, title, beginning in _GROUPS:
        here = [one for one in found if one.title.startswith(beginning)]
        if here:
            body = join((_named(one, texts) for one in here), "\n")
            sections.append(Section(id, title, body, sum(len(one.rows) for one in here)))
    if texts:
        sections.append(Section("texts", "Texts", text_list(list(texts)), len(texts)))
    blocks = [Block("texts-data", packed(texts))] if texts else []
    return page("drift", f"Differences: {names[0]} and {names[1]}", sections, blocks)


def _named(found: Table, texts: Mapping[str, str]) -> Html:
    """Table in which the search finds rows by name, with links to the texts of changed files."""
    key = next(found.columns.index(name) for name in _KEYS if name in found.columns)
    cells = (
        [
            tag("td", link("text", cell) if cell in texts else cell, class_="code", data_row=cell)
            if column == key
            else cell
            for column, cell in enumerate(row)
        ]
        for row in found.rows
    )
    return table(found, cells=cells)


def overview(drift: Drift, names: tuple[str, str]) -> Html:
    """Overview: names of the two ports, numbers of differences, and totals."""
    items = [
        tag("li", tag("b", letter), f": {name} (PyTorch {release} for {target})")
        for letter, name, target, release in zip(
            "ab", names, drift.target, drift.release, strict=True
        )
    ]
    if drift.equal:
        return join([tag("ul", *items), tag("p", "Both ports are equal.")])
    stopped = sum(not rule.after for rule in drift.rules)
    new = sum(
        not word.before
        for r, words in drift.residue.items()
        if r in ("unmapped", "ambiguous")
        for word in words
    )
    numbers: list[tuple[str, object, str]] = [
        ("files changed", f"{len(drift.changed):,}", ""),
        ("files added", f"{len(drift.added):,}", ""),
        ("files removed", f"{len(drift.removed):,}", "bad" if drift.removed else ""),
        ("new words to decide", f"{new:,}", "bad" if new else "good"),
        ("rules that stopped matching", f"{stopped:,}", "bad" if stopped else "good"),
    ]
    return join([tag("ul", *items), tiles(numbers), table(totals(drift))], "\n")


def text_list(paths: Sequence[str]) -> Html:
    """List of files. The script adds the unified diff of a file when a user opens its entry."""
    entries = (
        tag("details", tag("summary", path, class_="code"), data_text=path) for path in paths
    )
    return join(entries, "\n")


def render_results(compared: VerificationDrift, names: tuple[str, str]) -> str:
    """Text of the page of the differences between two results of operator checks or device tests."""
    parts: list[Html] = [
        tag(
            "ul",
            tag("li", tag("b", "a"), f": {names[0]}"),
            tag("li", tag("b", "b"), f": {names[1]}"),
        ),
        tiles(
            [
                ("broke", f"{len(compared.worse):,}", "bad" if compared.worse else "good"),
                ("better", f"{len(compared.better):,}", ""),
                ("otherwise", f"{len(compared.other):,}", ""),
                ("only in a", f"{compared.only[0]:,}", ""),
                ("only in b", f"{compared.only[1]:,}", ""),
            ]
        ),
    ]
    settings = zip(*(setting._asdict().items() for setting in compared.settings), strict=True)
    rows = tuple((name, str(old), str(new)) for (name, old), (_, new) in settings)
    parts.append(table(Table("Settings", ("", "a", "b"), rows)))
    sections = [Section("overview", "Overview", join(parts, "\n"))]
    for found in verification_diff.tables(compared):
        cells = (
            [tag("td", row[0], class_="code", data_row=row[0]), *row[1:]] for row in found.rows
        )
        body = table(found, cells=cells, facets=(1, 2, 4))
        sections.append(Section(found.title, found.title.capitalize(), body, len(found.rows)))
    return page("drift", f"Differences: {names[0]} and {names[1]}", sections)
