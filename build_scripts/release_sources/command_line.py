"""Command line of `fetch_release`: options, and the printed result."""

from __future__ import annotations

import argparse
import dataclasses
import errno
import json
import os
import re
import sys
import tempfile
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from release_sources import cache
from release_sources.checkout import is_git, standing, version_of
from release_sources.debian import Debian
from release_sources.errors import FetchError, UsageError
from release_sources.git import UPSTREAM, Git
from release_sources.source import Source, ask, describe, numbers
from release_sources.terminal import say, tell
from release_sources.wheel import Wheel

PROJECT = Path(__file__).resolve().parent.parent.parent


def main(about: str, argv: Sequence[str] | None = None) -> int:
    """Run the program and return the exit code. `about` is the program's description for --help."""

    def answer() -> str:
        args = parse(about, argv)
        return list_releases(args) if args.list else fetch(args)

    return print_answer(
        answer, "free about 200 MB for a release, or use another folder with --cache DIR"
    )


def print_answer(answer: Callable[[], str], disk_full: str) -> int:
    """Print the result of `answer` on stdout, or its error on stderr. Returns the exit code.

    `disk_full` is the advice to print if the disk is full.
    """
    try:
        print(answer(), flush=True)
        return 0
    except FetchError as error:
        failure = error
    except KeyboardInterrupt:
        say("interrupted")
        return 130
    except BrokenPipeError:
        # The reader of the output, for example `head`, has exited. This is not an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        reason = f"{place}{error.strerror or error}"
        failure = FetchError(reason, disk_full if error.errno == errno.ENOSPC else "")
    tell(failure)
    return failure.code


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"{self.prog} --help lists the options")


def parse(about: str, argv: Sequence[str] | None) -> argparse.Namespace:
    """Parsed and checked arguments. Raises UsageError for invalid arguments."""
    first, _, rest = about.partition("\n\n")
    parser = Parser(
        prog="fetch_release",
        description=first,
        epilog=textwrap.dedent(rest),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("release", nargs="?", help="release of PyTorch, such as 2.6.0")
    add(
        "--from-checkout",
        type=Path,
        metavar="DIR",
        help="use this source tree or git checkout of PyTorch",
    )
    sources = ("auto", "checkout", "git", "debian", "wheel")
    add(
        "--source",
        "--from",
        choices=sources,
        default="auto",
        help="kind of the source to use; default: auto",
    )
    add(
        "--git",
        metavar="URL_OR_PATH",
        help=f"git repository with PyTorch's tags; default: {UPSTREAM}",
    )
    add("--cache", type=Path, metavar="DIR", help="default: $PORTER_CACHE, else ~/.cache/porter")
    add("--list", action="store_true", help="list the available releases and their sources")
    add("--json", action="store_true", help="print one JSON document instead of lines")
    args = parser.parse_args(argv)
    if not args.list and not args.release:
        parser.error("a release is required, such as 2.6.0")
    args.release = (args.release or "").removeprefix("v")
    if args.release and not re.fullmatch(r"\d+\.\d+\.\d+", args.release):
        parser.error(f"{args.release!r} is not a release such as 2.6.0")
    if args.from_checkout and not args.from_checkout.is_dir():
        parser.error(f"--from-checkout {args.from_checkout}: no such folder")
    if args.source == "checkout" and not args.from_checkout:
        parser.error("--source checkout needs --from-checkout DIR")
    if args.from_checkout and args.source not in ("auto", "checkout"):
        parser.error(f"--from-checkout and --source {args.source} exclude each other")
    if args.git and args.source not in ("auto", "git"):
        parser.error(f"--git and --source {args.source} exclude each other")
    args.cache = cache_folder(args.cache)
    return args


def cache_folder(named: Path | None) -> Path:
    """Folder for fetched trees. Raises UsageError if the folder is inside this project's checkout."""
    xdg = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(named or os.environ.get("PORTER_CACHE") or xdg / "porter").resolve()
    if folder.is_relative_to(PROJECT):
        message = f"the cache {folder} is inside the checkout of this project"
        raise UsageError(message, "name a folder outside with --cache DIR or $PORTER_CACHE")
    return folder


def chosen(args: argparse.Namespace) -> tuple[list[Source], bool]:
    """Sources to try, in order, and a flag: True if cached trees from all sources are accepted.

    The flag is True if the options name no source.
    """
    named: list[Source] = []
    if args.from_checkout and is_git(args.from_checkout):
        named.append(Git(str(args.from_checkout.resolve()), kind="checkout"))
    if args.git or args.source == "git":
        url = args.git or UPSTREAM
        named.append(Git(str(Path(url).resolve()) if Path(url).is_dir() else url))
    if args.source == "debian":
        named.append(Debian())
    if args.source == "wheel":
        named.append(Wheel())
    if named or args.from_checkout:
        return named, False
    return [Debian(), Git()], True


def fetch(args: argparse.Namespace) -> str:
    """Fetch the tree of a release. Returns the text to print: the tree's path, or a JSON document about the tree."""
    sources, any_source = chosen(args)
    tree = standing(args.from_checkout.resolve(), args.release) if args.from_checkout else None
    tree = tree or cache.bring(args.release, sources, args.cache, any_source)
    fields = {"schema": 1, **dataclasses.asdict(tree)}
    return json.dumps(fields, indent=1) if args.json else tree.path


def list_releases(args: argparse.Namespace) -> str:
    """Text to print for `--list`: available releases and their sources, as lines or as a JSON document."""
    found: dict[str, list[str]] = {}
    if args.from_checkout and (version := version_of(args.from_checkout)):
        found.setdefault(version, []).append(f"checkout ({args.from_checkout}) version.txt")
    for tree in cache.all_cached(args.cache):
        found.setdefault(tree.release, []).append(f"cache ({tree.path})")
    for source in chosen(args)[0]:
        with tempfile.TemporaryDirectory() as work:
            offers, silence = ask(source, Path(work))
        if silence:
            say(f"note: {describe(source)} {silence}")
        for offer in offers:
            where = f"{describe(source)} {offer.version} {offer.where}".strip()
            found.setdefault(offer.release, []).append(where)
    if args.release:
        found = {release: where for release, where in found.items() if release == args.release}
    if not found:
        raise FetchError(f"no source has PyTorch {args.release}".rstrip())
    rows = [{"release": release, "from": found[release]} for release in sorted(found, key=numbers)]
    if args.json:
        return json.dumps({"schema": 1, "releases": rows}, indent=1)
    return "\n".join(f"{row['release']:<8} {where}" for row in rows for where in row["from"])
