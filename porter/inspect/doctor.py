"""Check of the machine for everything that porter needs, with advice for missing parts."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import porter
from porter.base import disk_cache, probe
from porter.base.errors import MappingError, PorterError
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary, shipped
from porter.port.select import release_of, select
from porter.port.state import MANIFEST

_PORT_NEEDS = 200_000_000
"""Free bytes needed for a port of PyTorch. A port of 2.6.0 has 11 MB; a second run needs another 11 MB."""
_CACHE_NEEDS = 50_000_000
"""Free bytes needed for the disk cache."""
_CACHE_LARGE = 1_000_000_000
"""Size of the cached rule sets, in bytes, above which porter advises the user to remove them."""


class State(StrEnum):
    """State of the machine that a check found."""

    OK = "ok"
    WARN = "warn"
    """`porter run` makes a port, but a later stage fails or porter is slower."""
    FAIL = "fail"
    """`porter run` cannot work."""


@dataclass(frozen=True)
class MachineCheck:
    """Name, result and advice of one check."""

    name: str
    state: State
    text: str
    help: str = ""


def examine(
    library: MappingLibrary,
    targets: Sequence[str],
    known_releases: Sequence[str],
    *,
    out: Path,
    tree: Path | None = None,
) -> Iterator[MachineCheck]:
    """Check everything that `porter run` needs.

    The checks cover Python, tools, mappings of the targets, cache, output folder and, if given, a PyTorch source tree.
    Each folder that porter writes to is tested with a temporary file. Compiled rule sets are stored in the cache.
    """
    yield _python()
    yield _packages()
    yield _git()
    yield _compiler()
    if "simt" in targets:
        yield _conversions()
    yield _processors()
    yield _shipped()
    for target in targets:
        yield from _mappings(library, target, known_releases[-1])
    yield _place("cache", disk_cache.folder(), _CACHE_NEEDS, State.WARN, "set PORTER_CACHE")
    yield _cache_holds()
    yield _place("output", out, _PORT_NEEDS, State.FAIL, "choose another --out")
    yield from _ports(out)
    if tree:
        yield from _tree(tree, library, targets, known_releases)


def _python() -> MachineCheck:
    version = ".".join(map(str, sys.version_info[:3]))
    text = f"{version}, porter {porter.__version__}"
    return MachineCheck("python", State.OK, text)


def _packages() -> MachineCheck:
    import importlib.metadata

    import yaml

    names = ("click", "rich", "PyYAML", "pydantic")
    text = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)
    if not hasattr(yaml, "CSafeLoader"):
        help = "install PyYAML's wheel, or build PyYAML with libyaml: mappings then load four times faster"
        return MachineCheck("packages", State.WARN, f"{text}; PyYAML without libyaml", help)
    return MachineCheck("packages", State.OK, text)


def _version(command: str) -> str:
    """First line of a command's `--version` output; empty when the command does not exist."""
    path = shutil.which(command)
    if not path:
        return ""
    try:
        done = probe.ask([path, "--version"])
    except OSError:
        return path
    return (done.stdout.strip() or done.stderr.strip() or path).splitlines()[0]


def _git() -> MachineCheck:
    if version := _version("git"):
        return MachineCheck("git", State.OK, version)
    help = "install git: porter uses it to fetch releases, show differences and merge overlays"
    return MachineCheck("git", State.WARN, "not found", help)


def _compiler() -> MachineCheck:
    """Check the host's C++ compiler: `$CXX`, else the first of c++, g++ and clang++ that is installed.

    `_compiler_of` checks the compiler of a target.
    """
    asked = os.environ.get("CXX", "").split()
    for command in (asked[0] if asked else "c++", "c++", "g++", "clang++"):
        if version := _version(command):
            return MachineCheck("compiler", State.OK, version)
    help = "install g++ or clang; a port without a build needs no compiler"
    setting = f", CXX={' '.join(asked)}" if asked else ""
    return MachineCheck("compiler", State.WARN, f"no C++ compiler{setting}", help)


def _compiler_of(target: str, command: str) -> MachineCheck:
    """Check the compiler of a target: the one in `$CXX`, else the one in the target's profile."""
    name = f"compiler of {target}"
    asked = os.environ.get("CXX", "").split()
    if asked and (version := _version(asked[0])):
        return MachineCheck(name, State.OK, f"CXX={asked[0]}: {version}")
    words = command.split()
    if words and (version := _version(words[0])):
        return MachineCheck(name, State.OK, f"{command}: {version}")
    help = "for a build, install the target's SDK and add the SDK's bin/ to PATH, or set CXX"
    text = f"'{command}' is not found" if words else "the profile names no compiler"
    return MachineCheck(name, State.WARN, text, help)


def _conversions() -> MachineCheck:
    """Check the headers for porter's g++ plugin, which converts floating-point numbers to integers as CUDA does."""
    from porter.simt.compiler_plugin import headers_package, plugin_headers

    name = "plugin headers"
    command = shlex.split(os.environ.get("CXX") or "g++")
    if headers := plugin_headers(command):
        return MachineCheck(name, State.OK, str(headers))
    text = "not installed: on target simt, out-of-range conversions of float to int give the host's results"
    package = headers_package(command)
    return MachineCheck(name, State.WARN, text, f"with g++, on Debian: apt install {package}")


