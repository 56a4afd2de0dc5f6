"""Writes the tables of target musa, `mappings/musa/tables/*.json`, from the vendor's sources.

    python build_scripts/import_musa.py SOURCES            # write the tables
    python build_scripts/import_musa.py SOURCES --check    # write nothing, exit 1 if a table differs

SOURCES is a folder with a checkout of each vendor project in `PROJECTS`, at the commit in `PROJECTS`, under the
project's own name (`SOURCES/torch_musa`, ...). The script reads only names from these projects. It downloads nothing;
PyYAML is required.

For each name of CUDA's headers (`mappings/cuda/inventory.json`), the first of these cases that applies decides:

1. A rule in `mappings/musa/*.yaml` is about the name: the tables omit the name.
2. The table of the vendor's own porting tool maps the name: supported, with the MUSA name from that table.
3. The vendor's table omits the library, and the vendor's port of the library (cub, thrust) declares the name,
   or the vendor's sources call the name's counterpart (NCCL): supported.
4. The name contains no word of NVIDIA's, and the vendor's table maps the compiler's function for it (`__nv_cosf` for
   `cosf`), or sources written for MUSA use the name: supported, with the same name.
5. Otherwise the name is unsupported, and the note states which source lacks the name.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mapping_tables import by_hand, command, inventory
from mapping_tables.cpp_words import words
from mapping_tables.errors import TableError

PROJECTS = {
    "torch_musa": "8b583b3",
    "muAlg": "5ffbaa4",
    "muThrust": "5a5e676",
    "mutlass": "fde3e81",
    "kineto": "fb1e740",
    "onnxruntime-musa": "297af92",
    "paddle_musa": "67bb97f",
    "tensorflow_musa_extension": "0838943",
    "mate": "3f58cc3",
    "tilelang_musa": "dd1cce9",
}
"""Maps a repository of github.com/MooreThreads to the commit that the script reads."""

SOURCES_OF_CALLS = {
    "torch_musa": "torch_musa/csrc",
    "muAlg": "cub",
    "muThrust": "thrust",
    "mutlass": "include",
    "kineto": "libkineto",
    "onnxruntime-musa": "musa",
    "paddle_musa": "backends/musa",
    "tensorflow_musa_extension": "",
    "mate": "",
    "tilelang_musa": "",
}
"""Maps a project to its folder with sources that are compiled for MUSA."""

TABLE = "torch_musa/utils/mapping/general.json"
"""Path in torch_musa of the vendor's porting table, which maps CUDA names to MUSA names."""

BY_TABLE = (
    "driver", "runtime", "blas", "blaslt", "rand", "rand_device", "fft", "sparse", "solver",
    "cupti", "math", "intrinsics",
)  # fmt: skip
"""API areas that the vendor's porting table covers. Libraries without a counterpart in MUSA need no table."""

PORTS = {"cub": ("muAlg", "cub", "cub 1.12.1"), "thrust": ("muThrust", "thrust", "thrust 1.12.1")}
"""Maps an API area to the vendor's port of the library, as (project, header folder, ported version)."""

CALLED = {"nccl": ("torch_musa", "paddle_musa")}
"""API areas that the vendor's table lacks: maps an area to the projects whose calls show the library's names."""

PREFIXES = (
    ("CUPTI_RUNTIME_TRACE_CBID_cuda", "MUPTI_RUNTIME_TRACE_CBID_musa"),
    ("CUPTI_DRIVER_TRACE_CBID_cu", "MUPTI_DRIVER_TRACE_CBID_mu"),
    ("CUPTI_CBID_NVTX_nvtx", "MUPTI_CBID_MTTX_mttx"),
    ("make_cuda", "make_musa"), ("make_cu", "make_mu"),
    ("PFN_cuda", "PFN_musa"), ("PFN_cu", "PFN_mu"),
    ("__cuda", "__musa"), ("__CUDA", "__MUSA"), ("__curand", "__murand"), ("_curand", "_murand"),
    ("_CUFFT", "_MUFFT"), ("_CUPTI", "_MUPTI"), ("_CUDA", "_MUSA"),
    ("__nv_", "__mt_"), ("nv_", "mt_"), ("__NV_", "__MT_"), ("NV_", "MT_"),
    ("cuda", "musa"), ("CUDA", "MUSA"), ("Cuda", "Musa"),
    ("cu", "mu"), ("CU", "MU"), ("Cu", "Mu"),
    ("nccl", "mccl"), ("NCCL", "MCCL"), ("pnccl", "pmccl"), ("nv", "mt"), ("NV", "MT"),
)  # fmt: skip
"""Pairs (prefix of CUDA names, prefix of the vendor's names). The first matching pair applies: `cuda` precedes `cu`."""

