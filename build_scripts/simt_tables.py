"""The tables of the simt target, `mappings/simt/tables/*.json`: what its runtime has of CUDA's API.

    python build_scripts/simt_tables.py                # write them
    python build_scripts/simt_tables.py --check        # write nothing, exit 1 if one differs
    python build_scripts/simt_tables.py --release DIR  # what they lack of a PyTorch tree's sources

The decisions are in `mappings/simt/plan.toml`, the names in `mappings/cuda/inventory.json`. A name
that no group of the plan matches, a group that matches no name, and two names that become one by
accident are errors, all of them listed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

MAPPINGS = Path(__file__).resolve().parent.parent / "mappings"
INVENTORY = MAPPINGS / "cuda" / "inventory.json"
PLAN = MAPPINGS / "simt" / "plan.toml"
TABLES = MAPPINGS / "simt" / "tables"

# The upstream folders that a port is made of, and what in them is other people's code.
FOLDERS = (
    "aten/src/ATen/cuda",
    "aten/src/ATen/native/cuda",
    "aten/src/ATen/native/nested",
    "aten/src/ATen/native/quantized",
    "aten/src/ATen/native/sparse",
    "aten/src/ATen/native/transformers",
    "c10/core/impl",
    "c10/cuda",
    "torch/csrc/cuda",
)
SUFFIXES = frozenset({".cpp", ".cu", ".cuh", ".h", ".in"})
NOT_OURS = frozenset({"qnnpack"})

# Comments and literals hide words that are no identifiers; chains of `a::b` stay together.
CPP_WORDS = re.compile(
    r"//(?:\\\n|[^\n])*|/\*.*?\*/|\#[ \t]*include[^\n]*"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|\.?\d[\w.']*"
    r"|(?P<chain>[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)",
    re.DOTALL,
)


class PlanError(Exception):
    """The plan does not decide every name once; the message lists what is wrong."""


@dataclass(frozen=True)
class Group:
    """Names with one status, and the reason when it is not `supported`."""

    place: str
    patterns: tuple[re.Pattern[str], ...]
    status: str = "supported"
    note: str = ""

    def pattern_of(self, name: str) -> re.Pattern[str] | None:
        """The first pattern that matches the whole of `name`."""
        return next((pattern for pattern in self.patterns if pattern.fullmatch(name)), None)


@dataclass(frozen=True)
class Section:
    """The groups of one area, or of one namespace and those inside it."""

    place: str
    area: str
    groups: tuple[Group, ...]
    source: str = ""
    rename: tuple[tuple[re.Pattern[str], str], ...] = ()

    def group_of(self, name: str) -> Group | None:
        """The group that decides `name`."""
        return next((group for group in self.groups if group.pattern_of(name)), None)

    def renamed(self, name: str) -> str:
        """What `name` is called on the target; `\\^1` of a template is group 1 with a capital."""
        for pattern, template in self.rename:
            if match := pattern.fullmatch(name):
                return re.sub(r"\\(\^?)(\d)", lambda part: _filled(match, part), template)
        return name


def _filled(match: re.Match[str], part: re.Match[str]) -> str:
    text = match[int(part[2])] or ""
    return text[:1].upper() + text[1:] if part[1] else text


@dataclass(frozen=True)
class Plan:
    """`plan.toml`."""

    areas: dict[str, Section]
    namespaces: dict[str, Section]
    absent: frozenset[str]
    by_hand: Group

    def section_of(self, namespace: str) -> Section | None:
        """The section of `namespace` or of the nearest one around it."""
        while namespace:
            if section := self.namespaces.get(namespace):
                return section
            namespace = namespace.rpartition("::")[0]
        return None


@dataclass(frozen=True)
class Inventory:
    """`inventory.json`, with names in namespaces apart from the others."""

    cuda: str
    names: dict[str, tuple[str, ...]]
    """Area -> names of the global namespace and macros, sorted."""
    namespaces: dict[str, tuple[str, ...]]
    """Namespace -> names; those of absent areas too."""
    area_of: dict[str, str]


@dataclass(frozen=True)
class Decision:
    """What becomes of one name; `name` has its namespace when it has one."""

    name: str
    area: str
    group: Group
    target: str

    @property
    def qualified(self) -> bool:
        return "::" in self.name


@dataclass(frozen=True)
class Decisions:
    """All names decided, and what the plan gets wrong."""

    decided: tuple[Decision, ...]
    problems: tuple[str, ...]

    @cached_property
    def by_name(self) -> dict[str, Decision]:
        """Name, with its namespace when it has one -> decision."""
        return {decision.name: decision for decision in self.decided}


def read_plan(path: Path = PLAN) -> Plan:
    """The plan in a TOML file. Raises PlanError for a regular expression that does not compile."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return Plan(
        areas={area: _section(f"area.{area}", area, entry) for area, entry in data["area"].items()},
        namespaces={
            name: _section(f"namespace.{name}", entry["area"], entry)
            for name, entry in data["namespace"].items()
        },
        absent=frozenset(data["absent"]),
        by_hand=Group("by_hand", tuple(_compiled(text, "by_hand") for text in data["by_hand"])),
    )


