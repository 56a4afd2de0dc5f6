"""Golden cases: one file each in tests/data/cases, for every rule kind and its edge cases."""

from __future__ import annotations

import pytest
from golden import assert_golden
from repository import TEST_DATA
from rule_sets import Case, hazard_lines, hit_lines, port, read_case, residue_lines

from porter.cpp.lex import lex

CASES = sorted((TEST_DATA / "cases").glob("*.case"))


@pytest.fixture(params=CASES, ids=lambda path: path.stem)
def case(request: pytest.FixtureRequest) -> Case:
    return read_case(request.param)


def test_case(case: Case) -> None:
    rules = case.rules()
    path, moved = case.flags["path"], case.flags["moved"]

    made = port(case.input, rules, path, moved)

    assert_golden(made.text, case.output, f"output of {case.name}.case")
    assert_golden(residue_lines(made), case.lines("residue"), f"residue of {case.name}.case")
    assert_golden(hazard_lines(made), case.lines("hazards"), f"hazards of {case.name}.case")
    if "hits" in case.parts:
        assert_golden(hit_lines(made, rules), case.lines("hits"), f"hits of {case.name}.case")
    added = int(case.flags["added_lines"])
    assert made.text.count("\n") == case.input.count("\n") + added, "line counts are kept"
    assert "".join(token.text for token in lex(made.text)) == made.text

    again = port(made.text, rules, path, moved)
    assert_golden(again.text, made.text, f"{case.name}.case: the port, ported again")
    assert not again.edits


def test_every_case_is_found() -> None:
    assert len(CASES) > 60
    files = [path for path in CASES[0].parent.iterdir() if path.is_file()]
    assert sorted(files) == CASES