SUFFIXES = (".cu", ".cuh", ".mu", ".muh", ".h", ".hpp", ".inl", ".cpp", ".cc")
CUDA_BACK_END = "/system/cuda/"
"""Text in the paths of the files that are for CUDA only, in the vendor's port of thrust."""
NAMES_MUSA = re.compile(r"\bmusa|\bMUSA|__musa|\bmu(?:blas|fft|dnn|rand|sparse|solver|pti)|\bmccl")
VENDOR_WORD = re.compile(
    r"(?i:cuda|cupti|nccl|cublas|cusparse|cusolver|cufft|curand|cubin|nvvm)"
    r"|^_*(?:cu[A-Z0-9]|CU|nv|NV)|^cuuint|_cu[A-Z]"
)
"""Regular expression for names that the vendor must rename."""


@dataclass(frozen=True)
class Facts:
    """Facts that were read from the vendor's sources."""

    table: Mapping[str, str]
    """Maps a CUDA name to a MUSA name, from the vendor's porting table."""
    words: Mapping[str, frozenset[str]]
    """Maps a project to the identifiers in its sources for MUSA."""
    ports: Mapping[str, frozenset[str]]
    """Maps an API area to the identifiers in the headers of the vendor's port of the library."""
    namespaced: frozenset[str]
    """Names that belong to CUDA only inside a namespace. An unqualified use of such a name proves nothing."""

    @property
    def used(self) -> frozenset[str]:
        """Identifiers in the MUSA sources of all projects."""
        return frozenset().union(*self.words.values())


@dataclass
class Area:
    """Decisions about the names of one API area."""

    supported: dict[str, str] = field(default_factory=dict)
    """Maps a CUDA name to the MUSA name."""
    unsupported: dict[str, list[str]] = field(default_factory=dict)
    """Maps a reason to the names that are unsupported for this reason."""

    def add(self, name: str, new: str | None, reason: str) -> None:
        """Add a name with its MUSA name `new`. If `new` is None, the name is unsupported for the given reason."""
        if new:
            self.supported[name] = new
        else:
            self.unsupported.setdefault(reason, []).append(name)


