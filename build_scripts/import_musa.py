"""Which names of CUDA the MUSA SDK has: `mappings/musa/tables/*.json`, from the vendor's sources.

    python build_scripts/import_musa.py SOURCES            # write the tables
    python build_scripts/import_musa.py SOURCES --check    # write nothing, exit 1 if one differs

SOURCES is a folder that holds a checkout of each project of `PROJECTS` at the commit named there,
under the project's own name (`SOURCES/torch_musa`, ...). Only names are taken from them.

A name of the CUDA inventory is decided by the first of these that speaks of it:

1. a rule in `mappings/musa/*.yaml`: the name stays out of the tables;
2. the table of the vendor's own porting tool: supported, under the name given there;
3. for libraries that this table leaves out: the vendor's port of them (cub, thrust), or calls of
   its counterpart (NCCL);
4. for names that carry no vendor's word and so need no renaming: the table names the compiler's own
   function behind it (`__nv_cosf` for `cosf`), or sources written for MUSA use it: supported as is;
5. unsupported, and the note says where it is absent.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INVENTORY = ROOT / "mappings" / "cuda" / "inventory.json"
MUSA = ROOT / "mappings" / "musa"

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
"""Repositories of github.com/MooreThreads -> the commit the facts were read at."""

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
"""Project -> the folder of it that is compiled for MUSA."""

TABLE = "torch_musa/utils/mapping/general.json"
"""In torch_musa: the table of the vendor's porting tool, CUDA name -> MUSA name."""

BY_TABLE = (
    "driver", "runtime", "blas", "blaslt", "rand", "rand_device", "fft", "sparse", "solver",
    "cupti", "math", "intrinsics",
)  # fmt: skip
"""Areas that the vendor's table covers. Libraries that MUSA has no counterpart of need no table."""

PORTS = {"cub": ("muAlg", "cub", "cub 1.12.1"), "thrust": ("muThrust", "thrust", "thrust 1.12.1")}
"""Area -> the vendor's port of that library, its folder of headers, what it was made from."""

CALLED = {"nccl": ("torch_musa", "paddle_musa")}
"""Area without a table -> the projects whose calls show what the vendor's library has."""

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
"""What the vendor writes in place of a prefix, the longest first where two begin alike."""

SUFFIXES = (".cu", ".cuh", ".mu", ".muh", ".h", ".hpp", ".inl", ".cpp", ".cc")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
NAMES_MUSA = re.compile(r"\bmusa|\bMUSA|__musa|\bmu(?:blas|fft|dnn|rand|sparse|solver|pti)|\bmccl")
VENDOR_WORD = re.compile(
    r"(?i:cuda|cupti|nccl|cublas|cusparse|cusolver|cufft|curand|cubin|nvvm)"
    r"|^_*(?:cu[A-Z0-9]|CU|nv|NV)|^cuuint|_cu[A-Z]"
)
"""Finds a name that the vendor cannot take over as it is."""

# How a YAML rule names identifiers: `- name: X`, `- macro: X`, `- family: X`, `- names: [...]`.
YAML_NAME = re.compile(r"^ *- (?:name|macro): (\w+)", re.M)
YAML_FAMILY = re.compile(r"^ *- family: (\S+)$", re.M)
YAML_NAMES = re.compile(r"^ *- names: ([\[{].*?[\]}])$", re.M | re.S)


@dataclass(frozen=True)
class Facts:
    """What the vendor's sources say."""

    table: Mapping[str, str]
    """CUDA name -> MUSA name, by the vendor's porting tool."""
    words: Mapping[str, frozenset[str]]
    """Project -> identifiers in those of its sources that are written for MUSA."""


@dataclass
class Area:
    """The names of one area, decided."""

    supported: dict[str, str] = field(default_factory=dict)
    """CUDA name -> MUSA name."""
    unsupported: dict[str, list[str]] = field(default_factory=dict)
    """Reason -> names."""


def words_of(folder: Path, skip: str = "") -> frozenset[str]:
    """Identifiers in the C++ sources below `folder`, those left out that do not speak of MUSA."""
    words: set[str] = set()
    for path in sorted(folder.rglob("*")):
        if path.suffix not in SUFFIXES or not path.is_file() or (skip and skip in path.as_posix()):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.suffix in (".mu", ".muh") or NAMES_MUSA.search(text):
            words.update(WORD.findall(COMMENT_OR_STRING.sub(" ", text)))
    return frozenset(words)


