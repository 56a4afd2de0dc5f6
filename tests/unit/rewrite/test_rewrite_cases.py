"""Golden cases: one file each in tests/data/cases, for every rule kind and its edges."""

from __future__ import annotations

import pytest
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

    assert made.text == case.output
    assert residue_lines(made) == case.lines("residue")
    assert hazard_lines(made) == case.lines("hazards")
    if "hits" in case.parts:
        assert hit_lines(made, rules) == case.lines("hits")
    added = int(case.flags["added_lines"])
    assert made.text.count("\n") == case.input.count("\n") + added, "line counts are kept"
    assert "".join(token.text for token in lex(made.text)) == made.text

    again = port(made.text, rules, path, moved)
    assert again.text == made.text, "porting the port makes no edits"
    assert not again.edits


def test_every_case_is_found() -> None:
    assert len(CASES) > 60
    files = [path for path in CASES[0].parent.iterdir() if path.is_file()]
    assert sorted(files) == CASES
