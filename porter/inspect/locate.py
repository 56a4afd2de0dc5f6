"""Search for an upstream file by its path on disk, its upstream path, or the path of its ported file."""

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
from porter.model.cuda_project import PathNaming, is_source
from porter.model.manifest import Manifest, PortedFile
from porter.model.overlay import OverlayStatus
from porter.model.project_names import ProjectNames, PyTorchNames
from porter.model.rules import RuleSet
from porter.model.versions import version
from porter.port.cuda_project import PORTED, Moves, renamed
from porter.port.project_names import collect
from porter.port.select import release_of, select
from porter.port.source_tree import gather
from porter.port.stage import plan_of
from porter.port.state import MANIFEST, PortState
from porter.rewrite.kinds import include
from porter.rewrite.kinds import path as path_rules
from porter.rewrite.source import Source

_PROJECT = ("setup.py", "pyproject.toml", ".git")
"""Files and folders that a project of CUDA sources has in its root."""


@dataclass(frozen=True)
class Located:
    """Upstream file that was found for a path, with its release and its port."""

    root: Path
    """Root folder of upstream paths."""
    path: str
    """Upstream path from the root."""
    release: str
    """PyTorch release; empty when unknown."""
    named_ported: bool = False
    """True when the user gave the path of the ported file; line numbers then refer to the ported file."""
    port: PortState | None = None
    """Port that contains the file; None when the file was found in a source tree or elsewhere on disk."""
    notes: tuple[str, ...] = ()
    """Notes for the user: changes since the port was made, and overlays."""

    @property
    def target(self) -> str:
        """Target of the port in which the file was found; empty without a port."""
        return self.port.manifest.target if self.port and self.port.manifest else ""

    @property
    def raw(self) -> bytes:
        """Content of the upstream file. Raises SourceError when the file cannot be read."""
        place = self.root / self.path
        try:
            return regular_files.read_bytes(place)
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", str(place)) from None


@dataclass
class Locator:
    """Search for files in a source tree, in the ports of an output folder, and on disk."""

    target: str | None = None
    """Required target of a port; None accepts any target."""
    tree: Path | None = None
    """PyTorch source tree."""
    out: Path | None = None
    """Output folder: the argument `--out` of `porter run` and `porter port`."""
    looked: list[str] = field(default_factory=list)
    """Paths that were searched, for error messages."""

    def find(self, name: str) -> Located | None:
        """Find a file by its path on disk, its upstream path or its ported path; None when no such file exists.

        Raises UsageError when ports for several targets contain the file, or when the file belongs to a port for a
        target other than `self.target`. Raises SourceError when the upstream file of a ported file is missing.
        """
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
            text = f"ports for several targets contain this file: {', '.join(sorted(found))}"
            raise UsageError(text, name, f"give --target, for example -t {min(found)}")
        return next(iter(found.values()), None)

    def ported_name(self, name: str, rules: RuleSet) -> Located | None:
        """Find the file of the source tree whose ported path is `name`; None when no such file exists."""
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
        """Folders of ports in the output folder; newer releases come first."""
        if self.out:
            one = self.target or "*"
            candidates = [self.out, *self.out.glob(one), *self.out.glob(f"{one}/*")]
            ports = [folder for folder in candidates if (folder / MANIFEST).is_file()]
            yield from sorted(
                ports, key=lambda folder: (version(folder.name), folder), reverse=True
            )

    def _in_port(self, folder: Path, name: str) -> Located | None:
        previous = PortState.read(folder)
        by_new = {file.to: file for file in previous.files.values()}
        file = by_new.get(name) or previous.files.get(name)
        if not file or not previous.manifest:
            return None
        if self.target and previous.manifest.target != self.target:
            if file is not by_new.get(name):
                return None
            text = f"belongs to a port for {previous.manifest.target}, not for {self.target}"
            raise UsageError(text, name, f"give -t {previous.manifest.target}, or omit --target")
        root = self.tree or (Path(previous.tree) if previous.tree else None)
        if root is None or not (root / file.path).is_file():
            was = f"; the port was made from {previous.tree}" if previous.tree else ""
            help = f"give the source tree with --pytorch-src{was}"
            raise SourceError(f"the upstream file '{file.path}' cannot be found", name, help)
        notes = tuple(_changes(root / file.path, folder / "src" / file.to, file))
        if names := _overlays_of(previous, file.path):
            notes += (
                f"overlays change this file ({names}): line numbers refer to the text without overlays",
            )
        release = previous.manifest.release
        return Located(root, file.path, release, name == file.to, previous, notes)


