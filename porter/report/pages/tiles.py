"""Tiles: boxes with the most important numbers of a page."""

from __future__ import annotations

from collections.abc import Sequence

from porter.report.pages.markup import Html, tag


def tiles(pairs: Sequence[tuple[str, object, str]]) -> Html:
    """Tiles with a name and a number; the third text of each entry is a CSS class: `bad`, `good` or empty."""
    return tag(
        "dl",
        *(
            tag("div", tag("dt", name), tag("dd", value), class_=state or None)
            for name, value, state in pairs
        ),
        class_="tiles",
    )