def read_facts(sources: Path, namespaced: Iterable[str]) -> Facts:
    """Read the facts of all projects. Raises TableError if a project or the vendor's porting table is missing."""
    if missing := [name for name in PROJECTS if not (sources / name).is_dir()]:
        lacking = ", ".join(f"{name} ({PROJECTS[name]})" for name in missing)
        help = "check out these commits of github.com/MooreThreads there, each under its name"
        raise TableError(f"{sources} lacks {lacking}", help)
    table = sources / "torch_musa" / TABLE
    try:
        renames = json.loads(table.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TableError(f"{table}: {error}") from None
    return Facts(
        table=renames,
        words={
            name: words_of(sources / name / folder, for_musa=True)
            for name, folder in SOURCES_OF_CALLS.items()
        },
        ports={
            area: words_of(sources / name / folder, for_musa=False)
            for area, (name, folder, _) in PORTS.items()
        },
        namespaced=frozenset(namespaced),
    )


def words_of(folder: Path, *, for_musa: bool) -> frozenset[str]:
    """Identifiers in the C++ sources of a folder and its subfolders, without files for CUDA only.

    If `for_musa` is True, only sources that mention MUSA or have a suffix of MUSA's compiler are read.
    """
    found: set[str] = set()
    for path in sorted(folder.rglob("*")):
        if path.suffix not in SUFFIXES or CUDA_BACK_END in path.as_posix() or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if not for_musa or path.suffix in (".mu", ".muh") or NAMES_MUSA.search(text):
            found |= words(text)
    return frozenset(found)


def renamed(name: str) -> str | None:
    """Name with the vendor's prefix in place of CUDA's; None if the name has no prefix that the vendor replaces."""
    for old, new in PREFIXES:
        if name.startswith(old):
            return new + name[len(old) :]
    return None


def project(name: str) -> str:
    """Name of a project, followed by the commit that the script reads."""
    return f"{name} {PROJECTS[name]}"


def decide(area: str, names: Iterable[str], facts: Facts) -> Area:
    """Decisions about names of an API area: for each name a MUSA name, or the reason why there is none."""
    if area in PORTS:
        return _by_port(area, names, facts)
    if area in CALLED:
        return _by_calls(area, names, facts)
    decided = Area()
    used = facts.used - facts.namespaced
    for name in sorted(names):
        if name in facts.table:
            decided.supported[name] = facts.table[name]
        elif VENDOR_WORD.search(name):
            reason = f"absent from the vendor's table ({project('torch_musa')})"
            decided.add(name, None, reason)
        else:
            shown = f"__nv_{name.lstrip('_')}" in facts.table or name in used
            decided.add(name, name if shown else None, "no public source of the vendor shows it")
    return decided


def _by_port(area: str, names: Iterable[str], facts: Facts) -> Area:
    name_of_port, _, origin = PORTS[area]
    reason = f"absent from {project(name_of_port)}, the vendor's port of {origin}"
    decided = Area()
    for name in sorted(names):
        decided.add(name, name if name in facts.ports[area] else None, reason)
    return decided


def _by_calls(area: str, names: Iterable[str], facts: Facts) -> Area:
    callers = CALLED[area]
    calls = frozenset().union(*(facts.words[caller] for caller in callers))
    reason = f"no call of it in {' or '.join(map(project, callers))}"
    decided = Area()
    for name in sorted(names):
        new = renamed(name)
        called = new if new in calls else None
        decided.add(name, called, f"{reason}, and the vendor's table has no NCCL")
    return decided


def rules_of(area: Area) -> list[dict[str, object]]:
    """Rules of an API area: one list of names for each replaced prefix, then all other supported names.

    The last rules are lists of unsupported names, one for each reason.
    """
    same: list[str] = []
    odd: dict[str, str] = {}
    regular: dict[tuple[str, str], list[str]] = {}
    for name, new in area.supported.items():
        pair = next(((a, b) for a, b in PREFIXES if name.startswith(a)), None)
        if new == name:
            same.append(name)
        elif pair and new == pair[1] + name[len(pair[0]) :]:
            regular.setdefault(pair, []).append(name)
        else:
            odd[name] = new
    rules: list[dict[str, object]] = [
        {"names": names, "rename": {old: new}} for (old, new), names in sorted(regular.items())
    ]
    rules.extend({"names": names} for names in (odd, same) if names)
    for reason, names in sorted(area.unsupported.items()):
        rules.append({"names": names, "status": "unsupported", "note": reason})
    return rules


def source_of(area: str) -> str:
    """Text that lists the projects from which an API area's table was made."""
    if area in PORTS:
        projects: Sequence[str] = (PORTS[area][0],)
    elif area in CALLED:
        projects = CALLED[area]
    elif area in ("math", "intrinsics", "runtime"):
        projects = tuple(PROJECTS)
    else:
        projects = ("torch_musa",)
    return "github.com/MooreThreads: " + ", ".join(map(project, projects))


def text_of(area: str, rules: list[dict[str, object]]) -> str:
    """Table of an API area as JSON, with one name on each line."""
    table = {"area": area, "source": source_of(area), "rules": rules}
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def tables(sources: Path, mappings: Path) -> dict[str, str]:
    """Maps a file name (`blas.json`) to the text of the table.

    An API area has a table if it has names that the target's YAML files do not list.
    """
    names = inventory.read(mappings)
    facts = read_facts(sources, names.namespaces_of)
    hand = by_hand.read(mappings / "musa")
    made = {}
    for area in (*BY_TABLE, *PORTS, *CALLED):
        left = [name for name in names.names(area) if name not in hand]
        if rules := rules_of(decide(area, left, facts)):
            made[f"{area}.json"] = text_of(area, rules)
    return made


def make(options: argparse.Namespace) -> int:
    """Make the tables, and write them or compare them with the committed ones. Returns the exit code."""
    made = tables(options.sources, options.mappings)
    folder = options.mappings / "musa" / "tables"
    return command.deliver(folder, made, check=options.check)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = command.Parser(__doc__)
    parser.epilog = "\n  ".join(("projects of github.com/MooreThreads:", *map(project, PROJECTS)))
    help = "folder with a checkout of each project"
    parser.add_argument("sources", type=Path, metavar="SOURCES", help=help)
    parser.add_mappings()
    return command.run(make, parser, arguments)


if __name__ == "__main__":
    sys.exit(main())