def moved_of(located: Located, rules: RuleSet) -> tuple[Mapping[str, str], str, tuple[str, ...]]:
    """Result for a located file: new spellings of includes, ported path (empty for an unselected file), notes."""
    if located.port and located.port.manifest:
        return (*_of_manifest(located.port.manifest, located.path, rules), ())
    if is_tree(located.root):
        plan = plan_of(select(located.root, rules.selection), rules)
        to = next((job.to for job in plan.jobs if job.path == located.path), "")
        notes = () if to else (f"{located.path} is not ported: {why_not(located.path, rules)}",)
        return plan.moved, to, notes
    moves = Moves(_neighbours(located, rules), rules)
    return moves, moves[located.path], ()


def names_of(located: Located, rules: RuleSet, pytorch: PyTorchNames) -> ProjectNames | None:
    """Names that the project of a located file declares; None for a file of PyTorch.

    The project of a file outside a port is the nearest folder above it that has a build file of Python or a repository,
    else the sources beside it.
    """
    manifest = located.port.manifest if located.port else None
    if manifest:
        first = manifest.files.get(located.path)
        if not first or first.reason != PORTED:
            return None
        given = [located.root]
    elif is_tree(located.root):
        return None
    else:
        given = _project_of(located.root)
    if not given:
        return None
    try:
        project = gather(given, skip_unreadable=True)
    except SourceError:
        return None
    return collect(project, rules, pytorch)


def _project_of(folder: Path) -> list[Path]:
    for root in (folder, *folder.parents):
        if any((root / name).exists() for name in _PROJECT):
            return [root]
    try:
        return sorted(path for path in folder.iterdir() if path.is_file() and is_source(path.name))
    except OSError:
        return []


def why_not(path: str, rules: RuleSet) -> str:
    """Reason why the selection leaves out the upstream file `path`."""
    for excluded in rules.selection.excluded:
        if matches(path, (excluded.glob,)):
            return f"{excluded.reason} ({excluded.origin})"
    return "no folder of the selection (pytorch/selection.yaml) contains it"


def is_tree(folder: Path) -> bool:
    """Test whether a folder is the root of a PyTorch source tree."""
    try:
        release_of(folder)
    except SourceError:
        return False
    return True


def moves_of(manifest: Manifest, rules: RuleSet, *, project: bool) -> Mapping[str, str]:
    """Maps spellings of includes to the new paths of ported files, for the files of a port.

    `project` is True for the files of a CUDA project, and False for the files of PyTorch.
    """
    moves = {
        file.path: file.to
        for file in manifest.files.values()
        if not file.reason.startswith("copied: ")
    }
    if project:
        return Moves(moves.items(), rules)
    return {**path_rules.spellings(moves.items()), **moves}


def _of_manifest(manifest: Manifest, path: str, rules: RuleSet) -> tuple[Mapping[str, str], str]:
    file = manifest.files[path]
    return moves_of(manifest, rules, project=file.reason == PORTED), file.to


def _neighbours(located: Located, rules: RuleSet) -> Iterable[tuple[str, str]]:
    """Pairs (upstream path, ported path) of a located file and of the existing files that it includes."""
    source = Source(located.path, decode(located.raw), rules, {})
    found = [located.path, *(path for path, _ in include.included(source))]
    for path in found:
        if (located.root / path).is_file() and ".." not in path.split("/"):
            yield path, renamed(path, rules, PathNaming.SUFFIX)[0]


def _overlays_of(port: PortState, path: str) -> str:
    """Names of the overlays that change a file of a port, as a comma-separated text; empty if there are none."""
    file = port.overlays.get(path)
    uses = file.uses if file else ()
    return ", ".join(use.name for use in uses if use.status is not OverlayStatus.OUTSIDE)


def _changes(upstream: Path, ported: Path, file: PortedFile) -> Iterator[str]:
    """Notes about the upstream file and the ported file, if they were changed since the port was made."""
    for place, sha in ((upstream, file.sha_in), (ported, file.sha_out)):
        try:
            now = hashlib.sha256(regular_files.read_bytes(place)).hexdigest()
        except OSError:
            yield f"{place} cannot be read any more"
            continue
        if now != sha:
            yield f"{place} was changed after the port was made"
