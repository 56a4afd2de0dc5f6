"""Temporary mapping folders, the golden files with error messages, and runs of `porter mapping`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from repository import TEST_DATA

from porter.cli.main import call
from porter.mapping.library import MappingLibrary

ERRORS = TEST_DATA / "errors"
_PART = re.compile(r"^--- (.*)\n", re.MULTILINE)
_DEFAULTS = {
    "cuda/inventory.json": (
        '{"cuda": "12.4", "areas": {"runtime": {"functions": ["cudaFree", "cudaMalloc", "dim3"]}}}'
    ),
    "cuda/vendor.yaml": "words: ['(?i:cuda)', '^cu[A-Z]']\n",
    "pytorch/selection.yaml": (
        "folders:\n"
        "  - {folder: aten/src/ATen/cuda, suffixes: [cu, cuh, h], reason: the device in ATen}\n"
        "  - {folder: c10/cuda, suffixes: [h, cpp], reason: the device in c10}\n"
    ),
    "acme/target.yaml": (
        "target: acme\n"
        "summary: a made-up vendor\n"
        "names: {lower: acme, UPPER: ACME, Camel: Acme}\n"
        "device: acme\n"
        "libraries: {runtime: acme, driver: ac}\n"
    ),
}
"""Minimal mappings: some names of CUDA, two folders, a target `acme` without rules."""


def write(root: Path, files: Mapping[str, str]) -> MappingLibrary:
    """Write the minimal mappings to `root`, with the given files added or replaced. Returns the mappings."""
    for name, text in {**_DEFAULTS, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return MappingLibrary((root,))


def rules(text: str, area: str = "runtime") -> str:
    """Text of a mapping file with the given rules. The rules begin in column 1, and the first rule is on line 3."""
    return f"area: {area}\nrules:\n{text}"


@dataclass(frozen=True)
class Case:
    """Golden file of tests/data/errors: invalid mappings, and the expected output of `porter mapping check`.

    The file consists of a comment, a line `--- NAME` before each mapping file, and a line `--- exit CODE` before the
    expected stderr.
    """

    name: str
    files: Mapping[str, str]
    code: int
    errors: str


def cases() -> list[Case]:
    """All golden files with error messages, sorted by name."""
    found = []
    for path in sorted(ERRORS.glob("*.txt")):
        _, *parts = _PART.split(path.read_text(encoding="utf-8"))
        by_name = dict(zip(parts[::2], parts[1::2], strict=True))
        (last,) = [name for name in by_name if name.startswith("exit ")]
        errors = by_name.pop(last)
        found.append(Case(path.stem, by_name, int(last.removeprefix("exit ")), errors))
    return found


class Ran:
    """Result of a `porter mapping` command: exit code, output, JSON."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *args: str | Path) -> None:
        self.code = call(["mapping", *map(str, args)])
        self.out, self.err = capsys.readouterr()

    @property
    def json(self) -> Any:
        return json.loads(self.out)
