"""Command line of `fetch_sdk`: options, and the printed result."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Sequence
from pathlib import Path

from release_sources.command_line import Parser, cache_folder, print_answer
from sdk_sources import cache, table


def main(about: str, argv: Sequence[str] | None = None) -> int:
    """Run the program and return the exit code. `about` is the program's description for --help."""

    def answer() -> str:
        args = parse(about, argv)
        sdks = table.read()
        if args.list:
            return _listed(list(sdks.values()), args.json)
        stamp = cache.bring(table.find(args.sdk, sdks), args.cache)
        return json.dumps(stamp, indent=1) if args.json else str(stamp["path"])

    return print_answer(
        answer, "free about 400 MB for an SDK, or use another folder with --cache DIR"
    )


def parse(about: str, argv: Sequence[str] | None) -> argparse.Namespace:
    """Parsed and checked arguments. Raises UsageError for invalid arguments."""
    first, _, rest = about.partition("\n\n")
    parser = Parser(
        prog="fetch_sdk",
        description=first,
        epilog=textwrap.dedent(rest),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("sdk", nargs="?", help="name of an SDK, such as rocm")
    add("--cache", type=Path, metavar="DIR", help="default: $PORTER_CACHE, else ~/.cache/porter")
    add("--list", action="store_true", help="list the known SDKs")
    add("--json", action="store_true", help="print one JSON document instead of lines")
    args = parser.parse_args(argv)
    if not args.list and not args.sdk:
        parser.error("the name of an SDK is required; --list prints the names")
    args.cache = cache_folder(args.cache)
    return args


def _listed(sdks: Sequence[table.Sdk], as_json: bool) -> str:
    if as_json:
        rows = [{"name": sdk.name, "summary": sdk.summary} for sdk in sdks]
        return json.dumps({"schema": 1, "sdks": rows}, indent=1)
    return "\n".join(f"{sdk.name:<8} {sdk.summary}" for sdk in sdks)
