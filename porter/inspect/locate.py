"""Finds the upstream text behind a path upstream, a path in a port, or any file on disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from porter.base import regular_files
from porter.base.errors import SourceError, UsageError
from porter.base.globs import matches
from porter.cpp.lex import decode
from porter.model.manifest import Manifest, PortedFile
from porter.model.project import PathNaming
from porter.model.rules import RuleSet
from porter.port.project import PORTED, Moves, renamed
from porter.port.select import release_of, select
from porter.port.stage import plan_of
from porter.port.state import MANIFEST, PortState
from porter.rewrite.kinds import include
from porter.rewrite.kinds import path as path_rules
from porter.rewrite.source import Source


@dataclass(frozen=True)
class Located:
    """A file, where its upstream text is, and what it was or will be ported with."""

    root: Path
    path: str
    """Upstream path from the root."""
    release: str
    """Empty when nothing says so."""
    named_ported: bool = False
    """Whether the ported file was named, so that line numbers are the port's."""
    port: PortState | None = None
    """The port that it was found in."""
    notes: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        """The target of the port that it was found in; empty without one."""
        return self.port.manifest.target if self.port and self.port.manifest else ""

    @property
    def raw(self) -> bytes:
        """The upstream bytes. Raises SourceError when they cannot be read."""
        place = self.root / self.path
        try:
            return regular_files.read_bytes(place)
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", str(place)) from None


@dataclass
class Locator:
    """Looks in a source tree, in an output folder and on disk, and remembers where it looked."""

    target: str | None = None
    """None: any, so that the port says which."""
    tree: Path | None = None
    """PyTorch source tree."""
    out: Path | None = None
    """Output folder, as `porter run` and `porter port` take it."""
    looked: list[str] = field(default_factory=list)

    def find(self, name: str) -> Located | None:
        """The file with that name; None when it is nowhere."""
        place = Path(name)
        self.looked.append(str(place))
        if place.is_file():
            return self._on_disk(place)
        if self.tree:
            self.looked.append(str(self.tree / name))
            if (self.tree / name).is_file():
                return Located(self.tree, name, release_of(self.tree))
        if self.out:
            self.looked.append(str(self.out / (self.target or "*") / "*" / "src" / name))
        found: dict[str, Located] = {}
        for folder in self._ports():
            if located := self._in_port(folder, name):
                found.setdefault(located.target, located)
        if len(found) > 1:
            text = f"ports for {', '.join(sorted(found))} hold it"
            raise UsageError(text, name, f"give --target, such as -t {min(found)}")
        return next(iter(found.values()), None)

    def ported_name(self, name: str, rules: RuleSet) -> Located | None:
        """The file of the tree whose ported path is `name`."""
        if self.tree:
            for job in plan_of(select(self.tree, rules.selection), rules).jobs:
                if job.to == name:
                    release = release_of(self.tree)
                    return Located(self.tree, job.path, release, named_ported=True)
        return None

    def _on_disk(self, place: Path) -> Located:
        full = Path(os.path.realpath(place))
        for folder in full.parents:
            if (folder / MANIFEST).is_file() and full.is_relative_to(folder / "src"):
                found = self._in_port(folder, full.relative_to(folder / "src").as_posix())
                if found:
                    return found
            if is_tree(folder):
                return Located(folder, full.relative_to(folder).as_posix(), release_of(folder))
        return Located(full.parent, full.name, "")

    def _ports(self) -> Iterator[Path]:
        """Folders of ports under the output folder, the newest release first."""
        if self.out:
            one = self.target or "*"
            candidates = [self.out, *self.out.glob(one), *self.out.glob(f"{one}/*")]
            ports = [folder for folder in candidates if (folder / MANIFEST).is_file()]
            yield from sorted(ports, reverse=True)

    def _in_port(self, folder: Path, name: str) -> Located | None:
        previous = PortState.read(folder)
        by_new = {file.to: file for file in previous.files.values()}
        file = by_new.get(name) or previous.files.get(name)
        if not file or not previous.manifest:
            return None
        if self.target and previous.manifest.target != self.target:
            if file is not by_new.get(name):
                return None
            text = f"is of a port for {previous.manifest.target}, not for {self.target}"
            raise UsageError(text, name, f"give -t {previous.manifest.target}, or no --target")
        root = self.tree or (Path(previous.tree) if previous.tree else None)
        if root is None or not (root / file.path).is_file():
            was = f"it was {previous.tree}; " if previous.tree else ""
            help = f"{was}give the source tree with --pytorch-src"
            raise SourceError(f"the upstream file '{file.path}' is not at hand", name, help)
        notes = tuple(_changes(root / file.path, folder / "src" / file.to, file))
        release = previous.manifest.release
        return Located(root, file.path, release, name == file.to, previous, notes)


def moved_of(located: Located, rules: RuleSet) -> tuple[Mapping[str, str], str, tuple[str, ...]]:
    """How the port of the file spells includes, its path there, and why it is not selected."""
    if located.port and located.port.manifest:
        return (*_of_manifest(located.port.manifest, located.path, rules), ())
    if is_tree(located.root):
        plan = plan_of(select(located.root, rules.selection), rules)
        to = next((job.to for job in plan.jobs if job.path == located.path), "")
        notes = () if to else (f"{located.path} is not ported: {why_not(located.path, rules)}",)
        return plan.moved, to, notes
    moves = Moves(_neighbours(located, rules), rules)
    return moves, moves[located.path], ()


def why_not(path: str, rules: RuleSet) -> str:
    """Why the selection leaves an upstream file out."""
    for excluded in rules.selection.excluded:
        if matches(path, (excluded.glob,)):
            return f"{excluded.reason} ({excluded.origin})"
    return "no folder of the selection holds it (pytorch/selection.yaml)"


def is_tree(folder: Path) -> bool:
    """Whether a folder is the root of a PyTorch source tree."""
    try:
        release_of(folder)
    except SourceError:
        return False
    return True


def _of_manifest(manifest: Manifest, path: str, rules: RuleSet) -> tuple[Mapping[str, str], str]:
    files = manifest.files
    moves = {
        file.path: file.to for file in files.values() if not file.reason.startswith("copied: ")
    }
    if files[path].reason == PORTED:
        return Moves(moves.items(), rules), files[path].to
    return {**path_rules.spellings(moves.items()), **moves}, files[path].to


def _neighbours(located: Located, rules: RuleSet) -> Iterable[tuple[str, str]]:
    """A lone file and the files beside it that it includes, as `porter port` names them."""
    source = Source(located.path, decode(located.raw), rules, {})
    found = [located.path, *(path for path, _ in include.included(source))]
    for path in found:
        if (located.root / path).is_file() and ".." not in path.split("/"):
            yield path, renamed(path, rules, PathNaming.SUFFIX)[0]


def _changes(upstream: Path, ported: Path, file: PortedFile) -> Iterator[str]:
    """What has changed since the port was made."""
    for place, sha in ((upstream, file.sha_in), (ported, file.sha_out)):
        try:
            now = hashlib.sha256(regular_files.read_bytes(place)).hexdigest()
        except OSError:
            yield f"{place} cannot be read any more"
            continue
        if now != sha:
            yield f"{place} was changed after the port was made"