def _section(place: str, area: str, entry: dict[str, Any]) -> Section:
    groups = tuple(
        Group(
            place=f"{place} group {number}",
            patterns=tuple(_compiled(text, place) for text in group["names"]),
            status=group.get("status", "supported"),
            note=group.get("note", ""),
        )
        for number, group in enumerate(entry.get("group", []), 1)
    )
    renames = tuple((_compiled(text, place), new) for text, new in entry.get("rename", []))
    return Section(place, area, groups, entry.get("source", ""), renames)


def _compiled(text: str, place: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.ASCII)
    except re.error as error:
        raise PlanError(f"{place}: {text!r} is no regular expression: {error}") from None


def read_inventory(path: Path = INVENTORY) -> Inventory:
    """The names of CUDA's headers."""
    data = json.loads(path.read_text(encoding="utf-8"))
    namespaces = {space: tuple(names) for space, names in data["namespaces"].items()}
    spaced = {name for names in namespaces.values() for name in names}
    area_of = {
        name: area
        for area, kinds in data["areas"].items()
        for of_kind in kinds.values()
        for name in of_kind
    }
    names: dict[str, list[str]] = {area: [] for area in data["areas"]}
    for name, area in area_of.items():
        if name not in spaced:
            names[area].append(name)
    return Inventory(
        cuda=data["cuda"],
        names={area: tuple(sorted(found)) for area, found in names.items()},
        namespaces=namespaces,
        area_of=area_of,
    )


def decide(plan: Plan, inventory: Inventory) -> Decisions:
    """Each name that tables are about, the group that decides it, and what is wrong with the plan."""
    decided: list[Decision] = []
    problems: list[str] = []
    hits: Counter[tuple[str, str]] = Counter()

    def take(group: Group, name: str) -> None:
        # A pattern counts as used when it matches, even where one before it does too.
        hits.update((group.place, p.pattern) for p in group.patterns if p.fullmatch(name))

    for area, names in inventory.names.items():
        if area in plan.absent:
            continue
        section = plan.areas.get(area)
        for name in names:
            if plan.by_hand.pattern_of(name):
                take(plan.by_hand, name)
            elif section and (group := section.group_of(name)):
                take(group, name)
                decided.append(Decision(name, area, group, section.renamed(name)))
            else:
                problems.append(f"{name} ({area}): no group of the plan matches")
    for namespace, names in inventory.namespaces.items():
        section = plan.section_of(namespace)
        outer, _, last = namespace.rpartition("::")
        of_class = last if last in inventory.namespaces.get(outer, ()) else ""
        for name in names:
            # A static member is there when its class is.
            if section and (group := section.group_of(of_class or name)):
                take(group, of_class or name)
                full = f"{namespace}::{name}"
                decided.append(Decision(full, section.area, group, full))
            elif inventory.area_of[name] not in plan.absent:
                problems.append(f"{namespace}::{name}: no group of the plan matches")
    sections = (*plan.areas.values(), *plan.namespaces.values())
    for group in (plan.by_hand, *(group for section in sections for group in section.groups)):
        for pattern in group.patterns:
            if not hits[group.place, pattern.pattern]:
                problems.append(f"{group.place}: {pattern.pattern!r} decides no name")
    return Decisions(tuple(decided), (*problems, *_clashes(decided)))


def _clashes(decided: Iterable[Decision]) -> Iterator[str]:
    names: dict[str, set[str]] = defaultdict(set)
    for decision in decided:
        if decision.group.status == "supported":
            names[decision.target].add(decision.name.removesuffix("_v2"))
    for target, sources in sorted(names.items()):
        if len(sources) > 1:
            yield f"{target}: the new name of {' and of '.join(sorted(sources))}"


def tables(plan: Plan, inventory: Inventory, decided: Iterable[Decision]) -> dict[str, str]:
    """File name -> text of every table."""
    by_area: dict[str, list[Decision]] = defaultdict(list)
    for decision in decided:
        by_area[decision.area].append(decision)
    return {
        f"{area}.json": _table(area, plan.areas[area].source, inventory.cuda, decisions)
        for area, decisions in sorted(by_area.items())
    }


