"""Rule sets from rules in a test, the port of a single text, and the golden cases.

rules = rule_set({"toy": [{"name": "cudaMalloc", "replace": "toyMalloc"}]})
assert port("cudaMalloc(&p, n);", rules).text == "toyMalloc(&p, n);"
"""

from __future__ import annotations

import functools
import json
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from repository import TEST_MAPPINGS

from porter.cpp.lex import encode
from porter.mapping import inventory
from porter.mapping.compile import compile_rules
from porter.mapping.library import MappingLibrary, shipped
from porter.mapping.load import load
from porter.model.rewrite_result import Rewrite
from porter.model.rules import RuleSet
from porter.rewrite.rewriter import Rewriter

TARGETS = ("toy", "simt", "musa", "hip", "maca")

Rules = Mapping[str, Sequence[Mapping[str, Any]]]
"""Maps a layer (`cuda`, `pytorch` or `toy`) to rules in the syntax of mapping files."""


def rule_set(
    rules: Rules,
    *,
    release: str = "2.6.0",
    profile: Mapping[str, Any] | None = None,
    names: Mapping[str, Sequence[str]] | None = None,
    newer: Sequence[Mapping[str, Any]] = (),
    area: str = "runtime",
    on_shipped: bool = False,
) -> RuleSet:
    """Rule set for the target `toy` from the given rules, which are written to mapping files, loaded and compiled.

    `profile` sets keys of toy's target.yaml, `names` contains the inventory's names for each area, and `newer` contains
    the releases of newer.json. toy's own launch.yaml is included unless the rules for `toy` contain a rule for launches
    or dynamic shared memory. The layers `cuda` and `pytorch` contain only the given rules; with `on_shipped`, they also
    contain porter's own rules. Raises MappingError for invalid rules.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _write_target(root / "toy", profile or {}, rules.get("toy", ()))
        if on_shipped:
            for layer in ("cuda", "pytorch"):
                shutil.copytree(shipped() / layer, root / layer)
        else:
            _write_empty_layers(root, names or {})
            if newer:
                (root / "cuda" / "newer.json").write_text(json.dumps({"releases": list(newer)}))
        for layer, listed in rules.items():
            text = json.dumps({"area": area, "rules": listed}, indent=1)
            (root / layer / "case.json").write_text(text)
        return _compiled(MappingLibrary((root,)), "toy", release)


@functools.cache
def target_rules(target: str, release: str) -> RuleSet:
    """Rule set of a shipped target, or of the target `toy` in tests/mappings. Raises MappingError for invalid rules."""
    return _compiled(MappingLibrary.find((TEST_MAPPINGS,)), target, release)


def port(
    text: str, rules: RuleSet, path: str = "a.cpp", moved: Mapping[str, str] | None = None
) -> Rewrite:
    """Port of a text; rules treat the text as the content of the upstream file `path`.

    `moved` maps upstream paths of other ported files to their ported paths.
    """
    return Rewriter(rules, moved or {}).rewrite(path, encode(text))


def _compiled(library: MappingLibrary, target: str, release: str) -> RuleSet:
    known = inventory.read(library.special("cuda", "inventory.json"))
    return compile_rules(load(library, target), known, release)


def _write_target(
    folder: Path, profile: Mapping[str, Any], rules: Sequence[Mapping[str, Any]]
) -> None:
    folder.mkdir()
    data = yaml.load((TEST_MAPPINGS / "toy" / "target.yaml").read_text(), yaml.BaseLoader)
    (folder / "target.yaml").write_text(yaml.safe_dump({**data, **profile}))
    if not any("launch" in rule or "dynamic_shared" in rule for rule in rules):
        shutil.copy(TEST_MAPPINGS / "toy" / "launch.yaml", folder)


def _write_empty_layers(root: Path, names: Mapping[str, Sequence[str]]) -> None:
    for layer in ("cuda", "pytorch"):
        (root / layer).mkdir()
    areas = {area: {"functions": list(listed)} for area, listed in names.items()}
    (root / "cuda" / "inventory.json").write_text(json.dumps({"cuda": "12.4", "areas": areas}))
    shutil.copy(shipped() / "cuda" / "vendor.yaml", root / "cuda")
    (root / "pytorch" / "selection.yaml").write_text("folders: []\n")


# -- golden cases

_PART = re.compile(r"^--- (input|output|residue|hazards|hits)\n", re.MULTILINE)
_FLAGS = {
    "path": "a.cpp",
    "release": "2.6.0",
    "layers": "own",
    "area": "runtime",
    "profile": {},
    "names": {},
    "moved": {},
    "added_lines": "0",
    "line_ends": "lf",
    "mapping": {},
}


@dataclass(frozen=True)
class Case:
    """Golden case from a file of tests/data/cases: flags in YAML, the part `--- input`, and the expected results.

    If the part `output` is missing, the port must equal the input. If the part `residue` or `hazards` is missing, the
    port must have no residue or no hazards. The part `hits`, if present, lists all hits. The flag `mapping` contains
    the rules for each layer.
    """

    name: str
    flags: Mapping[str, Any]
    parts: Mapping[str, str]

    @property
    def input(self) -> str:
        return self._text("input")

    @property
    def output(self) -> str:
        return self._text("output") if "output" in self.parts else self.input

    def lines(self, part: str) -> list[str]:
        """Lines of a part such as `residue`; empty if the case does not have the part."""
        return self.parts.get(part, "").splitlines()

    def rules(self) -> RuleSet:
        """Rule set compiled from the rules of the case."""
        flags = self.flags
        return rule_set(
            flags["mapping"],
            release=flags["release"],
            profile=flags["profile"],
            names=flags["names"],
            area=flags["area"],
            on_shipped=flags["layers"] == "shipped",
        )

    def _text(self, part: str) -> str:
        text = self.parts[part]
        return text.replace("\n", "\r\n") if self.flags["line_ends"] == "crlf" else text


def read_case(path: Path) -> Case:
    """Read a golden case. Raises ValueError for an unknown flag, a missing input or a duplicate part."""
    head, *rest = _PART.split(path.read_text())
    flags = yaml.load(head, yaml.BaseLoader) or {}
    if unknown := flags.keys() - _FLAGS.keys():
        raise ValueError(f"{path.name}: unknown flags {sorted(unknown)}")
    parts = dict(zip(rest[::2], rest[1::2], strict=True))
    if "input" not in parts or len(parts) * 2 != len(rest):
        raise ValueError(f"{path.name}: no input, or a duplicate part")
    return Case(path.stem, {**_FLAGS, **flags}, parts)


def residue_lines(made: Rewrite) -> list[str]:
    """Residue of a port in the syntax of golden cases: `3 unsupported cudaFoo x2: the reason`."""
    return [
        f"{left.line} {left.reason} {left.name}"
        + (f" x{left.places}" if left.places > 1 else "")
        + (f": {left.note}" if left.note else "")
        for left in made.residue
    ]


def hazard_lines(made: Rewrite) -> list[str]:
    """Hazards of a port in the syntax of golden cases: `7 warp_size x2`."""
    return [
        f"{hazard.line} {hazard.name}" + (f" x{hazard.places}" if hazard.places > 1 else "")
        for hazard in made.hazards
    ]


def hit_lines(made: Rewrite, rules: RuleSet) -> list[str]:
    """Sorted hits of a port in the syntax of golden cases: `name cudaMalloc: 2`."""
    return sorted(
        f"{rules.rules[rule].kind} {name or rules.rules[rule].match}: {count}"
        for (rule, name), count in made.hits.items()
    )
