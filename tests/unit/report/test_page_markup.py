"""HTML of pages: everything that is not HTML is escaped, and the page allows only its own script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib

import pytest

from porter.report.pages.frame import Block, Section, packed, page
from porter.report.pages.markup import Html, join, link, table, tag, text
from porter.report.pages.trend import sparkline
from porter.report.tables import Table

INJECTION = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&"


def test_text_and_attributes_are_escaped() -> None:
    made = tag("td", INJECTION, data_word=INJECTION, class_="n")
    assert "<script" not in made and "<img" not in made
    assert made.count("&lt;script&gt;") == 2
    assert made.startswith('<td data-word="&lt;/script&gt;') and '" class="n">' in made


def test_control_characters_are_visible() -> None:
    assert text("a\x1b[31m\x00\u202eb\udcff") == "a\\x1b[31m\\x00\\u202eb\\xff"
    assert tag("td", "", title="a\nb\x07") == '<td title="a\\nb\\x07"></td>'


def test_html_is_not_escaped_again() -> None:
    assert join([tag("b", "<"), "<"]) == "<b>&lt;</b>&lt;"
    assert tag("input", type="search", hidden=True, value=None) == '<input type="search" hidden>'


def test_links_within_the_page_are_encoded() -> None:
    made = link("file", 'a b/"<x>.cu:12')
    assert made == '<a href="#file=a%20b/%22%3Cx%3E.cu:12">a b/&quot;&lt;x&gt;.cu:12</a>'
    assert "%FF" in link("file", "a\udcff")


def test_tables_have_captions_and_aligned_numbers() -> None:
    made = table(Table("Words", ("n", "word"), (("1", "<a>"),), frozenset({0})))
    assert "<caption>Words (1)</caption>" in made
    assert '<td class="n">1</td><td>&lt;a&gt;</td>' in made


@pytest.mark.parametrize("values", [[1], [3, 3, 3], [1, 5, 2]])
def test_trend_of_any_values(values: list[float]) -> None:
    made = sparkline(values)
    assert f"<b>{values[-1]}</b>" in made and made.count(",") >= len(values)


def test_the_page_allows_only_its_own_style_and_script() -> None:
    made = page(
        "port", INJECTION, [Section("a", "A", Html("<p>x</p>"), 1234)], [Block("b", packed([1]))]
    )
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', made)
    assert policy.startswith("default-src 'none'; ")
    (script,) = re.findall(r"<script>(.*?)</script>", made, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy
    assert "1,234" in made and 'href="#a"' in made
    assert not re.search(r"\b(?:src|href)=\"(?:https?:|//|file:)", made)
    # Text reaches the page as text nodes only.
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|fetch\(",
        script,
    )


def test_embedded_data_is_compressed_json() -> None:
    data = {"text": INJECTION * 100}
    made = packed(data)
    assert json.loads(zlib.decompress(base64.b64decode(made))) == data
    assert len(made) < 500
