"""Page of a port (`report.html`): overview, files, residue, hazards, rules, names, operators, and texts of files."""

from __future__ import annotations

from collections.abc import Iterator

from porter.model.manifest import Manifest
from porter.model.port_page import PortPage
from porter.report import evidence, overlays
from porter.report.pages import port_files, port_overview, port_words
from porter.report.pages.frame import Block, Section, packed, page
from porter.report.pages.markup import Html, join, link, table, tag
from porter.report.report_query import Report, title
from porter.report.tables import Table


def render(report: Report, manifest: Manifest, data: PortPage) -> str:
    """Text of the page. `report` and `manifest` are the files beside the page."""
    sections = [
        Section("overview", "Overview", port_overview.body(report, data)),
        Section("files", "Files", port_files.body(manifest, data), len(manifest.files)),
        Section(
            "words",
            "Remaining words",
            port_words.residue(report, data),
            sum(map(len, report.words.values())),
        ),
        Section(
            "hazards",
            "May be wrong",
            port_words.hazards(report, data),
            sum(one["count"] for one in report.data["hazards"]),
        ),
        Section("rules", "Rules", _rules(report, data), len(data.rules)),
        Section("names", "Names", _names(report), len(report.names)),
    ]
    if data.operators:
        found = _operators(data)
        cells = (
            [row[0], tag("td", row[1], class_="code", data_op=row[1]), *row[2:]]
            for row in found.rows
        )
        body = table(found, cells=cells, facets=(0, 2, 4))
        sections.append(Section("operators", "Operators", body, len(found.rows)))
    if manifest.overlays:
        sections.append(
            Section(
                "overlays",
                "Overlays",
                table(overlays.table(manifest.overlays)),
                len(manifest.overlays),
            )
        )
    places = {
        path: [number, index]
        for number, chunk in enumerate(data.chunks)
        for index, path in enumerate(chunk.paths)
    }
    files = [
        [file.path, file.to, *places.get(path, (-1, -1))] for path, file in manifest.files.items()
    ]
    blocks = [
        Block("files-index", packed(files)),
        *(Block(f"chunk-{number}", chunk.data) for number, chunk in enumerate(data.chunks)),
    ]
    return page("port", title(report), sections, blocks)


_RULE_COLUMNS = ("hits", "files", "state", "rule", "layer", "from", "note")


def _rules(report: Report, data: PortPage) -> Html:
    guessed = {one.rule for one in report.names if one.evidence == "guessed"}
    dead = {use["key"] for use in report.data["rules"]["dead"]}
    rows, cells = [], []
    for number, rule in enumerate(data.rules):
        state = "used" if rule.places else "dead" if rule.key in dead else "no hits"
        if rule.places < rule.wanted:
            state = "below expectation"
        elif rule.key in guessed:
            state = "guessed"
        row = (
            f"{rule.places:,}",
            str(rule.files),
            state,
            rule.key,
            rule.layer,
            rule.origin,
            rule.note,
        )
        rows.append(row)
        named = tag(
            "td", link("rule", rule.key), id=f"rule-{number}", data_rule=rule.key, class_="code"
        )
        cells.append([*row[:3], named, *row[4:]])
    note = tag(
        "p",
        "dead: a rule without hits, except the rules of tables and lists. guessed: no evidence exists that the SDK "
        "declares the rule's names. The table below counts the names of tables without hits.",
    )
    unused = Table(
        "Tables",
        ("table", "names", "without hits"),
        tuple(
            (file, f"{counts['names']:,}", f"{counts['never_met']:,}")
            for file, counts in report.data["rules"]["tables"].items()
        ),
        frozenset({1, 2}),
    )
    shown = Table("Rules", _RULE_COLUMNS, tuple(rows), frozenset({0, 1}))
    return join([note, table(shown, cells=cells, facets=(2, 4)), table(unused)], "\n")


def _names(report: Report) -> Html:
    shown = Table(
        "Replaced names",
        ("name", "becomes", "evidence", "places", "files", "rule"),
        tuple(
            (one.name, one.becomes, str(one.evidence), f"{one.places:,}", str(one.files), one.rule)
            for one in report.names
        ),
        frozenset({3, 4}),
    )
    cells = [
        [tag("td", row[0], class_="code", data_row=row[0]), *row[1:5], link("rule", row[5])]
        for row in shown.rows
    ]
    parts = [table(evidence.graded(report.names)), table(shown, cells=cells, facets=(2,))]
    collided = evidence.collided(report.collisions)
    if collided.rows:
        parts.append(table(collided))
    return join(parts, "\n")


def _operators(data: PortPage) -> Table:
    return Table(
        "Operators",
        ("state", "operator", "dispatch key", "kernel", "from", "detail"),
        tuple(_operator_rows(data)),
    )


def _operator_rows(data: PortPage) -> Iterator[tuple[str, ...]]:
    for one in port_files.tables((data.operators or {}).get("ops")):
        state = one.get("reason") or "registered"
        names = (one.get(name, "") for name in ("op", "key", "kernel", "origin", "detail"))
        yield (str(state), *map(str, names))