def headers_of(folder: Path) -> frozenset[str]:
    """Identifiers in all headers below `folder`, except the CUDA back end that a port keeps."""
    words: set[str] = set()
    for path in sorted(folder.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file() and "/system/cuda/" not in path.as_posix():
            text = path.read_text(encoding="utf-8", errors="replace")
            words.update(WORD.findall(COMMENT_OR_STRING.sub(" ", text)))
    return frozenset(words)


def read_facts(sources: Path) -> Facts:
    """All facts; exits with a message when a project is not there."""
    missing = [name for name in PROJECTS if not (sources / name).is_dir()]
    if missing:
        sys.exit(f"error: {sources} lacks {', '.join(missing)}")
    table = json.loads((sources / "torch_musa" / TABLE).read_text(encoding="utf-8"))
    words = {
        name: words_of(sources / name / folder, skip="/system/cuda/")
        for name, folder in SOURCES_OF_CALLS.items()
    }
    return Facts(table, words)


@dataclass(frozen=True)
class ByHand:
    """What the YAML files of the target decide."""

    names: frozenset[str]
    families: tuple[re.Pattern[str], ...]

    def __contains__(self, name: str) -> bool:
        return name in self.names or any(family.fullmatch(name) for family in self.families)


def decided_by_hand(folder: Path) -> ByHand:
    """Names and families that a rule in one of the folder's YAML files decides."""
    names: set[str] = set()
    families: list[re.Pattern[str]] = []
    for path in sorted(folder.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        names.update(YAML_NAME.findall(text))
        families.extend(map(re.compile, YAML_FAMILY.findall(text)))
        for block in YAML_NAMES.findall(text):
            plain = re.sub(r"#[^\n]*", "", block)
            keys = re.findall(r"(\w+):", plain) if plain.startswith("{") else WORD.findall(plain)
            names.update(keys)
    return ByHand(frozenset(names), tuple(families))


def renamed(name: str) -> str | None:
    """The name under the vendor's prefix; None when it has no prefix that the vendor replaces."""
    for old, new in PREFIXES:
        if name.startswith(old):
            return new + name[len(old) :]
    return None


def project(name: str) -> str:
    """A project and the commit its facts are of."""
    return f"{name} {PROJECTS[name]}"


def decide(
    area: str, names: Iterable[str], namespaced: frozenset[str], facts: Facts, sources: Path
) -> Area:
    """Each name of an area: what it becomes, or why it is unsupported.

    A word of `namespaced` is CUDA's only under its namespace, so its use alone shows nothing.
    """
    decided = Area()
    used = frozenset().union(*facts.words.values())
    port = headers_of(sources / PORTS[area][0] / PORTS[area][1]) if area in PORTS else frozenset()
    calls = frozenset().union(*(facts.words[name] for name in CALLED.get(area, ())))

    def unsupported(name: str, reason: str) -> None:
        decided.unsupported.setdefault(reason, []).append(name)

    for name in sorted(names):
        neutral = not VENDOR_WORD.search(name)
        builtin = f"__nv_{name.lstrip('_')}"
        shown = builtin in facts.table or (name in used and name not in namespaced)
        new = renamed(name)
        if area in PORTS:
            port_name, _, origin = PORTS[area]
            if name in port:
                decided.supported[name] = name
            else:
                unsupported(
                    name, f"absent from {project(port_name)}, the vendor's port of {origin}"
                )
        elif area in CALLED:
            if new and new in calls:
                decided.supported[name] = new
            else:
                where = " or ".join(map(project, CALLED[area]))
                unsupported(name, f"no call of it in {where}, and the vendor's table has no NCCL")
        elif name in facts.table:
            decided.supported[name] = facts.table[name]
        elif neutral and shown:
            decided.supported[name] = name
        elif neutral:
            unsupported(name, "no public source of the vendor shows it")
        else:
            unsupported(name, f"absent from the vendor's table ({project('torch_musa')})")
    return decided


def rules_of(area: Area) -> list[dict[str, object]]:
    """An area as rules: one list of names for each prefix that is replaced, then the rest."""
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
    """Where the facts of an area's table come from."""
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
    """A table as JSON, one name a line."""
    table = {"area": area, "source": source_of(area), "rules": rules}
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def tables(sources: Path) -> dict[str, str]:
    """File name -> text, for every area that has names left which no YAML rule decides."""
    inventory = json.loads(INVENTORY.read_text(encoding="utf-8"))
    namespaced = frozenset(name for names in inventory["namespaces"].values() for name in names)
    facts = read_facts(sources)
    by_hand = decided_by_hand(MUSA)
    made = {}
    for area in (*BY_TABLE, *PORTS, *CALLED):
        kinds: dict[str, list[str]] = inventory["areas"][area]
        names = {name for names in kinds.values() for name in names if name not in by_hand}
        rules = rules_of(decide(area, names, namespaced, facts, sources))
        if rules:
            made[f"{area}.json"] = text_of(area, rules)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables, or compare them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sources", type=Path, help="folder with a checkout of each project")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit 1 on a difference"
    )
    options = parser.parse_args(arguments)
    folder = MUSA / "tables"
    made = tables(options.sources)
    there = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.json"))}
    if options.check:
        different = sorted(name for name in {*made, *there} if made.get(name) != there.get(name))
        for name in different:
            print(f"{name}: differs", file=sys.stderr)
        return 1 if different else 0
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(there.keys() - made.keys()):
        (folder / name).unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
