"""Names about which the hand-written rules of a target, in `mappings/<target>/*.yaml`, decide."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mapping_tables.errors import PlanError, TableError

_ONE_NAME = ("name", "macro", "qualified")


@dataclass(frozen=True)
class ByHand:
    """Names and qualified names of hand-written rules, and regular expressions for names. `in` tests all."""

    names: frozenset[str]
    families: tuple[re.Pattern[str], ...]

    def __contains__(self, name: str) -> bool:
        return name in self.names or any(family.fullmatch(name) for family in self.families)


def read(folder: Path) -> ByHand:
    """Read the names, qualified names and `family` rules in the YAML files of a target's folder.

    Raises PlanError for a file that is not YAML, and TableError if PyYAML is missing.
    """
    names: set[str] = set()
    families: list[re.Pattern[str]] = []
    for path in sorted(folder.glob("*.yaml")):
        for rule in _rules(path):
            names.update(rule.get("names", ()))
            names.update(rule[kind] for kind in _ONE_NAME if kind in rule)
            if "family" in rule:
                families.append(re.compile(rule["family"]))
    return ByHand(frozenset(names), tuple(families))


def _rules(path: Path) -> list[dict[str, Any]]:
    try:
        import yaml
    except ImportError:
        help = "run build_scripts/test, which creates .venv, then run this script with .venv/bin/python"
        raise TableError("PyYAML is missing", help) from None
    try:
        # Every scalar is read as text, as porter does. YAML would read a name such as `no` as a boolean.
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        said = " ".join(str(error).split())
        raise PlanError(f"{path}: {said}", "run porter mapping check for details") from None
    rules = data.get("rules", []) if isinstance(data, dict) else []
    return [rule for rule in rules if isinstance(rule, dict)]
