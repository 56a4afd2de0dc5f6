"""Page of `porter upgrade`: the list of work by subject. The script stores the ticked rows in the browser."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from porter.model.upgrade import Effect, Subject, Upgrade, UpgradeRow
from porter.report.pages.frame import Section, page
from porter.report.pages.markup import Html, join, link, table, tag
from porter.report.pages.tiles import tiles
from porter.report.tables import Table
from porter.report.upgrade import TITLES, heading, totals

_COLUMNS = ("effect", "change", "what", "difference", "place", "what to do")
_WORST = 3


def render(upgrade: Upgrade) -> str:
    """Text of the page with all rows."""
    sections = [Section("overview", "Overview", _overview(upgrade))]
    for subject in Subject:
        if rows := upgrade.of(subject):
            shown = Table(TITLES[subject], _COLUMNS, tuple(map(_texts, rows)))
            body = table(shown, cells=map(_cells, rows), facets=(0, 1), class_="work")
            sections.append(Section(subject.value, TITLES[subject], body, len(rows)))
    return page("upgrade", heading(upgrade), sections)


def _overview(upgrade: Upgrade) -> Html:
    tally = upgrade.tally()
    counts = {effect: sum(tally[subject, effect] for subject in Subject) for effect in Effect}
    urgent = sorted(upgrade.rows, key=lambda row: list(Effect).index(row.effect))[:_WORST]
    steps = [
        tag("li", link("row", row.name), " ", row.advice, tag("br"), tag("code", row.place))
        for row in urgent
    ]
    parts = [
        tiles(
            [
                (
                    str(effect),
                    f"{counts[effect]:,}",
                    "bad" if effect is Effect.BREAKS and counts[effect] else "",
                )
                for effect in Effect
            ]
        ),
        tag("p", id="work-progress"),
        join([tag("h3", "Next"), tag("ol", *steps, class_="steps")])
        if steps
        else tag("p", "Nothing to do."),
        table(totals(upgrade)),
    ]
    if upgrade.unchecked:
        items = (tag("li", sentence) for sentence in upgrade.unchecked)
        parts += [tag("h3", "Unchecked"), tag("ul", *items)]
    return join(parts, "\n")


def _texts(row: UpgradeRow) -> tuple[str, ...]:
    return (str(row.effect), str(row.change), row.name, row.before, row.place, row.advice)


def _cells(row: UpgradeRow) -> Iterable[object]:
    shown = []
    if row.before and row.before != row.name:
        shown.append(tag("del", f"- {row.before}"))
    if row.after and row.after != row.name:
        shown.append(tag("ins", f"+ {row.after}"))
    difference = tag("pre", *_lines(shown)) if shown else ""
    name = tag("td", row.name, class_="code", data_row=row.name, data_task=_task(row))
    effect = tag("td", row.effect, class_=str(row.effect))
    return (
        effect,
        str(row.change),
        name,
        difference,
        tag("td", row.place, class_="code"),
        row.advice,
    )


def _lines(parts: Iterable[Html]) -> Iterable[object]:
    for index, part in enumerate(parts):
        yield from ("\n", part) if index else (part,)


def _task(row: UpgradeRow) -> str:
    """Identifier of a row: equal for the same work when the page is made again."""
    text = "\0".join((row.subject, row.change, row.name, row.before, row.after, row.place))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
