"""Summary of a build on the host: contents of the target's facade, and names and rules that the build does not test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from porter.on_host.names import Facade
from porter.report.tables import Line, Table, aligned

FILE = "facade.json"
"""Name of the file with the names, headers and rules that `lines` counts."""


def lines(made: Facade, target: str, folder: Path) -> Iterator[Line]:
    """Table with the numbers of names, headers and rules, for a terminal. `folder` contains the complete lists."""
    yield Line(f"SDK of {target}, over the runtime of target simt", "bold")
    rows = (
        (str(len(made.names.aliases)), "names of the SDK, each an alias of a name of simt"),
        (
            str(len(made.names.calls)),
            "functions of the SDK whose arguments have another order than CUDA's",
        ),
        (str(len(made.names.headers)), "headers of the SDK"),
        (
            str(len(made.names.lacking)),
            f"CUDA's names that {target} lacks: the port contains them, and the facade declares them",
        ),
        (
            str(len(made.from_host)),
            "CUDA's names that no alias in the facade can implement: the port contains simt's names",
        ),
        (
            str(len(made.unused)),
            f"rules of {target} that the host does not use, such as calls, macros and launches",
        ),
    )
    yield from list(aligned(Table("", ("number", "meaning"), rows, frozenset({0}))))[1:]
    yield Line(f"complete lists: {folder / FILE}")
    yield Line("")


def document(made: Facade) -> dict[str, Any]:
    """Content of `facade.json` as plain data."""
    return {
        "schema": 1,
        "aliases": dict(made.names.aliases),
        "calls": list(made.names.calls),
        "headers": {path: list(found) for path, found in made.names.headers.items()},
        "lacking": list(made.names.lacking),
        "from_host": list(made.from_host),
        "unused_rules": list(made.unused),
    }
