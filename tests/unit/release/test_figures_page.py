"""The table of docs/figures.md states the figures of the lock files. `porter regenerate` compares them with ports."""

from __future__ import annotations

import json
import re

from repository import ROOT

REASONS = ("unmapped", "unsupported", "ambiguous", "in_string", "intended")


def test_the_figures_are_those_of_the_locks() -> None:
    page = (ROOT / "docs/figures.md").read_text(encoding="utf-8")
    table = page.partition("<!-- figures -->")[2].partition("<!-- /figures -->")[0]
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) \| (.*) \|$", table, re.M)
    stated = {(target, release): cells.split(" | ") for target, release, cells in rows}
    locked = {}
    for place in (ROOT / "generated").glob("*.lock.json"):
        lock = json.loads(place.read_text(encoding="utf-8"))
        counts = [len(lock["files"]), sum(file["edits"] for file in lock["files"].values())]
        counts += [sum(lock["residue"].get(reason, {}).values()) for reason in REASONS]
        locked[lock["target"], lock["release"]] = [f"{count:,}" for count in counts]
    assert stated == locked