def _table(area: str, source: str, cuda: str, decisions: list[Decision]) -> str:
    """One table: supported names, then those lacking by reason, then names in namespaces.

    The last are `qualified` rules, so that a program's own `sort` is not taken for thrust's.
    """
    mapped: dict[str, str] = {}
    kept: list[str] = []
    lacking: dict[tuple[str, str], list[str]] = defaultdict(list)
    rules: list[str] = []
    for decision in sorted(decisions, key=lambda d: d.name):
        group = decision.group
        if decision.qualified:
            rule = {"qualified": decision.name}
            if group.status != "supported":
                rule |= {"status": group.status, "note": group.note}
            rules.append(json.dumps(rule))
        elif group.status != "supported":
            lacking[group.status, group.note].append(decision.name)
        elif decision.target != decision.name:
            mapped[decision.name] = decision.target
        else:
            kept.append(decision.name)
    bulk: list[str] = []
    if mapped:
        pairs = [f"{json.dumps(name)}: {json.dumps(new)}" for name, new in mapped.items()]
        bulk.append(_bulk("{", pairs, "}"))
    if kept:
        bulk.append(_bulk("[", map(json.dumps, kept), "]"))
    for (status, note), names in sorted(lacking.items()):
        reason = f', "status": {json.dumps(status)}, "note": {json.dumps(note)}'
        bulk.append(_bulk("[", map(json.dumps, names), "]", reason))
    head = f'"area": {json.dumps(area)},\n"source": {json.dumps(f"{source}; names of CUDA {cuda}")}'
    return f'{{\n{head},\n"rules": [\n' + ",\n".join([*bulk, *rules]) + "\n]\n}\n"


def _bulk(opening: str, items: Iterable[str], closing: str, reason: str = "") -> str:
    lines = ",\n  ".join(items)
    return f'{{"names": {opening}\n  {lines}\n{closing}{reason}}}'


def words_of(text: str) -> set[str]:
    """The identifiers of C++ text, outside of comments, literals and include paths.

    A chain `a::b::c` gives every chain within it: `a`, `b`, `c`, `a::b`, `b::c`, `a::b::c`.
    """
    found: set[str] = set()
    for match in CPP_WORDS.finditer(text):
        if chain := match["chain"]:
            parts = [part.strip() for part in chain.split("::")]
            ends = range(1, len(parts) + 1)
            found.update("::".join(parts[start:end]) for end in ends for start in range(end))
    return found


def uses(tree: Path) -> dict[str, list[str]]:
    """Identifier or chain -> the selected files of a PyTorch source tree that have it."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in SUFFIXES and not NOT_OURS.intersection(path.parts) and path.is_file():
                for word in words_of(path.read_text(encoding="latin-1")):
                    found[word].append(path.relative_to(tree).as_posix())
    return found


def left_out(decisions: Decisions, tree: Path) -> Iterator[tuple[Decision, list[str]]]:
    """The names that a PyTorch tree uses and the tables call unsupported, with the files."""
    found = uses(tree)
    for decision in decisions.decided:
        if decision.group.status == "unsupported" and decision.name in found:
            yield decision, found[decision.name]


def summary(decisions: Decisions) -> Iterator[str]:
    """Names by area and status."""
    counts = Counter((decision.area, decision.group.status) for decision in decisions.decided)
    for area in sorted({area for area, _ in counts}):
        row = (f"{counts[area, s]:5} {s}" for s in ("supported", "todo", "unsupported"))
        yield f"{area:12}{' '.join(row)}"


def differing(wanted: dict[str, str]) -> list[str]:
    """The names of tables that are not as they should be, missing and left-over ones included."""
    present = {path.name: path.read_text(encoding="utf-8") for path in TABLES.glob("*.json")}
    return sorted(n for n in wanted.keys() | present.keys() if wanted.get(n) != present.get(n))


def write(wanted: dict[str, str]) -> None:
    """Make the folder of tables hold these and no others."""
    TABLES.mkdir(parents=True, exist_ok=True)
    for name in differing(wanted):
        if name in wanted:
            (TABLES / name).write_text(wanted[name], encoding="utf-8")
        else:
            (TABLES / name).unlink()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if one differs")
    parser.add_argument("--release", type=Path, metavar="DIR", help="a PyTorch source tree")
    options = parser.parse_args(arguments)
    try:
        plan = read_plan()
        inventory = read_inventory()
    except (PlanError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    decisions = decide(plan, inventory)
    if decisions.problems:
        print("\n".join(decisions.problems), file=sys.stderr)
        return 1
    wanted = tables(plan, inventory, decisions.decided)
    if options.release:
        for decision, files in left_out(decisions, options.release):
            print(f"{decision.name} ({decision.area}): {decision.group.note}")
            print(f"    {', '.join(files)}")
    elif options.check:
        for name in differing(wanted):
            print(f"{name} differs", file=sys.stderr)
        return 1 if differing(wanted) else 0
    else:
        write(wanted)
        print("\n".join(summary(decisions)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
