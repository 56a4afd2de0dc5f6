"""HTML text. Every string that is not already HTML is escaped, and control characters are made visible.

>>> tag("td", "a < b", class_="n")
'<td class="n">a &lt; b</td>'
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from urllib.parse import quote

from porter.base.printable import on_one_line, printable
from porter.report.tables import Table

_VOID = frozenset({"br", "input", "meta"})


class Html(str):
    """HTML text. Functions of this module do not escape it again."""

    __slots__ = ()


def text(value: object) -> Html:
    """Value as HTML: unchanged if it is HTML, else its text, escaped."""
    if isinstance(value, Html):
        return value
    return Html(escape(printable(str(value))))


def join(parts: Iterable[object], separator: str = "") -> Html:
    """Parts as HTML, joined. Parts that are not HTML are escaped."""
    return Html(separator.join(map(text, parts)))


def tag(name: str, *children: object, **attributes: object) -> Html:
    """HTML element. A trailing `_` of an attribute's name is dropped, and other `_` become `-`.

    An attribute with the value None or False is left out; True writes the name alone.
    """
    written = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        written.append(
            f" {key}" if value is True else f' {key}="{escape(on_one_line(str(value)))}"'
        )
    head = f"<{name}{''.join(written)}>"
    return Html(head) if name in _VOID else Html(f"{head}{join(children)}</{name}>")


def link(kind: str, value: str, shown: object = None) -> Html:
    """Link to a place of the same page: `#file=PATH:LINE`, `#rule=KEY`, `#word=NAME`, `#op=NAME`."""
    return tag("a", value if shown is None else shown, href=f"#{kind}={fragment(value)}")


def fragment(value: str) -> str:
    """Value as part of a link within the page."""
    return quote(value, safe="/:.,+*()", errors="surrogateescape")


def table(
    shown: Table,
    *,
    cells: Iterable[Iterable[object]] | None = None,
    facets: Iterable[int] = (),
    **attributes: object,
) -> Html:
    """Table with a caption. Columns with numbers are aligned right.

    `cells` replaces the rows of `shown`. Its cells may be HTML; a cell that begins with `<td` is used unchanged.
    `facets` are the indexes of the columns for whose values the page has a filter.
    """
    columns = [
        tag("th", name, class_="n" if index in shown.numbers else None, scope="col")
        for index, name in enumerate(shown.columns)
    ]
    rows = (
        tag("tr", *(_cell(value, index in shown.numbers) for index, value in enumerate(row)))
        for row in (shown.rows if cells is None else cells)
    )
    caption = tag("caption", f"{shown.title} ({len(shown.rows):,})") if shown.title else ""
    body = join(rows, "\n")
    made = tag(
        "table",
        caption,
        tag("thead", tag("tr", *columns)),
        Html("\n"),
        tag("tbody", body),
        data_facets=" ".join(map(str, facets)) or None,
        **attributes,
    )
    return tag(
        "div", made, class_="scroll", tabindex="0", role="region", aria_label=shown.title or "table"
    )


def _cell(value: object, number: bool) -> Html:
    if isinstance(value, Html) and value.startswith("<td"):
        return value
    return tag("td", value, class_="n" if number else None)
