"""Cases of a doctest program: names read from C++ sources, results read from a report that may be truncated."""

from __future__ import annotations

from pathlib import Path

import pytest
from doctest_cases import ran_cases, written_cases

REPORT = """\
<?xml version="1.0" encoding="UTF-8"?>
<doctest binary="tests">
  <TestSuite>
    <TestCase name="adds" filename="/x/test_a.cpp" line="3">
      <OverallResultsAsserts successes="1" failures="0" test_case_success="true"/>
    </TestCase>
    <TestCase name="divides&lt;int>" filename="/x/test_a.cpp" line="9">
      <Expression success="false" type="CHECK" filename="/x/test_a.cpp" line="11">
        <Original>
          one / 0 == 1
        </Original>
        <Expanded>
          0 == 1
        </Expanded>
      </Expression>
      <OverallResultsAsserts successes="0" failures="1" test_case_success="false"/>
    </TestCase>
    <TestCase name="faults" filename="/x/test_a.cpp" line="20">
"""


def test_cases_are_read_from_sources(tmp_path: Path) -> None:
    source = tmp_path / "test_a.cpp"
    source.write_text(
        'TEST_CASE("adds, \\"well\\"") {}\nTEST_CASE_TEMPLATE("divides", T, int, float) {}\n'
        'TEST_CASE("in two "\n          "parts") {}\n'
    )

    cases = written_cases([source])

    assert [case.id for case in cases] == ['a: adds, "well"', "a: divides", "a: in two parts"]
    assert [case.of_types for case in cases] == [False, True, False]


def test_a_case_without_a_plain_name_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "test_a.cpp"
    source.write_text("TEST_CASE(NAME) {}\n")
    with pytest.raises(ValueError, match=r"test_a\.cpp"):
        written_cases([source])


def test_a_report_that_is_cut_off_names_the_case_in_which_the_program_ended() -> None:
    adds, divides, faults = ran_cases(REPORT)

    assert (adds.name, adds.complete, adds.passed, adds.failures) == ("adds", True, True, ())
    assert (divides.complete, divides.passed) == (True, False)
    assert divides.failures == ("test_a.cpp:11: CHECK(one / 0 == 1)\n  0 == 1",)
    assert (faults.name, faults.complete, faults.passed) == ("faults", False, False)


def test_a_case_of_a_template_is_found_for_each_type(tmp_path: Path) -> None:
    source = tmp_path / "test_a.cpp"
    source.write_text('TEST_CASE("adds") {}\nTEST_CASE_TEMPLATE("divides", T, int) {}\n')
    adds, divides = written_cases([source])
    ran = ran_cases(REPORT)
    assert [case.is_of(adds) for case in ran] == [True, False, False]
    assert [case.is_of(divides) for case in ran] == [False, True, False]
