"""Writes the table of names that CUDA 12.4's headers declare: `mappings/cuda/inventory.json`.

    python build_scripts/cuda_inventory.py                  # pip downloads the wheels, 2 GB
    python build_scripts/cuda_inventory.py --wheels DIR     # use the wheels in DIR
    python build_scripts/cuda_inventory.py --headers DIR    # use the unpacked headers in DIR
    python build_scripts/cuda_inventory.py --check          # only compare, exit 1 on a difference

The table contains the names of functions, types, enumerators, variables and macros, sorted into API areas by the rules
of `cuda_inventory.toml` in this folder. It contains no text of a header, no signatures and no fields. The script needs
`libclang` from PyPI and the headers of a C++ compiler (`g++`). It takes about a minute.

Each name is in one API area under one kind. `namespaces` maps a namespace to the names that are declared only in
namespaces: an unqualified `sort`, for example, is not Thrust's function.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mapping_tables import command, cuda_headers
from mapping_tables.cuda_rules import RULES, Name, why_dropped
from mapping_tables.cuda_wheels import Headers, download, unpack

TABLE = command.MAPPINGS / "cuda" / "inventory.json"

# A name gets one kind: the first kind in this list that one of its declarations has. Declarations outside classes have
# precedence.
KINDS = ("functions", "types", "enumerators", "variables", "macros")


def table_of(names: Iterable[Name]) -> dict[str, Any]:
    """Content of inventory.json: each name once, by API area and kind, and the names that exist only in namespaces."""
    order: list[str] = RULES["areas"]
    by_name: dict[str, list[Name]] = defaultdict(list)
    for entry in dict.fromkeys(names):
        if not why_dropped(entry):
            by_name[entry.name].append(entry)
    areas: dict[str, dict[str, list[str]]] = {area: {kind: [] for kind in KINDS} for area in order}
    namespaces: dict[str, list[str]] = defaultdict(list)
    for name, entries in sorted(by_name.items()):
        area = min(
            entries, key=lambda e: (e.namespace != "", not e.defined, order.index(e.area))
        ).area
        here = [entry for entry in entries if entry.area == area]
        kind = min((e.namespace.count("::"), KINDS.index(e.kind)) for e in here)[1]
        areas[area][KINDS[kind]].append(name)
        places = {entry.namespace for entry in entries}
        for namespace in places if "" not in places else ():
            namespaces[namespace].append(name)
    return {
        "schema": 1,
        "cuda": RULES["cuda"],
        "source": RULES["pins"],
        "areas": areas,
        "namespaces": dict(sorted(namespaces.items())),
    }


def difference(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Lines that describe the differences of two tables, one for each API area and kind of name."""
    lines = [f"{key} differs" for key in new if key != "areas" and old.get(key) != new[key]]
    for area, kinds in new["areas"].items():
        for kind, names in kinds.items():
            before, after = set(old.get("areas", {}).get(area, {}).get(kind, ())), set(names)
            for sign, changed in (("+", after - before), ("-", before - after)):
                if changed:
                    shown = ", ".join(sorted(changed)[:5]) + (", ..." if len(changed) > 5 else "")
                    lines.append(f"{area} {kind}: {sign}{len(changed)} ({shown})")
    return lines or ["only its layout differs"]


def make(options: argparse.Namespace) -> int:
    """Make the table, and write it or compare it with the committed one. Returns the exit code."""
    cuda_headers.require()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        headers = Headers.under(options.headers or unpacked(options.wheels, scratch))
        table = table_of(cuda_headers.read(headers, scratch / "stubs"))
    text = json.dumps(table, indent=1) + "\n"
    if not options.check:
        options.out.write_text(text, encoding="utf-8")
        for area, kinds in table["areas"].items():
            print(f"{area:11}", *(f"{kind} {len(names)}" for kind, names in kinds.items()))
        return 0
    old = options.out.read_text(encoding="utf-8") if options.out.exists() else "{}"
    if old == text:
        return 0
    print(f"{options.out} differs from the headers (+ new, - gone):", file=sys.stderr)
    try:
        lines = difference(json.loads(old), table)
    except ValueError:
        lines = ["it is no JSON"]
    print(*lines, sep="\n", file=sys.stderr)
    return 1


def unpacked(wheels: Path | None, scratch: Path) -> Path:
    """Folder with the unpacked headers of the wheels in a folder, or of wheels that pip downloads."""
    if wheels is None:
        wheels = scratch / "wheels"
        download(wheels)
    unpack(wheels, scratch / "headers")
    return scratch / "headers"


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Add the options --wheels DIR and --headers DIR."""
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--wheels",
        type=Path,
        metavar="DIR",
        help="folder with the pinned wheels; default: pip downloads the wheels",
    )
    source.add_argument(
        "--headers", type=Path, metavar="DIR", help="folder with the unpacked headers"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = command.Parser(__doc__)
    add_sources(parser)
    parser.add_argument(
        "--out",
        type=Path,
        default=TABLE,
        metavar="FILE",
        help="default: mappings/cuda/inventory.json",
    )
    return command.run(make, parser, arguments)


if __name__ == "__main__":
    sys.exit(main())
