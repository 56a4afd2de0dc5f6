"""Result of `porter upgrade` as one HTML page: rows by subject, with filters for the effect and for a text."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from porter.model.upgrade import Effect, Subject, Upgrade, UpgradeRow
from porter.report.upgrade import TITLES, heading

_STYLE = """\
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: #1a1a1a;
  background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
nav { position: sticky; top: 0; background: inherit; padding: .6rem 0; border-bottom: 1px solid #ccc; }
nav label { margin-right: 1rem; } nav input[type=search] { min-width: 20rem; padding: .2rem; }
article { border-left: 4px solid #bbb; padding: .1rem .8rem; margin: .7rem 0; }
article.breaks { border-color: #c62828; } article.check { border-color: #e6a100; }
article p { margin: .2rem 0; } code, pre { font: 13px/1.4 ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
del { color: #a31515; text-decoration: none; } ins { color: #0b6b2c; text-decoration: none; }
small { color: #555; }
table { border-collapse: collapse; } td, th { padding: .15rem .8rem; text-align: right; }
td:first-child, th:first-child { text-align: left; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #e4e4e4; } small { color: #aaa; }
  del { color: #ff8a80; } ins { color: #7ddc9a; } a { color: #8ab4f8; } }
"""
_SCRIPT = """\
const text = document.querySelector('input[type=search]');
const boxes = [...document.querySelectorAll('input[type=checkbox]')];
function show() {
  const effects = new Set(boxes.filter(b => b.checked).map(b => b.value));
  const wanted = text.value.toLowerCase();
  for (const section of document.querySelectorAll('section')) {
    let rows = 0;
    for (const one of section.querySelectorAll('article')) {
      one.hidden = !effects.has(one.className) || !one.textContent.toLowerCase().includes(wanted);
      rows += !one.hidden;
    }
    section.hidden = rows === 0;
  }
}
[text, ...boxes].forEach(input => input.addEventListener('input', show));
show();
"""


def page(upgrade: Upgrade) -> str:
    """Text of an HTML page with all rows. The page needs no other file."""
    title = escape(heading(upgrade))
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        '<meta name="viewport" content="width=device-width">',
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        *_totals(upgrade),
        "<nav>",
        *(_box(effect) for effect in Effect),
        '<input type="search" placeholder="name, file or text" aria-label="filter"></nav>',
    ]
    for subject in Subject:
        if rows := upgrade.of(subject):
            parts += [f'<section id="{subject.value}"><h2>{escape(TITLES[subject])}</h2>']
            parts += map(_row, rows)
            parts.append("</section>")
    if upgrade.unchecked:
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in upgrade.unchecked)
        parts.append(f"<h2>Unchecked</h2><ul>{items}</ul>")
    parts.append(f"<script>{_SCRIPT}</script></body></html>")
    return "\n".join(parts) + "\n"


def _box(effect: Effect) -> str:
    checked = "" if effect is Effect.INFORMS else " checked"
    return f'<label><input type="checkbox" value="{effect.value}"{checked}> {effect.value}</label>'


def _totals(upgrade: Upgrade) -> Iterator[str]:
    tally = upgrade.tally()
    names = "".join(f"<th>{effect.value}</th>" for effect in Effect)
    yield f"<table><tr><th>subject</th>{names}</tr>"
    for subject in Subject:
        if upgrade.of(subject):
            cells = "".join(f"<td>{tally[subject, effect]}</td>" for effect in Effect)
            link = f'<a href="#{subject.value}">{escape(TITLES[subject])}</a>'
            yield f"<tr><td>{link}</td>{cells}</tr>"
    yield "</table>"


def _row(row: UpgradeRow) -> str:
    texts = []
    if row.before and row.before != row.name:
        texts.append(f"<del>- {escape(row.before)}</del>")
    if row.after and row.after != row.name:
        texts.append(f"<ins>+ {escape(row.after)}</ins>")
    shown = "<pre>" + "\n".join(texts) + "</pre>" if texts else ""
    return (
        f'<article class="{row.effect.value}"><p><strong>{escape(row.name)}</strong>'
        f" <small>{row.change.value}, {row.effect.value}</small> <code>{escape(row.place)}</code></p>"
        f"{shown}<p>{escape(row.advice)}</p></article>"
    )
