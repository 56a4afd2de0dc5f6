"""Test cases of the runtime's C++ test program: their names, and the results of a run.

The names are read from the C++ sources, so that pytest can collect the cases before the program is built.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_CASE = re.compile(
    rf"^TEST_CASE(?P<of_types>_TEMPLATE)?\(\s*(?P<name>{_STRING}(?:\s*{_STRING})*)", re.M
)
_ANY_CASE = re.compile(r"^\s*(?:TEST_CASE|SCENARIO)\w*\(", re.M)
_ESCAPES = {r"\"": '"', r"\\": "\\"}


@dataclass(frozen=True)
class WrittenCase:
    """`TEST_CASE` or `TEST_CASE_TEMPLATE` in a source file; a template has one case for each type."""

    file: str
    name: str
    of_types: bool

    @property
    def id(self) -> str:
        """Test id: `launch: a grid without blocks` for the case "a grid without blocks" in test_launch.cpp."""
        return f"{self.file.removeprefix('test_').removesuffix('.cpp')}: {self.name}"


@dataclass(frozen=True)
class RanCase:
    """Result of one case. `complete` is True if the case reached its end; `failures` has texts of doctest's report."""

    file: str
    name: str
    complete: bool
    passed: bool
    failures: tuple[str, ...]

    def is_of(self, written: WrittenCase) -> bool:
        """Test whether this result belongs to a case in the sources."""
        if self.file != written.file:
            return False
        if written.of_types:
            return self.name.startswith(f"{written.name}<")
        return self.name == written.name


def written_cases(sources: Sequence[Path]) -> list[WrittenCase]:
    """All cases of these sources, in order. Raises ValueError if the name of a case is not a string literal."""
    cases = []
    for source in sources:
        text = source.read_text(encoding="utf-8")
        found = [
            WrittenCase(source.name, _joined(match["name"]), bool(match["of_types"]))
            for match in _CASE.finditer(text)
        ]
        if len(found) != len(_ANY_CASE.findall(text)):
            raise ValueError(f"{source.name}: a test case whose name is not a string in its line")
        cases += found
    return cases


def ran_cases(report: str) -> list[RanCase]:
    """Results of the cases in doctest's XML report. In a truncated report, the last case is incomplete."""
    parser = ElementTree.XMLPullParser(("start", "end"))
    open_case: ElementTree.Element | None = None
    cases = []
    try:
        parser.feed(report)
        for event, element in parser.read_events():
            if element.tag != "TestCase" or element.get("skipped") == "true":
                continue
            open_case = element if event == "start" else None
            if event == "end":
                cases.append(_ran(element, complete=True))
    except ElementTree.ParseError:
        pass  # The program ended while it wrote the report.
    return [*cases, *([] if open_case is None else [_ran(open_case, complete=False)])]


def _ran(case: ElementTree.Element, *, complete: bool) -> RanCase:
    overall = case.find("OverallResultsAsserts")
    passed = overall is not None and overall.get("test_case_success") == "true"
    failures = [
        _failure(found) for found in case.iter("Expression") if found.get("success") == "false"
    ]
    for found in [*case.iter("Message"), *case.iter("Exception")]:
        failures.append(" ".join("".join(found.itertext()).split()))
    file = Path(case.get("filename", "")).name
    return RanCase(file, case.get("name", ""), complete, passed, tuple(failures))


def _failure(expression: ElementTree.Element) -> str:
    parts = [" ".join((part.text or "").split()) for part in expression]
    place = f"{Path(expression.get('filename', '')).name}:{expression.get('line')}"
    return f"{place}: {expression.get('type')}({parts[0]})" + "".join(f"\n  {p}" for p in parts[1:])


def _joined(strings: str) -> str:
    """Text of adjacent C++ string literals."""
    text = "".join(found[1:-1] for found in re.findall(_STRING, strings))
    return re.sub(r"\\[\"\\]", lambda match: _ESCAPES[match[0]], text)
