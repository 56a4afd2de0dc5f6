"""Frame of every page: header, sections, style, script and embedded data in one HTML file without external references.

The page's Content-Security-Policy permits only the digests of its own style and script. Text of a report therefore
cannot run as a script, and the page loads no other resource.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import porter
from porter.report.pages.markup import Html, join, tag, text

_ASSETS = Path(__file__).parent / "assets"
_STYLES = ("page.css", "source.css")
_SCRIPTS = (
    "base.js",
    "tables.js",
    "tree.js",
    "source_text.js",
    "source_view.js",
    "matrix.js",
    "worklist.js",
    "drift.js",
    "search.js",
    "page.js",
)
"""Modules of the page's script, in the order in which they are joined."""
_LEVEL = 9
"""zlib's compression level: the size of the page matters more than 0.2 s."""


class Section(NamedTuple):
    """Part of a page with an entry in the navigation."""

    id: str
    title: str
    body: Html
    number: int | None = None
    """Number of rows, beside the title in the navigation."""


class Block(NamedTuple):
    """Embedded data, which the script decompresses at the first use."""

    id: str
    data: str
    """Output of `packed`."""


def packed(data: Any) -> str:
    """Plain data as JSON, compressed (zlib) and written in base64."""
    raw = json.dumps(data, separators=(",", ":")).encode()
    return base64.b64encode(zlib.compress(raw, _LEVEL)).decode()


def page(kind: str, title: str, sections: Sequence[Section], blocks: Sequence[Block] = ()) -> str:
    """Text of an HTML page. `kind` becomes an attribute of the page: `port`, `upgrade`, `drift` and others."""
    style, script = _asset_text(_STYLES), _asset_text(_SCRIPTS)
    return _layout().substitute(
        kind=text(kind),
        title=text(title),
        style=style,
        script=script,
        style_digest=_digest(style),
        script_digest=_digest(script),
        navigation=join(map(_entry, sections)),
        sections=join(map(_section, sections), "\n"),
        footer=text(f"Made by porter {porter.__version__}."),
        # `</script` cannot occur in base64.
        blocks=join(
            (
                Html(
                    f'<script type="application/octet-stream" id="{block.id}">{block.data}</script>'
                )
                for block in blocks
            ),
            "\n",
        ),
    )


def _entry(section: Section) -> Html:
    count = "" if section.number is None else tag("span", f"{section.number:,}", class_="count")
    return tag("li", tag("a", section.title, count and Html(" "), count, href=f"#{section.id}"))


def _section(section: Section) -> Html:
    head = tag("h2", section.title, tabindex="-1")
    return tag("section", head, section.body, id=section.id)


@functools.cache
def _layout() -> Template:
    return Template((_ASSETS / "layout.html").read_text(encoding="utf-8"))


@functools.cache
def _asset_text(names: tuple[str, ...]) -> str:
    return "\n" + "\n".join((_ASSETS / name).read_text(encoding="utf-8") for name in names)


def _digest(asset: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(asset.encode()).digest()).decode()
