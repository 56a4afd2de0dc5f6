"""Writes the tables of target simt, `mappings/simt/tables/*.json`: the names of CUDA's API that the runtime supports.

    python build_scripts/simt_tables.py                  # write the tables
    python build_scripts/simt_tables.py --check          # write nothing, exit 1 if a table differs
    python build_scripts/simt_tables.py --release DIR    # list names that a PyTorch tree uses and the tables lack

The decisions come from `mappings/simt/plan.toml`, the names from `mappings/cuda/inventory.json`. The script lists all
errors in the plan: a name that no group matches, a pattern that matches no name, and two names with the same
replacement. It downloads nothing and needs only Python.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mapping_tables import command, inventory, layout, simt_decisions, simt_plan
from mapping_tables.errors import PlanError
from mapping_tables.pytorch_words import uses
from mapping_tables.simt_decisions import Decision, Decisions
from mapping_tables.simt_plan import Plan


def tables(plan: Plan, cuda: str, decided: Iterable[Decision]) -> dict[str, str]:
    """Maps the file name of every table to its text. `cuda` is the CUDA release of the names."""
    by_area: dict[str, list[Decision]] = defaultdict(list)
    for decision in decided:
        by_area[decision.area].append(decision)
    return {
        f"{area}.json": layout.text_of(
            {
                "area": area,
                "source": f"{plan.areas[area].source}; names of CUDA {cuda}",
                "rules": rules_of(decisions),
            },
            between="\n",
        )
        for area, decisions in sorted(by_area.items())
    }


def rules_of(decisions: Iterable[Decision]) -> list[dict[str, Any]]:
    """Rules of one table, in this order: supported names, unsupported names grouped by reason, names in namespaces.

    Rules about names in namespaces are `qualified` rules, so that they do not match a program's own `sort`.
    """
    mapped: dict[str, str] = {}
    kept: list[str] = []
    lacking: dict[tuple[str, str], list[str]] = defaultdict(list)
    chains: list[dict[str, Any]] = []
    for decision in sorted(decisions, key=lambda d: d.name):
        name, group = decision.name, decision.group
        supported = group.status == "supported"
        if decision.qualified:
            reason = {} if supported else {"status": group.status, "note": group.note}
            chains.append({"qualified": name, **reason})
        elif not supported:
            lacking[group.status, group.note].append(name)
        elif decision.target != name:
            mapped[name] = decision.target
        else:
            kept.append(name)
    rules: list[dict[str, Any]] = [{"names": names} for names in (mapped, kept) if names]
    for (status, note), names in sorted(lacking.items()):
        rules.append({"names": names, "status": status, "note": note})
    return rules + chains


def left_out(decisions: Decisions, tree: Path) -> Iterator[tuple[Decision, list[str]]]:
    """Yield each unsupported name of the tables that a PyTorch tree uses, with the files that use the name."""
    found = uses(tree)
    for decision in decisions.decided:
        if decision.group.status == "unsupported" and decision.name in found:
            yield decision, found[decision.name]


def summary(decisions: Decisions) -> Iterator[str]:
    """Yield one line for each API area, with the number of names by status."""
    counts = Counter((decision.area, decision.group.status) for decision in decisions.decided)
    for area in sorted({area for area, _ in counts}):
        row = (f"{counts[area, s]:5} {s}" for s in ("supported", "todo", "unsupported"))
        yield f"{area:12}{' '.join(row)}"


def make(options: argparse.Namespace) -> int:
    """Decide about every name. Then write the tables, compare them, or list the unsupported names that a tree uses."""
    path = options.mappings / "simt" / "plan.toml"
    plan = simt_plan.read(path)
    names = inventory.read(options.mappings)
    decisions = simt_decisions.decide(plan, names)
    if decisions.problems:
        lines = "\n  ".join(decisions.problems)
        raise PlanError(f"{path} does not decide every name once:\n  {lines}")
    if options.release:
        for decision, files in left_out(decisions, options.release):
            print(f"{decision.name} ({decision.area}): {decision.group.note}")
            print(f"    {', '.join(files)}")
        return 0
    if not options.check:
        print("\n".join(summary(decisions)))
    made = tables(plan, names.cuda, decisions.decided)
    return command.deliver(options.mappings / "simt" / "tables", made, check=options.check)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = command.Parser(__doc__)
    help = "PyTorch source tree; the script only lists the unsupported names that the tree uses"
    parser.add_argument("--release", type=Path, metavar="DIR", help=help)
    parser.add_mappings()
    return command.run(make, parser, arguments)


if __name__ == "__main__":
    sys.exit(main())
