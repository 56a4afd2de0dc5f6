"""Programs of `tests/known_answers`, their output on a GPU of NVIDIA, and the known differences.

Format of a line and of its tolerance: tests/known_answers/answers.h. differences.yaml maps a program to entries:
`lines` are names of lines, in one text or in a list (for names with blanks), and `reason` is a text. `may_agree: true`
marks lines whose values are undefined, and which may agree by chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase

import yaml
from repository import ROOT

PROGRAMS = ROOT / "tests" / "known_answers"
DIFFERENCES = PROGRAMS / "differences.yaml"


def recorded() -> list[str]:
    """Names of all programs that have a record, such as `device/shuffles`."""
    return sorted(
        str(path.relative_to(PROGRAMS).with_suffix("")) for path in PROGRAMS.rglob("*.txt")
    )


def known_differences(program: str, names: Iterable[str]) -> dict[str, str]:
    """Reason for each line that the host runtime prints differently, by the line's name.

    A shell pattern selects all matching `names`. A pattern that matches no name is itself a key, unless its lines may
    agree.
    """
    told = yaml.safe_load(DIFFERENCES.read_text(encoding="utf-8")) or {}
    return {
        name: entry["reason"]
        for entry in told.get(program, [])
        for pattern in (
            entry["lines"].split() if isinstance(entry["lines"], str) else entry["lines"]
        )
        for name in [name for name in names if fnmatchcase(name, pattern)]
        or ([] if entry.get("may_agree") else [pattern])
    }


def lines(text: str) -> dict[str, str]:
    """Values of each line by its name, without the first line of a record.

    Raises ValueError if two lines have one name.
    """
    found = [line.partition(":") for line in text.splitlines() if not line.startswith("#")]
    names = Counter(name for name, _, _ in found)
    if repeated := [name for name, count in names.items() if count > 1]:
        raise ValueError(f"several lines have the name {repeated[0]}")
    return {name: values.strip() for name, _, values in found}


def equal(name: str, one: str, other: str) -> bool:
    """Test whether the values of a line agree; `name ~1e-6` states a tolerance."""
    _, _, tolerance = name.partition(" ~")
    if not tolerance:
        return one == other
    pairs = [(float(a), float(b)) for a, b in zip(one.split(), other.split(), strict=False)]
    bound = float(tolerance)
    return len(one.split()) == len(other.split()) and all(
        (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=bound, abs_tol=bound)
        for a, b in pairs
    )


def differences(record: str, printed: str) -> dict[str, tuple[str, str]]:
    """Lines that differ: values on the GPU and on the host, by the line's name without its tolerance."""
    expected, found = lines(record), lines(printed)
    return {
        name.partition(" ~")[0]: (expected.get(name, "no line"), found.get(name, "no line"))
        for name in [*expected, *(name for name in found if name not in expected)]
        if name not in expected or name not in found or not equal(name, expected[name], found[name])
    }
