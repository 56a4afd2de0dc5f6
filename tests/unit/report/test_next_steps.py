"""Next steps after a port: sources that are missing from the build come first."""

from __future__ import annotations

from typing import Any

from porter.report import next_steps
from porter.report.report_query import Report

DATA: dict[str, Any] = {
    "target": "toy",
    "release": "2.6.0",
    "rules": {"below_expectation": []},
    "hazards": [],
    "residue": {},
}


def steps(build: dict[str, Any] | None) -> list[str]:
    report = Report(DATA, {})
    return [step.text for step in next_steps.of_port(report, build)]


def test_sources_without_objects_and_sources_that_are_not_linked_come_first() -> None:
    build = {
        "failed": [{"path": "a.cu", "place": "a.cu:7"}],
        "left_out": [{"path": "b.cu", "reason": "needs 'f()'"}, {"path": "c.cu", "reason": ""}],
    }
    assert steps(build)[:2] == [
        "1 source does not compile: a.cu:7.",
        "2 sources are left out of the libraries: b.cu needs 'f()'.",
    ]


def test_a_complete_build_is_verified_and_then_upgraded() -> None:
    assert steps({"failed": [], "left_out": []}) == [
        "Compare the operators with the CPU.",
        "List the work for the next release.",
    ]
    assert steps(None)[0] == "Build the backend."
