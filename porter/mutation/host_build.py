"""Compilation of the ports of mutants, in the folder of a build on the host, against the facade of the vendor's SDK."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from porter.base import fs
from porter.base.errors import PorterError, SourceError
from porter.cpp.lex import encode
from porter.mapping.library import MappingLibrary
from porter.mapping.load import LoadedEntry
from porter.model.mutation import Mutant
from porter.model.versions import version
from porter.mutation.baseline import Baseline, baseline_of
from porter.mutation.changed_port import ChangedPort, port
from porter.mutation.mutants import mutated

COMMANDS = "build/compile_commands.json"
"""File with the compiler's commands, relative to the folder of the build."""
_MOST_UNITS = 3
"""Largest number of sources that are compiled for one mutant: it may change a header that many sources include."""
_ERROR = re.compile(r"error: (.+)")
_INCLUDED = re.compile(r'#\s*include\s*[<"]([^>"]+)[>"]')


@dataclass(frozen=True)
class HostBuild:
    """Build on the host (`porter run --on-host`). Its sources are compiled again with the change of a mutant."""

    folder: Path
    """Folder of the build: `<out>/on-host/<target>/<release>`."""
    baseline: Baseline
    """Mappings that porter derived for the build, with their port."""

    def error(self, vendor: Baseline, mutant: Mutant) -> str:
        """First error of the port or of the compiler for a mutant of the vendor's mappings `vendor`.

        Empty if the changed sources compile, or if the build does not use the rule of the mutant.
        """
        entry = self._entry(vendor.loaded.entries[mutant.entry], mutant)
        if entry is None:
            return ""
        loaded = mutated(self.baseline.loaded, mutant._replace(entry=entry))
        try:
            changed = port(self.baseline, loaded)
        except PorterError as error:
            return error.problems[0].text
        texts = self._changed_texts(changed)
        if not texts:
            return ""
        source, build = str(self.folder / "src"), self.folder / "build"
        with self._copy(texts) as copy:
            for unit in itertools.islice(self._units(texts), _MOST_UNITS):
                if message := _message(self.commands[unit], source, str(copy), build):
                    return f"{unit}: {message}"
        return ""

    @cached_property
    def commands(self) -> Mapping[str, list[str]]:
        """Maps each compiled source, as a path relative to `src`, to the compiler command and its arguments."""
        place = self.folder / COMMANDS
        try:
            entries = json.loads(place.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            help = "build the target first: porter run --on-host --until compile"
            raise SourceError("does not exist or is not JSON", str(place), help) from None
        source = self.folder / "src"
        return {
            Path(entry["file"]).relative_to(source).as_posix(): entry["arguments"]
            for entry in entries
            if Path(entry["file"]).is_relative_to(source)
        }

    def _entry(self, entry: LoadedEntry, mutant: Mutant) -> int | None:
        """Index of the entry in the build's own mappings that corresponds to `entry`, the entry of the mutant.

        None if the build does not use the rule of the mutant.
        """
        match = getattr(entry.model, entry.kind)
        for index, other in enumerate(self.baseline.loaded.entries):
            if other.kind != entry.kind or other.area != entry.area:
                continue
            if mutant.single and mutant.name in (getattr(other.model, "names", None) or ()):
                return index
            if not mutant.single and getattr(other.model, other.kind) == match:
                return index
        return None

    def _changed_texts(self, changed: ChangedPort) -> dict[str, str]:
        """Maps the ported path of each file that the mutant changes to the changed text."""
        to = {job.path: job.to for job in changed.plan.jobs}
        return {
            to[path]: made.text
            for path, made in changed.files.items()
            if made.text != self.baseline.port[path].text
        }

    @contextlib.contextmanager
    def _copy(self, texts: Mapping[str, str]) -> Iterator[Path]:
        """Context that returns a copy of `src` with the changed texts. Unchanged files are hard links if possible."""
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=".mutant-") as place:
            copy = Path(place) / "src"
            shutil.copytree(self.folder / "src", copy, copy_function=_link)
            for path, text in texts.items():
                changed = copy / path
                # The link, not the file of the build, is replaced.
                changed.unlink(missing_ok=True)
                changed.write_bytes(encode(text))
            yield copy

    def _units(self, texts: Mapping[str, str]) -> Iterator[str]:
        """Yield the changed sources in `texts`, then the sources that include a changed header."""
        changed = [path for path in sorted(texts) if path in self.commands]
        yield from changed
        headers = texts.keys() - self.commands.keys()
        users = self._users(headers) if headers else frozenset()
        yield from (unit for unit in self.commands if unit in users and unit not in changed)

    def _users(self, headers: Collection[str]) -> frozenset[str]:
        """Files of the port that include one of the headers, directly or through other headers."""
        found: set[str] = set()
        waiting = list(headers)
        while waiting:
            new = self._included_by[waiting.pop()] - found
            found |= new
            waiting += new
        return frozenset(found)

    @cached_property
    def _included_by(self) -> Mapping[str, set[str]]:
        """Maps each ported file to the files of the port that include it."""
        texts = {job.to: self.baseline.port[job.path].text for job in self.baseline.plan.jobs}
        by_name = {
            path.removeprefix(folder): path for path in texts for folder in ("", "aten/src/")
        }
        users: dict[str, set[str]] = defaultdict(set)
        for path, text in texts.items():
            for name in _INCLUDED.findall(text):
                if name in by_name:
                    users[by_name[name]].add(path)
        return users


def host_build_of(library: MappingLibrary, target: str, tree: Path, folder: Path) -> HostBuild:
    """Build on the host in `folder`, with the mappings that porter derived for it and their port.

    Raises SourceError for a folder without such a build, and the errors of the mappings and of the port stage.
    """
    mappings = folder.with_name(f"{folder.name}-sdk") / "mappings"
    if not mappings.is_dir():
        help = f"build the target first: porter run --target {target} --on-host --until compile"
        raise SourceError("is not the folder of a build on the host", str(folder), help)
    release = ".".join(map(str, version(folder.name)))
    derived = MappingLibrary((mappings.absolute(), *library.roots))
    build = HostBuild(folder.absolute(), baseline_of(derived, target, tree, release))
    # Reads the file before the first mutant is tested.
    _ = build.commands
    return build


def _link(old: str, new: str) -> None:
    fs.link_or_copy(Path(old), Path(new))


def _message(arguments: list[str], source: str, copy: str, folder: Path) -> str:
    """First error of the compiler command `arguments`, run in `folder`; empty if there is none.

    The command reads sources from the folder `copy` instead of the folder `source`.
    """
    words = [word.replace(source, copy) for word in arguments]
    if "-o" in words:
        del words[words.index("-o") : words.index("-o") + 2]
    done = subprocess.run(
        [*words, "-fsyntax-only"], check=False, capture_output=True, text=True, cwd=folder
    )
    if not done.returncode:
        return ""
    match = _ERROR.search(done.stderr)
    return match[1] if match else f"the compiler ended with exit code {done.returncode}"
