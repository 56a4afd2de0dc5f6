"""Findings of `porter check`: reading, text, JSON and suppressions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from porter.base.errors import SourceError
from porter.checks import findings, suppressions
from porter.checks.schedule import ORDERS

_RACE = {
    "kind": "race",
    "type": "shared",
    "text": "two accesses without an order",
    "object": "address 0x10 is 0 bytes inside of static shared memory",
    "count": 3,
    "places": [
        {
            "what": "write of 4 bytes",
            "who": "kernel sum, block (0,0,0), thread (1,0,0)",
            "frames": [{"file": "/a/sum.cu", "line": 7, "function": "sum(int*)"}],
        },
        {"what": "allocated", "who": "", "frames": []},
    ],
}


def _read(folder: Path, *found: object) -> tuple[findings.Finding, ...]:
    report = folder / "report.json"
    report.write_text(json.dumps({"findings": found}), encoding="utf-8")
    return findings.read(report)


def test_a_finding_is_shown_with_places_and_lines(tmp_path: Path) -> None:
    (one,) = _read(tmp_path, _RACE)
    assert findings.text(one).splitlines() == [
        "race (shared): two accesses without an order",
        "  write of 4 bytes by kernel sum, block (0,0,0), thread (1,0,0)",
        "    at /a/sum.cu:7 in sum(int*)",
        "  allocated",
        "  address 0x10 is 0 bytes inside of static shared memory",
        "  3 times in all",
    ]
    assert findings.as_json((one,)) == [_RACE]


@pytest.mark.parametrize("text", ["", "[]", '{"findings": [{}]}'])
def test_a_damaged_report_is_an_error(text: str, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match="is damaged"):
        findings.read(tmp_path / "report.json")
    with pytest.raises(SourceError, match="cannot be read"):
        findings.read(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("entry", "hidden"),
    [
        ("kind: race, reason: flag", 1),
        ("kind: race, reason: flag, file: '*/sum.cu', function: 'sum*', line: 7", 1),
        ("kind: race, reason: flag, line: 8", 0),
        ("kind: race, reason: flag, file: other.cu", 0),
        ("kind: init, reason: flag", 0),
    ],
)
def test_a_suppression_matches_kind_and_line(entry: str, hidden: int, tmp_path: Path) -> None:
    file = tmp_path / "accepted.yaml"
    file.write_text(f"- {{{entry}}}\n", encoding="utf-8")
    found = _read(tmp_path, _RACE)
    assert suppressions.split(found, suppressions.read(file)) == (() if hidden else found, hidden)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- kind: race", "lacks kind or reason"),
        ("- {kind: race, reason: x, place: y}", "unknown key: place"),
        ("- {kind: nothing, reason: x}", "wrong kind or no reason"),
        ("- {kind: race, reason: ' '}", "wrong kind or no reason"),
        ("- {kind: race, reason: x, line: no}", r"accepted.yaml:1: line is not a number: no"),
        ("- {kind: race, reason: [x]}", "reason is not one text"),
        ("kind: race", "is not a list of entries"),
        ("- {kind: race}\n- {kind: race, reason: x, place: y}", r"(?s)yaml:1: .*yaml:2: "),
        ("- {", r"accepted.yaml:\d+: "),
    ],
)
def test_a_wrong_suppression_is_an_error(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "accepted.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        suppressions.read(file)


def test_the_simplest_order_of_threads_comes_first() -> None:
    assert ORDERS[0] == "reverse"
    assert len(set(ORDERS)) == len(ORDERS)
