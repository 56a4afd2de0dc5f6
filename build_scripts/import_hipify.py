"""Writes the tables of target hip, `mappings/hip/tables/*.json`, from public facts.

    python build_scripts/import_hipify.py ROCM             # write the tables
    python build_scripts/import_hipify.py ROCM --check     # write nothing, exit 1 if a table differs

ROCM is a folder of git clones with the names of their projects: HIPIFY, whose tables map CUDA names to HIP
names, and the projects in `import_hipify.toml`, whose headers declare ROCm's names. The script reads committed
files only (`HEAD`), so that bare clones suffice. Each table states the commits. Nothing is downloaded; git and
PyYAML are required.

A CUDA name is supported if HIPIFY maps it to a ROCm name that a header declares. If HIPIFY has no entry or an
outdated one, the name is supported if a header declares the name formed by the library's spelling rules. Every
other name of the inventory and of HIPIFY's tables is unsupported, with the reason. The tables omit names that
hand-written rules in `mappings/hip/*.yaml` decide.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mapping_tables import by_hand, command, hip_knowledge, inventory, layout
from mapping_tables.cpp_words import WORD
from mapping_tables.errors import PlanError
from mapping_tables.hip_knowledge import Knowledge
from mapping_tables.inventory import Inventory
from mapping_tables.rocm import Entry, Facts

KNOWLEDGE = Path(__file__).resolve().with_suffix(".toml")
VERSION = re.compile(r"_(CPP_)?(VERSION(_CODE)?|VER_\w+|VER|MAJOR|MINOR|PATCH|PATCHLEVEL|BUILD)$")
"""Regular expression for macros that state a library's version."""

AREA_OF_API = {
    "API_DRIVER": "driver",
    "API_RUNTIME": "runtime",
    "API_COMPLEX": "math",
    "API_BLAS": "blas",
    "API_DNN": "dnn",
    "API_FFT": "fft",
    "API_SPARSE": "sparse",
    "API_SOLVER": "solver",
    "API_CUB": "cub",
    "API_RTC": "nvrtc",
}
"""Maps HIPIFY's name of an API to the API area of most of its names."""


@dataclass(frozen=True)
class Decision:
    """Decision about one name: its replacement, or the reason why there is none."""

    name: str
    is_macro: bool
    namespaces: Sequence[str]
    """CUDA namespaces that declare the name, limited to namespaces with a reason in `Knowledge.namespaces`."""
    new: str = ""
    """Name in ROCm; empty if there is none."""
    why: str = ""
    """Reason why ROCm lacks the name; empty for an ordinary word, which is a CUDA name only inside its namespaces."""


def area_of_entry(name: str, entry: Entry) -> str:
    """API area of a name that HIPIFY lists and CUDA's headers do not declare."""
    if re.match(r"cublasLt|CUBLASLT", name):
        return "blaslt"
    if entry.api == "API_BLAS" and re.match(r"cuda|CUDA_|library", name):
        return "runtime"
    if entry.api == "API_RAND":
        return "rand_device" if re.match(r"curand(_|State|4)|skip", name) else "rand"
    if entry.api == "API_RUNTIME" and re.match(r"CUDART_", name):
        return "math"
    if entry.api == "API_RUNTIME" and not re.match(r"cuda|CUDA|make_|\w+\d$|CU", name):
        return "intrinsics"
    return AREA_OF_API[entry.api]


def wanted(names: Inventory, facts: Facts, known: Knowledge) -> dict[str, set[str]]:
    """Maps an API area to the names about which its table must decide. Raises PlanError for an unknown area."""
    found: dict[str, set[str]] = {area: set() for area in known.areas}
    for area in names.areas:
        if area in found:
            found[area].update(names.names(area))
        elif area not in known.without_library:
            raise PlanError(f"{KNOWLEDGE.name} states nothing about area {area} of the inventory")
    for name, entry in facts.hipify.items():
        area = area_of_entry(name, entry)
        # Obsolete device functions whose names are ordinary words (`saturate`) are skipped: PyTorch may use the words
        # itself.
        plain = area == "intrinsics" and not entry.supported and not name.startswith("__")
        if name not in names.area_of and not plain:
            found[area].add(name)
    return found


def spelled(area: str, name: str, words: frozenset[str], known: Knowledge) -> str:
    """ROCm name that the library's spelling rules form, if a header declares it; empty if there is none."""
    if VERSION.search(name) and area not in ("nccl", "thrust"):
        return ""  # CUDA and ROCm have a macro of this name, but the version numbers have different meanings.
    for prefix, new in known.areas[area].spellings:
        match = prefix.match(name)
        if match and (candidate := new + name[match.end() :]) in words:
            return candidate
    return ""


def rocm_name(area: str, name: str, facts: Facts, known: Knowledge) -> str:
    """ROCm name for a CUDA name; empty if there is none."""
    if name in known.other_meaning:
        return ""
    entry, words = facts.hipify.get(name), facts.words(area)
    if entry and entry.name and set(WORD.findall(entry.name)) <= words:
        return entry.name
    if entry and entry.supported and area in ("math", "intrinsics") and entry.name == name:
        return name  # The compiler's own headers declare it.
    made = re.fullmatch(r"make_(\w+\d)", name)
    if made and made[1] in words:
        return name  # HIP's headers form the names of these functions by macros and do not contain the full names.
    if area == "dnn" or (entry and entry.supported):
        return ""
    if area == "runtime" and re.fullmatch(r"[a-z]+\d|dim3", name) and name in words:
        return name
    return spelled(area, name, words, known)


