"""Tables of vendor words that a port leaves, by reason, and of hazards, each with all places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from porter.model.port_page import PortPage, WordPlaces
from porter.model.rewrite_result import Reason
from porter.report.pages.markup import Html, join, link, table, tag
from porter.report.port_report import MEANING
from porter.report.report_query import Report
from porter.report.tables import Table


def residue(report: Report, data: PortPage) -> Html:
    """One table of words for each reason."""
    found: defaultdict[tuple[str, str], list[WordPlaces]] = defaultdict(list)
    for one in data.words:
        if one.kind == "left":
            found[one.word, one.why].append(one)
    parts: list[Html] = []
    for reason in Reason:
        words = report.words.get(reason, ())
        if not words:
            continue
        rows = tuple(
            (f"{w.count:,}", f"{w.files:,}", w.name, w.first, w.note, w.rule) for w in words
        )
        cells = []
        for word in words:
            why = f"{reason}: {word.note}" if word.note else str(reason)
            of = found[word.name, why] or found[word.name, f"{reason}: no rule matches the word"]
            rule = link("rule", word.rule) if word.rule else ""
            cells.append(
                [
                    f"{word.count:,}",
                    f"{word.files:,}",
                    tag("td", word.name, class_="code", data_word=word.name),
                    places(of, word.first),
                    word.note,
                    rule,
                ]
            )
        columns = ("places", "files", "word", "where", "why", "rule")
        shown = Table(f"{reason}: {MEANING[reason]}", columns, rows, frozenset({0, 1}))
        parts.append(table(shown, cells=cells))
    return join(parts, "\n") if parts else tag("p", "The port contains no vendor words.")


def hazards(report: Report, data: PortPage) -> Html:
    """Table of hazards: text that compiles and may be wrong."""
    found: defaultdict[str, list[WordPlaces]] = defaultdict(list)
    for one in data.words:
        if one.kind == "hazard":
            found[one.word].append(one)
    kinds = report.data["hazards"]
    rows = tuple(
        (f"{one['count']:,}", f"{one['files']:,}", one["name"], one["first"], one["note"])
        for one in kinds
    )
    cells = [
        [*row[:3], places(found[one["name"]], one["first"]), one["note"]]
        for row, one in zip(rows, kinds, strict=True)
    ]
    columns = ("places", "files", "hazard", "where", "why")
    shown = Table("Text that compiles and may be wrong", columns, rows, frozenset({0, 1}))
    return table(shown, cells=cells) if rows else tag("p", "No hazards.")


def places(found: Sequence[WordPlaces], first: str) -> Html:
    """Cell with the first place, and with a list of all places. The script adds links when a user opens the list."""
    if not found:
        return tag("td", link("file", first), class_="code")
    lines = sum(len(one.lines) for one in found)
    if lines == 1:
        return tag("td", link("file", f"{found[0].path}:{found[0].lines[0]}"), class_="code")
    text = "\n".join(f"{one.path}: {', '.join(map(str, one.lines))}" for one in found)
    summary = tag("summary", first)
    return tag("td", tag("details", summary, tag("pre", text)), class_="code places")
