"""Folders of mappings made on the spot, the golden error texts, and runs of `porter mapping`."""

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
"""The least of a rule set: some names of CUDA, two folders, a target `acme` without rules."""


def write(root: Path, files: Mapping[str, str]) -> MappingLibrary:
    """Mappings in a folder: these files, and those of the least set that are not among them."""
    for name, text in {**_DEFAULTS, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return MappingLibrary((root,))


def rules(text: str, area: str = "runtime") -> str:
    """A mapping file that holds these rules, written from column 1; the first stands in line 3."""
    return f"area: {area}\nrules:\n{text}"


@dataclass(frozen=True)
class Case:
    """A file of tests/data/errors: mappings that are wrong, and what `porter mapping check` says of
    them.

    What the case is about stands first; then `--- NAME` before each file of mappings; then `---
    exit CODE` before all that goes to the standard error.
    """

    name: str
    files: Mapping[str, str]
    code: int
    errors: str


def cases() -> list[Case]:
    """All golden error texts, by name."""
    found = []
    for path in sorted(ERRORS.glob("*.txt")):
        _, *parts = _PART.split(path.read_text(encoding="utf-8"))
        by_name = dict(zip(parts[::2], parts[1::2], strict=True))
        (last,) = [name for name in by_name if name.startswith("exit ")]
        errors = by_name.pop(last)
        found.append(Case(path.stem, by_name, int(last.removeprefix("exit ")), errors))
    return found


class Ran:
    """A `porter mapping` command that was run: its code, what it printed, its JSON."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *args: str | Path) -> None:
        self.code = call(["mapping", *map(str, args)])
        self.out, self.err = capsys.readouterr()

    @property
    def json(self) -> Any:
        return json.loads(self.out)
