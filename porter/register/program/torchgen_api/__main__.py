"""Command line of the program.

    PYTHONPATH=<folder that contains torchgen_api> python -BP -m torchgen_api COMMAND ROOT OUT GIVEN

ROOT is the folder that contains `torchgen/`. The program writes JSON to the file OUT. Commands, with GIVEN:

- catalogue NATIVE: the fields of `porter.model.ops.Catalogue`. NATIVE is the folder that contains
  native_functions.yaml and tags.yaml.
- signatures SCHEMAS: for every text in the JSON list SCHEMAS, the fields of `porter.model.custom_ops.Signature`, or
  `{"error": text}`.
- replaced KERNELS: for every operator in the JSON file KERNELS, the fields of `porter.model.custom_ops.OverloadForms`
  and, if the entry names a kernel, of `Wrapped`; or `{"error": text, "help": text}`.
- declarations NATIVE: a list of the fields of `porter.model.ops.DeclaredOperator`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .catalogue import catalogue
from .declarations import declarations
from .release import Torchgen
from .replaced import replaced
from .signatures import signatures


def main(command: str, root: str, out: str, given: str) -> None:
    """Run a command with the torchgen in `root`, and write the result to the file `out`."""
    if command == "catalogue":
        said: Any = catalogue(Torchgen(Path(root)), Path(given))
    elif command == "signatures":
        said = signatures(Path(root), json.loads(Path(given).read_text(encoding="utf-8")))
    elif command == "declarations":
        said = list(declarations(Torchgen(Path(root)), Path(given)))
    else:
        said = replaced(Torchgen(Path(root)), json.loads(Path(given).read_text(encoding="utf-8")))
    Path(out).write_text(json.dumps(said, indent=0), encoding="utf-8")


main(*sys.argv[1:])
