"""Writes the table of the numbers of arguments of CUDA 12.4's functions: `mappings/cuda/arguments.json`.

    python build_scripts/cuda_arguments.py                  # pip downloads the wheels, 2 GB
    python build_scripts/cuda_arguments.py --wheels DIR     # use the wheels in DIR
    python build_scripts/cuda_arguments.py --headers DIR    # use the unpacked headers in DIR
    python build_scripts/cuda_arguments.py --check          # only compare, exit 1 on a difference

The table maps numbers of arguments to functions: the functions under "3 4" accept three or four arguments, because
they are overloaded or because a parameter has a default value. The table contains global functions and macros whose
names are in `mappings/cuda/inventory.json`. It omits functions that accept any number of arguments, and functions in
namespaces.

The headers and the preprocessor settings are those of `cuda_inventory.py`. The script needs `libclang` from PyPI and
the headers of a C++ compiler (`g++`). It takes about a minute.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cuda_inventory import add_sources, unpacked
from mapping_tables import command, cuda_headers, inventory
from mapping_tables.argument_counts import ArgumentCounts
from mapping_tables.cuda_rules import RULES
from mapping_tables.cuda_wheels import Headers

TABLE = command.MAPPINGS / "cuda" / "arguments.json"


def table_of(counts: ArgumentCounts, names: Sequence[str]) -> dict[str, Any]:
    """Content of arguments.json for the given names of CUDA."""
    functions: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
    for name in sorted(set(names)):
        if numbers := counts.of(name):
            functions[tuple(sorted(numbers))].append(name)
    return {
        "schema": 1,
        "cuda": RULES["cuda"],
        "source": RULES["pins"],
        "functions": {" ".join(map(str, key)): functions[key] for key in sorted(functions)},
    }


def make(options: argparse.Namespace) -> int:
    """Make the table, and write it or compare it with the committed one. Returns the exit code."""
    cuda_headers.require()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        headers = Headers.under(options.headers or unpacked(options.wheels, scratch))
        counts = ArgumentCounts(headers.header_of_file)
        for unit in cuda_headers.parsed_units(headers, scratch / "stubs"):
            counts.add(unit)
        table = table_of(counts, list(inventory.read(command.MAPPINGS).area_of))
    code = command.deliver_file(
        options.out, json.dumps(table, indent=1) + "\n", check=options.check
    )
    if not options.check:
        print(f"{sum(map(len, table['functions'].values()))} functions and macros")
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = command.Parser(__doc__)
    add_sources(parser)
    parser.add_argument(
        "--out",
        type=Path,
        default=TABLE,
        metavar="FILE",
        help="default: mappings/cuda/arguments.json",
    )
    return command.run(make, parser, arguments)


if __name__ == "__main__":
    sys.exit(main())