def _processors() -> MachineCheck:
    count = len(os.sched_getaffinity(0))
    return MachineCheck("processors", State.OK, f"{count}: default of -j, the number of processes")


def _shipped() -> MachineCheck:
    folder = shipped()
    if (folder / "cuda").is_dir() and (folder / "pytorch").is_dir():
        return MachineCheck("shipped mappings", State.OK, str(folder))
    help = "install porter again: the installation is incomplete"
    return MachineCheck("shipped mappings", State.FAIL, f"{folder} contains no mappings", help)


def _mappings(library: MappingLibrary, target: str, release: str) -> Iterator[MachineCheck]:
    name = f"target {target}"
    try:
        rules = rule_cache.rule_set(library, target, release)
    except MappingError as error:
        first = error.problems[0]
        count = f" ({len(error.problems)} problems)" if len(error.problems) > 1 else ""
        help = f"porter mapping check --target {target}"
        yield MachineCheck(name, State.FAIL, f"{first.place}: {first.text}{count}", help)
        return
    except PorterError as error:
        yield MachineCheck(name, State.FAIL, error.problems[0].text, error.problems[0].help)
        return
    text = f"{len(rules.rules)} rules, {len(rules.exact)} names for PyTorch {release}"
    yield MachineCheck(name, State.OK, text)
    yield _compiler_of(target, rules.profile.compiler)


def _place(name: str, folder: Path, needs: int, worst: State, help: str) -> MachineCheck:
    """Check that a folder (or its nearest existing parent) is writable and has `needs` bytes free.

    `worst` is the state of a failed check, `help` its advice, and `name` the name of the check.
    """
    try:
        places = (folder, *folder.absolute().parents)
        there = next((place for place in places if _is_there(place)), None)
        if there is None or not there.is_dir():
            return MachineCheck(name, worst, f"{there or folder} is not a folder", help)
    except OSError as error:
        return MachineCheck(name, worst, f"{folder} cannot be used: {error.strerror}", help)
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
        free = shutil.disk_usage(there).free
    except OSError as error:
        return MachineCheck(name, worst, f"{there} cannot be written: {error.strerror}", help)
    text = f"{folder}, {free / 1e9:.1f} GB free"
    if free < needs:
        return MachineCheck(name, worst, text, f"free {needs // 1_000_000} MB, or {help}")
    return MachineCheck(name, State.OK, text)


def _is_there(place: Path) -> bool:
    """Test whether a path exists; a broken symbolic link exists. Raises OSError for an invalid path."""
    try:
        place.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _cache_holds() -> MachineCheck:
    try:
        files = disk_cache.files(rule_cache.RULES)
        size = sum(path.stat().st_size for path in files)
    except OSError as error:
        text = f"cannot be read: {error.strerror}"
        return MachineCheck("cached rule sets", State.WARN, text, "set PORTER_CACHE")
    text = f"{len(files)}, {size / 1e6:.0f} MB"
    if size > _CACHE_LARGE:
        help = (
            f"remove {disk_cache.folder() / rule_cache.RULES.kind}; porter creates rule sets again"
        )
        return MachineCheck("cached rule sets", State.WARN, text, help)
    return MachineCheck("cached rule sets", State.OK, text)


def _ports(out: Path) -> Iterator[MachineCheck]:
    """Check an output folder for ports, and for staging folders of interrupted runs."""
    ports = sorted(path.parent for path in out.glob(f"*/*/{MANIFEST}"))
    if ports:
        text = ", ".join(port.relative_to(out).as_posix() for port in ports)
        yield MachineCheck("ports", State.OK, text)
    for left in sorted(path for end in ("staging", "previous") for path in out.glob(f"*/.*.{end}")):
        text = f"{left} belongs to a run that is active or was killed"
        help = "wait for the run, or run porter again with the same --out, which removes the folder"
        yield MachineCheck("ports", State.WARN, text, help)


def _tree(
    tree: Path, library: MappingLibrary, targets: Sequence[str], known: Sequence[str]
) -> Iterator[MachineCheck]:
    try:
        release = release_of(tree)
    except PorterError as error:
        first = error.problems[0]
        yield MachineCheck("pytorch", State.FAIL, f"{tree}: {first.text}", first.help)
        return
    if release in known:
        yield MachineCheck("pytorch", State.OK, f"{release} at {tree}")
    else:
        text = f"{release} at {tree} is not a known release ({', '.join(known)})"
        help = "check the report of the port: porter uses the newest rules"
        yield MachineCheck("pytorch", State.WARN, text, help)
    for target in targets:
        yield _selected(f"selection for {target}", tree, library, target, release)


def _selected(
    name: str, tree: Path, library: MappingLibrary, target: str, release: str
) -> MachineCheck:
    try:
        chosen = select(tree, rule_cache.rule_set(library, target, release).selection)
    except MappingError:
        return MachineCheck(name, State.WARN, "unknown, because the mappings are malformed")
    except PorterError as error:
        first = error.problems[0]
        return MachineCheck(name, State.FAIL, str(first).removeprefix("error: "), first.help)
    return MachineCheck(name, State.OK, f"{len(chosen)} files")
