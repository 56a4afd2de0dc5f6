"""Command line and exit codes of the scripts that write tables.

Exit codes: 0 done, 1 a table differs from the committed one (--check), 2 usage, 3 contradictory hand-written decisions,
4 missing inputs, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from mapping_tables.errors import TableError, UsageError

MAPPINGS = Path(__file__).resolve().parent.parent.parent / "mappings"
"""Mapping folder of the checkout that contains the scripts."""


class Parser(argparse.ArgumentParser):
    """Option parser of a script. `about` is the script's docstring, which --help prints."""

    def __init__(self, about: str | None) -> None:
        super().__init__(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
        self.add_argument(
            "--check",
            action="store_true",
            help="write nothing; exit with code 1 if a table differs",
        )

    def add_mappings(self) -> None:
        """Add the option --mappings DIR."""
        self.add_argument(
            "--mappings",
            type=Path,
            default=MAPPINGS,
            metavar="DIR",
            help="mapping folder to read and write (default: mappings/ of this checkout)",
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"{self.prog} --help lists the options")


def run(
    main: Callable[[argparse.Namespace], int], parser: Parser, arguments: Sequence[str] | None
) -> int:
    """Call `main` with the arguments. Returns its exit code, or the exit code of the error that it raised."""
    try:
        code = main(parser.parse_args(arguments))
        sys.stdout.flush()
        return code
    except TableError as error:
        print(error.told, file=sys.stderr)
        return error.code
    except BrokenPipeError:
        # The reader of the output, for example `head`, has exited. This is not an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"error: {place}{error.strerror or error}", file=sys.stderr)
        return TableError.code
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130


def deliver(folder: Path, tables: Mapping[str, str], *, check: bool) -> int:
    """Write tables into a folder, and remove the folder's other `.json` files. Returns the exit code.

    `tables` maps file names to texts. If `check` is True, the tables are only compared with the files. The exit code is
    then 1 if a table differs, is missing or is obsolete; stderr names each such table.
    """
    present = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.json")}
    differing = sorted(
        name for name in {*tables, *present} if tables.get(name) != present.get(name)
    )
    if check:
        for name in differing:
            print(f"{name}: differs", file=sys.stderr)
        return int(bool(differing))
    folder.mkdir(parents=True, exist_ok=True)
    for name in differing:
        if name in tables:
            (folder / name).write_text(tables[name], encoding="utf-8")
        else:
            (folder / name).unlink()
    return 0


def deliver_file(path: Path, text: str, *, check: bool) -> int:
    """Write a table that was made from headers to `path`. Returns the exit code.

    If `check` is True, the text is only compared with the file. The exit code is then 1 if they differ or if the file
    is missing; stderr names the file.
    """
    if not check:
        path.write_text(text, encoding="utf-8")
        return 0
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return 0
    print(f"{path} differs from the headers", file=sys.stderr)
    return 1
