"""Every port made anew and compared with its lock file: the CI job of porter's mappings.

    build_scripts/regenerate                                   all releases and targets with locks
    build_scripts/regenerate --release 2.6.0 --target musa     one of them
    build_scripts/regenerate --update                          and the locks are written anew

A lock file, generated/<target>-<release>.lock.json, holds what came out of a port: hashes, rule
hits, residue, hazards. A port that differs from its lock has drifted: by a change of the mappings,
of porter, or of upstream. Where that is meant, --update and commit the locks; they are the review.

PyTorch's sources are those that PORTER_TEST_RELEASES names (RELEASE=DIR, parted by colons), else
build_scripts/fetch_release brings them. Ports are made from nothing in a temporary folder.

Exit codes: 0 as locked (or updated), 1 drift, a missing lock or a finding of `porter run`; else
that of the first port that could not be made (2 usage, 3 mapping, 4 release or source), 130
interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.base.errors import Interrupted, PorterError, Problem, SourceError, UsageError
from porter.cli import console
from porter.cli.releases import KNOWN_RELEASES
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.drift import Drift
from porter.model.lock import to_text
from porter.model.port_output import Output
from porter.port import output
from porter.port.select import release_of
from porter.port.stage import PortSettings, port
from porter.report import diff
from porter.report.diff_text import lines, markdown_body
from porter.report.findings import findings
from porter.report.summary import summarise

PROJECT = Path(__file__).resolve().parent.parent
_SUFFIX = ".lock.json"
_SHOWN = 20
"""Rows a table shows on the terminal."""
_REPORTED = 200
"""Rows a table shows in the report: a job's summary has a limit of 1 MiB on GitHub."""


@dataclass(frozen=True)
class Result:
    """Result of one port."""

    target: str
    release: str
    state: str
    """`as locked`, `drift`, `no lock`, `layout` or `failed`."""
    made: Output | None = None
    drift: Drift | None = None
    problems: tuple[Problem, ...] = ()
    """Findings of the port, or why it could not be made."""
    code: int = 0
    """Exit code of the failure."""
    seconds: float = 0
    updated: bool = False

    @property
    def fine(self) -> bool:
        """True if there is nothing to decide."""
        return (self.state == "as locked" or self.updated) and not self.problems

    @property
    def headline(self) -> str:
        """One line on it."""
        if self.state == "drift":
            text = "differs from its lock"
            return text + ("; the lock is written anew" if self.updated else "")
        if self.state == "no lock":
            return "had no lock; one is written" if self.updated else "has no lock"
        if self.state == "layout":
            text = "is as locked, but porter lays lock files out in another way"
            return text + ("; it is written anew" if self.updated else "")
        return "could not be ported" if self.state == "failed" else self.state


@dataclass(frozen=True)
class Settings:
    """Arguments of the command line."""

    releases: Sequence[str]
    targets: Sequence[str]
    library: MappingLibrary
    locks: Path
    out: Path | None
    report: Path | None
    update: bool
    jobs: int
    trees: dict[str, Path] = field(default_factory=dict)
    """Trees that are here already, by release."""


def main(argv: Sequence[str] | None = None) -> int:
    try:
        settings = settings_of(parse(argv))
        results = list(regenerate(settings))
        if settings.report:
            settings.report.write_text(report(results, settings), encoding="utf-8")
    except PorterError as error:
        print(error, file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return Interrupted.code
    except OSError as error:
        print(f"error: {error.filename}: {error.strerror}", file=sys.stderr)
        return SourceError.code
    codes = [result.code for result in results if result.code]
    return codes[0] if codes else int(not all(result.fine for result in results))


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="regenerate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--release", action="append", default=[], metavar="R", help="such as 2.6.0")
    parser.add_argument("--target", action="append", default=[], metavar="T", help="such as simt")
    parser.add_argument("--update", action="store_true", help="write the locks anew")
    parser.add_argument("--report", type=Path, metavar="FILE.md", help="Markdown of what moved")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the ports here")
    parser.add_argument("-j", "--jobs", type=int, default=0, metavar="N", help="default: all cores")
    parser.add_argument(
        "--locks", type=Path, default=PROJECT / "generated", metavar="DIR", help="lock files"
    )
    parser.add_argument(
        "--mappings", type=Path, action="append", default=[], metavar="DIR", help="more targets"
    )
    return parser.parse_args(argv)


def settings_of(args: argparse.Namespace) -> Settings:
    """Ports to make: the given releases and targets, else every release and target with a lock file.

    Without any lock, every target for every release that porter knows.
    """
    library = MappingLibrary.find(args.mappings)
    for target in args.target:
        library.root_of(target)
    for release in args.release:
        if not re.fullmatch(r"\d+\.\d+(\.\d+)?", release):
            raise UsageError(f"'{release}' is not a release", help="such as 2.6.0")
    locked = [
        path.name.removesuffix(_SUFFIX).rpartition("-") for path in args.locks.glob(f"*{_SUFFIX}")
    ]
    releases = args.release or sorted({release for _, _, release in locked}) or KNOWN_RELEASES
    targets = args.target or sorted({target for target, _, _ in locked}) or library.targets()
    return Settings(
        releases=list(dict.fromkeys(releases)),
        targets=list(dict.fromkeys(targets)),
        library=library,
        locks=args.locks,
        out=args.out,
        report=args.report,
        update=args.update,
        jobs=args.jobs if args.jobs > 0 else len(os.sched_getaffinity(0)),
        trees=trees_named(os.environ.get("PORTER_TEST_RELEASES", "")),
    )


