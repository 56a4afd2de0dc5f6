"""Programs of `tests/checks` and their known faults: binaries of several programs, runs, and the comparison.

Each program of a binary has its own namespace; the first argument of the binary selects the program. The compilation of
twenty programs takes little more time than that of a single program.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import PorterError
from porter.checks import checked_run, instrumented
from porter.checks.findings import Finding

PROGRAMS = Path(__file__).resolve().parents[1] / "checks"
KINDS = ("memory", "race", "sync", "init", "host")


class Program(NamedTuple):
    """Program with its expectation."""

    name: str
    """`race/shared_neighbour`."""
    kind: str
    """Kind of the expected finding; empty if nothing may be found. The fault's second word is for readers only."""
    lines: frozenset[int]
    """Lines marked as faulty."""


class Result(NamedTuple):
    """Findings for one program."""

    program: Program
    findings: tuple[Finding, ...]
    error: str = ""
    """Message of a run without a report; empty for success."""

    @property
    def found(self) -> bool:
        """True if a finding of the expected kind has a place on a marked line."""
        return any(
            finding.kind == self.program.kind
            and any(
                frame.line in self.program.lines
                and frame.file.endswith(("unit.cu", f"{self.program.name}.cu"))
                for place in finding.places
                for frame in place.frames[:1]
            )
            for finding in self.findings
        )


def programs() -> tuple[Program, ...]:
    """All programs, by name."""
    return tuple(_program(path) for path in sorted(PROGRAMS.glob("*/*.cu")))


def _program(path: Path) -> Program:
    text = path.read_text(encoding="utf-8")
    expected = re.search(r"^// expect: (\w+)", text)
    if expected is None:
        raise ValueError(f"{path}: the first line states no expectation")
    lines = [n for n, line in enumerate(text.splitlines(), 1) if "// <- fault" in line]
    kind = "" if expected[1] == "none" else expected[1]
    return Program(f"{path.parent.name}/{path.stem}", kind, frozenset(lines))


def unit(chosen: Sequence[Program]) -> str:
    """Source text of a binary with these programs."""
    includes: dict[str, None] = {"#include <cstdlib>": None}
    bodies, cases = [], []
    for number, program in enumerate(chosen):
        text = (PROGRAMS / f"{program.name}.cu").read_text(encoding="utf-8")
        includes |= dict.fromkeys(re.findall(r"^#include .*$", text, re.M))
        body = re.sub(r"^#include .*$", "", text, flags=re.M)
        bodies.append(f'namespace p{number} {{\n#line 1 "{program.name}.cu"\n{body}}}\n')
        cases.append(f"    case {number}: return p{number}::main();")
    select = (
        '#line 1 "select.cu"\nint main(int, char** words) {\n  switch (std::atoi(words[1])) {\n'
    )
    return "\n".join([*includes, *bodies]) + select + "\n".join(cases) + "\n  }\n  return 99;\n}\n"


def compiled(chosen: Sequence[Program], folder: Path) -> Path:
    """Binary with these programs. Raises BuildError."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "unit.cu"
    source.write_text(unit(chosen), encoding="utf-8")
    return instrumented.build([source], folder / "unit")


def results(binary: Path, chosen: Sequence[Program], folder: Path) -> list[Result]:
    """Findings of each program of a binary, which runs once for each."""
    made = []
    for number, program in enumerate(chosen):
        try:
            report = folder / f"{number}.json"
            outcome = checked_run.run(binary, [str(number)], KINDS, report)
            made.append(Result(program, outcome.findings))
        except PorterError as error:
            made.append(Result(program, (), str(error)))
    return made
