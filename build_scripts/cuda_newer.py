"""Writes the table of names that CUDA releases after 12.4 introduced: `mappings/cuda/newer.json`.

    python build_scripts/cuda_newer.py                  # read the headers in NVIDIA's wheels by range requests
    python build_scripts/cuda_newer.py --headers DIR    # store the headers in DIR, and reuse headers that are there
    python build_scripts/cuda_newer.py --check          # only compare, exit 1 on a difference

`cuda_newer.toml`, in this folder, lists the releases. API areas, kinds and omitted names follow `cuda_inventory.toml`.
The table lists each name under the first release that declares the name. It omits names in
`mappings/cuda/inventory.json` and names in namespaces. The table contains only names, and no text of a header. The
script needs `libclang` from PyPI and the headers of a C++ compiler (`g++`). It takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from mapping_tables import command, cuda_headers, inventory
from mapping_tables.cuda_rules import RULES, Name, why_dropped
from mapping_tables.cuda_wheels import Headers
from mapping_tables.remote_headers import RemoteHeaders

TABLE = command.MAPPINGS / "cuda" / "newer.json"
RELEASES: dict[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)


def table_of(remote: RemoteHeaders, scratch: Path) -> dict[str, Any]:
    """Content of newer.json: the releases of each product, oldest first, each with the names that it introduced.

    A product is the CUDA toolkit, or a library with versions of its own: cuDNN, NCCL, cuSPARSELt.
    """
    known = set(inventory.read(command.MAPPINGS).area_of)
    releases = []
    for product, version, cuda, pins, headers in _releases(remote, scratch):
        declared = cuda_headers.declared(headers, scratch / "stubs", cuda)
        areas = _new_names(declared, known)
        if areas:
            releases.append(
                {"product": product, "version": version, "source": pins, "areas": areas}
            )
        count = sum(map(len, areas.values()))
        print(f"{product} {version}: {count} new names", file=sys.stderr, flush=True)
    since = {"CUDA": RULES["cuda"]}
    since |= {name: library["since"] for name, library in RELEASES["libraries"].items()}
    return {"schema": 1, "since": since, "releases": releases}


def _releases(
    remote: RemoteHeaders, scratch: Path
) -> Iterator[tuple[str, str, str, dict[str, str], Headers]]:
    """Yield (product, version, CUDA release, wheels, headers) for each release of each product, oldest first."""
    components: Mapping[str, str] = RELEASES["components"]
    roots: dict[str, Path] = {}
    cuda = ""
    for toolkit in RELEASES["toolkits"]:
        cuda = toolkit.rpartition(".")[0]
        every = remote.toolkit(toolkit)
        pins = {component: every[part] for part, component in components.items() if part in every}
        roots = {component: remote.include(pin) for component, pin in pins.items()}
        headers = Headers(roots, RELEASES["toolkit"]["units"])
        yield "CUDA", cuda, cuda, _by_project(pins.values()), headers
    for name, library in RELEASES["libraries"].items():
        for wheel in library["wheels"]:
            own = {**roots, library["component"]: remote.include(wheel["pin"])}
            headers = Headers(own, library["units"])
            yield name, wheel["version"], cuda, _by_project([wheel["pin"]]), headers


def _by_project(pins: Iterable[str]) -> dict[str, str]:
    return dict(sorted((pin.split("==")[0], pin.split("==")[1]) for pin in pins))


def _new_names(declared: Iterable[Name], known: set[str]) -> dict[str, list[str]]:
    """Maps an API area to the declared names of CUDA that are not in `known`, and adds these names to `known`."""
    order: list[str] = RULES["areas"]
    vendor, kept = _vendor_words(), re.compile(RELEASES["words"]["kept"])
    areas: dict[str, str] = {}
    for entry in declared:
        if entry.namespace or entry.name in known or why_dropped(entry):
            continue
        if not (vendor.search(entry.name) or kept.fullmatch(entry.name)):
            continue
        if entry.defined or entry.kind == "variables":
            before = areas.get(entry.name, entry.area)
            areas[entry.name] = min(before, entry.area, key=order.index)
    known.update(areas)
    found: dict[str, list[str]] = {area: [] for area in order}
    for name, area in sorted(areas.items()):
        found[area].append(name)
    return {area: names for area, names in found.items() if names}


def _vendor_words() -> re.Pattern[str]:
    words = yaml.safe_load((command.MAPPINGS / "cuda" / "vendor.yaml").read_text(encoding="utf-8"))
    return re.compile("|".join(words["words"]), re.ASCII)


def make(options: argparse.Namespace) -> int:
    """Make the table, and write it or compare it with the committed one. Returns the exit code."""
    cuda_headers.require()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        table = table_of(RemoteHeaders(options.headers or scratch / "wheels"), scratch)
    text = json.dumps(table, indent=1) + "\n"
    return command.deliver_file(options.out, text, check=options.check)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = command.Parser(__doc__)
    parser.add_argument(
        "--headers",
        type=Path,
        metavar="DIR",
        help="folder in which the headers are stored; default: a temporary folder",
    )
    parser.add_argument(
        "--out", type=Path, default=TABLE, metavar="FILE", help="default: mappings/cuda/newer.json"
    )
    return command.run(make, parser, arguments)


if __name__ == "__main__":
    sys.exit(main())