def reason(area: str, name: str, is_macro: bool, facts: Facts, known: Knowledge) -> str:
    """Reason why ROCm has no counterpart of a CUDA name."""
    if name in known.other_meaning:
        return known.other_meaning[name]
    for pattern, why in known.reasons.get(area, ()):
        if pattern.search(name):
            return why
    library = known.areas[area].library
    if is_macro and VERSION.search(name):
        return f"{library} counts its own versions"
    entry = facts.hipify.get(name)
    if entry and entry.supported:
        return f"HIPIFY names {entry.name}, which ROCm 6.3's headers do not have"
    if entry:
        return f"HIPIFY lists no counterpart in {library}"
    if is_macro and re.fullmatch(r"[A-Z0-9_]+|__\w+", name):
        return "a macro of NVIDIA's own headers"
    return f"neither HIPIFY nor ROCm 6.3's headers have a counterpart in {library}"


def decide(area: str, name: str, names: Inventory, facts: Facts, known: Knowledge) -> Decision:
    """Decision about a name of an API area."""
    is_macro = name in names.macros
    spaces = [space for space in names.namespaces_of.get(name, ()) if space in known.namespaces]
    new, why = rocm_name(area, name, facts, known), ""
    if not new and spaces and area != "cub" and known.is_proper(name):
        why = known.namespaces[spaces[0]]
    elif not new and (not spaces or known.is_proper(name)):
        why = reason(area, name, is_macro, facts, known)
    return Decision(name, is_macro, spaces, new, why)


def rules_of(decisions: Sequence[Decision], known: Knowledge) -> list[dict[str, Any]]:
    """Rules of one table, in this order: names with a ROCm name, ordinary words, unsupported names grouped by
    reason."""
    rules: list[dict[str, Any]] = []
    for is_macro in (False, True):
        found = [d for d in decisions if d.new and d.is_macro is is_macro]
        renamed = {d.name: d.new for d in found if d.new != d.name}
        same = [d.name for d in found if d.new == d.name]
        rules += [{"names": names, **_where(is_macro)} for names in (renamed, same) if names]
    if common := [d.name for d in decisions if not d.new and not d.why]:
        note = "ordinary words, which stay; the members of CUDA's namespaces have rules below"
        rules.append({"names": common, "note": note})
    missing: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for d in decisions:
        if d.why:
            missing[d.why, d.is_macro].append(d.name)
    for (why, is_macro), lacking in sorted(missing.items()):
        status = {"status": "unsupported", "note": why}
        rules.append({"names": lacking, **status, **_where(is_macro)})
    for d in decisions:
        rules += _chains(d, known)
    return rules


def _where(is_macro: bool) -> dict[str, list[str]]:
    return {"in": ["code", "condition"]} if is_macro else {}


def _chains(decision: Decision, known: Knowledge) -> Iterable[dict[str, str]]:
    """Yield `qualified` rules about a name in namespaces.

    A name that hipCUB has unchanged gets a rule for the namespace `cub`. An ordinary word that ROCm lacks gets one rule
    for each of its namespaces.
    """
    name = decision.name
    if decision.new == name and "cub" in decision.namespaces:
        yield {"qualified": f"cub::{name}", "replace": f"::hipcub::{name}"}
    if not decision.new and not decision.why:
        for space in decision.namespaces:
            note = known.namespaces[space]
            yield {"qualified": f"{space}::{name}", "status": "unsupported", "note": note}


def tables(
    facts: Facts, names: Inventory, hand: frozenset[str], known: Knowledge
) -> dict[str, layout.Table]:
    """Maps an API area to its table. `hand` is the set of names about which hand-written rules decide."""
    made: dict[str, layout.Table] = {}
    for area, found in wanted(names, facts, known).items():
        decisions = [decide(area, name, names, facts, known) for name in sorted(found - hand)]
        rules = [rule for rule in rules_of(decisions, known) if rule.get("qualified") not in hand]
        made[area] = {"area": area, "source": facts.source(area), "rules": rules}
    return made


def summary(table: layout.Table) -> str:
    """Line with the numbers of supported and unsupported names in a table."""
    bulk = [rule for rule in table["rules"] if "names" in rule]
    unsupported = sum(len(rule["names"]) for rule in bulk if "status" in rule)
    supported = sum(len(rule["names"]) for rule in bulk) - unsupported
    return f"{table['area']}: {supported} supported, {unsupported} unsupported"


def make(options: argparse.Namespace) -> int:
    """Make the tables, and write them or compare them with the committed ones. Returns the exit code."""
    known = hip_knowledge.read(KNOWLEDGE)
    names = inventory.read(options.mappings)
    folder = options.mappings / "hip"
    headers = {area: found.headers for area, found in known.areas.items()}
    facts = Facts(options.rocm, headers)
    made = tables(facts, names, by_hand.read(folder).names, known)
    if not options.check:
        print("\n".join(map(summary, made.values())), file=sys.stderr)
    texts = {f"{area}.json": layout.text_of(table) for area, table in made.items()}
    return command.deliver(folder / "tables", texts, check=options.check)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = command.Parser(__doc__)
    parser.add_argument(
        "rocm",
        type=Path,
        metavar="ROCM",
        help="folder with clones of the projects: HIPIFY, HIP ...",
    )
    parser.add_mappings()
    return command.run(make, parser, arguments)


if __name__ == "__main__":
    sys.exit(main())