def trees_named(text: str) -> dict[str, Path]:
    """Release -> tree, of PORTER_TEST_RELEASES."""
    trees = {}
    for entry in filter(None, text.split(os.pathsep)):
        release, equals, place = entry.partition("=")
        if not equals or not place:
            raise UsageError(f"'{entry}' in PORTER_TEST_RELEASES", help="as 2.6.0=/path/to/pytorch")
        trees[release] = Path(place)
    return trees


def regenerate(settings: Settings) -> Iterator[Result]:
    """Make and compare the ports one by one, saying of each what came of it."""
    for release in settings.releases:
        tree: Path | None = None
        for target in settings.targets:
            started = time.perf_counter()
            try:
                tree = tree or tree_of(release, settings.trees)
                result = one(target, release, tree, settings, started)
            except Interrupted:
                raise
            except PorterError as error:
                result = Result(target, release, "failed", problems=error.problems, code=error.code)
            show(result, settings)
            yield result


def tree_of(release: str, trees: dict[str, Path]) -> Path:
    """The source tree of a release. Raises SourceError when it cannot be had, or is of another."""
    tree = trees.get(release)
    if tree is None:
        script = PROJECT / "build_scripts" / "fetch_release"
        fetched = subprocess.run(
            [sys.executable, script, release], stdout=subprocess.PIPE, text=True, check=False
        )
        if fetched.returncode:
            raise SourceError(f"PyTorch {release} cannot be had; fetch_release says why above")
        tree = Path(fetched.stdout.strip())
    found = release_of(tree)
    if found != release:
        raise SourceError(f"holds PyTorch {found}, not {release}", str(tree))
    return tree


def one(target: str, release: str, tree: Path, settings: Settings, started: float) -> Result:
    """Port one release to one target, compare it with its lock, and write that if asked to."""
    rules = rule_cache.checked_rule_set(settings.library, target, release)
    with place_for(settings.out) as place:
        folder = place / target / release
        with console.progress(f"porting {release} to {target}") as progress:
            ported = port(
                tree,
                rules,
                settings.library.digest(target),
                folder,
                PortSettings(jobs=settings.jobs, progress=progress),
            )
        made = output.read(folder)
    problems = findings(summarise(ported.manifest, rules), settings.library)
    lock = output.lock_path(settings.locks, target, release)
    text = to_text(made.lock)
    state, drift = compared(lock, made, text, unreadable_is_none=settings.update)
    updated = settings.update and state != "as locked"
    if updated:
        write(lock, text)
    seconds = time.perf_counter() - started
    return Result(
        target, release, state, made, drift, tuple(problems), seconds=seconds, updated=updated
    )


@contextlib.contextmanager
def place_for(out: Path | None) -> Iterator[Path]:
    """The folder given, or a temporary one."""
    if out:
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="porter-regenerate-") as work:
        yield Path(work)


def compared(
    lock: Path, made: Output, text: str, *, unreadable_is_none: bool
) -> tuple[str, Drift | None]:
    """State of a port against its lock file, and the drift, if any."""
    if not lock.exists():
        return "no lock", None
    try:
        drift = diff.compare(output.read(lock), made)
    except SourceError:
        if unreadable_is_none:
            return "no lock", None
        raise
    if not drift.equal:
        return "drift", drift
    return ("as locked" if lock.read_bytes() == text.encode() else "layout"), None


def write(lock: Path, text: str) -> None:
    """Write a lock file at once: killed at any moment, either the old one is there or the new."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    fresh = lock.with_name(f".{lock.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(lock)


def show(result: Result, settings: Settings) -> None:
    """Say what became of a port: what moved on stdout, what is wrong on stderr."""
    head = f"{result.target} {result.release}: {result.headline}"
    if result.made:
        head += f" ({len(result.made.lock.files)} files, {result.seconds:.1f} s)"
    print(head, flush=True)
    if result.drift:
        lock = output.lock_path(settings.locks, result.target, result.release)
        console.print_lines(lines(result.drift, (str(lock), "this port"), _SHOWN))
        print(flush=True)
    for problem in result.problems:
        print(problem, file=sys.stderr)
    if not result.fine and result.state in ("drift", "no lock", "layout") and not result.updated:
        again = f"--target {result.target} --release {result.release} --update"
        print(f"  help: where that is meant: build_scripts/regenerate {again}", file=sys.stderr)


def report(results: Sequence[Result], settings: Settings) -> str:
    """All results as Markdown."""
    out = ["# Ports and their lock files", ""]
    out += ["| target | PyTorch | files | edits | result |", "|---|---|---:|---:|---|"]
    for result in results:
        lock = result.made.lock if result.made else None
        figures = f"{len(lock.files)} | {lock.edits}" if lock else "|"
        out.append(f"| {result.target} | {result.release} | {figures} | {result.headline} |")
    for result in results:
        if result.drift is None and not result.problems:
            continue
        out += ["", f"## {result.target} {result.release}", ""]
        for problem in result.problems:
            out += ["```", str(problem), "```"]
        if result.drift:
            lock_file = output.lock_path(settings.locks, result.target, result.release).name
            out += [f"a is `{lock_file}`, b is what comes out now.", ""]
            out += markdown_body(result.drift, _REPORTED, level=3)
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.exit(main())
