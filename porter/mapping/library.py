"""Library of mappings: porter's own folder, and a vendor's folders from `--mappings`."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import regular_files, resources
from porter.base.errors import MappingError, Problem, UsageError, did_you_mean
from porter.model import seams

LAYERS = ("cuda", "pytorch")
"""Names of the folders that contain a layer of rules for all targets."""
OWN_OPS = "ops"
"""Folder, inside a target's folder, with the target's custom operators: a project for `porter op`."""
OVERLAYS = "overlays"
"""Folder, inside a target's folder, with hand-made changes of ported files (docs/overlays.md)."""
PROFILE = "target.yaml"
_SPECIAL = {
    "cuda": frozenset(
        {"arguments.json", "inventory.json", "newer.json", "operators.json", "vendor.yaml"}
    ),
    "pytorch": frozenset(
        (
            "selection.yaml",
            "build.yaml",
            "registration.yaml",
            "releases.yaml",
            "headers.json",
            "layouts.json",
            "declared.json",
        )
    ),
}
"""Maps a layer to the names of its files that contain no rules."""
_SPECIAL_OF_TARGETS = frozenset({PROFILE, "verify.yaml"})
_ALL_SPECIAL = frozenset().union(_SPECIAL_OF_TARGETS, *_SPECIAL.values())
_NO_MAPPINGS = re.compile(
    r"\..*|.*~|.*\.(?:md|rst)|(?:LICENSE|NOTICE|COPYING|README)(?:\.txt)?|plan\.toml"
)
"""Files in a mapping folder that porter ignores: hidden files, editors' backups, documentation, and `plan.toml`, from
which the tables of simt are made."""
_TARGET = re.compile(r"[A-Za-z0-9][\w.+-]*", re.ASCII)


class _File(NamedTuple):
    """File or symbolic link in the folder of one layer."""

    layer: str
    place: Path
    parts: tuple[str, ...]
    """Parts of the path from the layer's folder."""
    is_link_to_folder: bool


def shipped() -> Path:
    """Folder of porter's own mappings: inside the wheel, or in the checkout."""
    return resources.folder("mappings")


class MappingLibrary(NamedTuple):
    """Mapping folders; a target in an earlier folder hides a target of the same name in a later folder."""

    roots: tuple[Path, ...]

    @classmethod
    def find(cls, added: Sequence[Path] = ()) -> MappingLibrary:
        """Create the library of the folders `added` and porter's own folder. Raises UsageError for a missing folder."""
        for folder in added:
            if not folder.is_dir():
                help = "correct --mappings, PORTER_MAPPINGS or porter.toml; the folder must contain TARGET/target.yaml"
                raise UsageError("the mapping folder does not exist", str(folder), help)
        return cls((*added, shipped()))

    def targets(self) -> list[str]:
        """Names of all targets, sorted."""
        found = {
            path.parent.name
            for root in self.roots
            for path in root.glob(f"*/{PROFILE}")
            if path.parent.name not in LAYERS and _TARGET.fullmatch(path.parent.name)
        }
        return sorted(found)

    def root_of(self, target: str) -> Path:
        """Mapping folder that contains the target. Raises UsageError, with all targets, for an unknown target."""
        if _TARGET.fullmatch(target) and target not in LAYERS:
            for root in self.roots:
                if (root / target / PROFILE).is_file():
                    return root
        known = self.targets()
        help = did_you_mean(target, known) or f"known targets: {', '.join(known)}"
        raise UsageError(f"unknown target '{target}'", help=self._other_profile(target) or help)

    def _other_profile(self, target: str) -> str:
        """Help text about a profile that porter ignores because of its suffix; empty if there is none."""
        for root in self.roots if _TARGET.fullmatch(target) else ():
            for name in ("target.yml", "target.json"):
                if (place := root / target / name).is_file():
                    return f"{place} is ignored: rename it to {PROFILE}"
        return ""

    def base(self) -> Path:
        """Mapping folder that contains the layers `cuda` and `pytorch`. Raises MappingError if there is none."""
        for root in self.roots:
            if (root / "cuda").is_dir() and (root / "pytorch").is_dir():
                return root
        raise MappingError("the folder has no layers cuda/ and pytorch/", str(self.roots[-1]))

    def rule_files(self, target: str) -> list[tuple[str, Path]]:
        """List of (layer or target, file) for each rule file of a target: `cuda`, then `pytorch`, then the target."""
        return self._sorted_files(target)[0]

    def unread(self, target: str) -> list[Problem]:
        """List of problems, one for each file that looks like a mapping but is ignored by porter."""
        return self._sorted_files(target)[1]

    def _sorted_files(self, target: str) -> tuple[list[tuple[str, Path]], list[Problem]]:
        rules: list[tuple[str, Path]] = []
        problems: list[Problem] = []
        for file in self._files(target):
            if why := _why_unread(file):
                problems.append(Problem(why[0], "/".join((file.layer, *file.parts)), why[1]))
            elif file.parts[-1] not in _special(file.layer):
                rules.append((file.layer, file.place))
        return rules, problems

    def _files(self, target: str) -> Iterator[_File]:
        """Files of a target's layers, without documentation, custom operators, overlays and seams."""
        base = self.base()
        folders = [(layer, base / layer) for layer in LAYERS]
        folders.append((target, self.root_of(target) / target))
        for layer, folder in folders:
            for place in sorted(_below(folder)):
                parts = place.relative_to(folder).parts
                is_no_mapping = layer not in LAYERS and parts[0] in (
                    OWN_OPS,
                    OVERLAYS,
                    seams.FOLDER,
                )
                if not is_no_mapping and not _NO_MAPPINGS.fullmatch(place.name):
                    yield _File(layer, place, parts, place.is_symlink() and place.is_dir())

    def own_ops(self, target: str) -> Path | None:
        """Folder with a target's custom operators; None when the target has none."""
        folder = self.root_of(target) / target / OWN_OPS
        return folder if folder.is_dir() else None

    def seams(self, target: str) -> dict[str, list[str]]:
        """Maps each seam of the backend to its implementations in porter's and in the target's folder, sorted."""
        places = (resources.folder("backend"), self.root_of(target) / target)
        found: dict[str, list[str]] = {seam: [] for seam in seams.DEFAULTS}
        for folder in (one for place in places for one in (place / seams.FOLDER).glob("*/*")):
            if folder.is_dir() and folder.parent.name in found:
                found[folder.parent.name].append(folder.name)
        return {seam: sorted(names) for seam, names in found.items()}

    def overlays(self, target: str) -> list[Path]:
        """Folders with overlays for a target. A mapping folder can hold overlays for a target in another mapping
        folder."""
        folders = [root / target / OVERLAYS for root in self.roots]
        return [folder for folder in folders if folder.is_dir()]

    def special(self, layer: str, name: str) -> Path:
        """Path of a file without rules (`target.yaml`, `inventory.json` ...) in the folder of a layer or target."""
        root = self.base() if layer in LAYERS else self.root_of(layer)
        return root / layer / name

    def digest(self, target: str) -> str:
        """sha256 of the names and bytes of all files that determine a target's rule set and its checks.

        Raises MappingError for an unreadable file.
        """
        total = hashlib.sha256()
        special = [
            self.special("cuda", "inventory.json"),
            self.special("cuda", "vendor.yaml"),
            self.special("pytorch", "selection.yaml"),
            self.special(target, PROFILE),
        ]
        optional = (self.special("cuda", name) for name in ("newer.json", "arguments.json"))
        special += [path for path in optional if path.exists()]
        rules, unread = self._sorted_files(target)
        for layer, path in [*rules, *(("", path) for path in special)]:
            total.update(f"{layer}/{path.name}\0".encode("utf-8", "surrogateescape"))
            try:
                total.update(hashlib.sha256(regular_files.read_bytes(path)).digest())
            except OSError as error:
                raise MappingError(f"cannot be read: {error.strerror}", str(path)) from None
        total.update(f"{self.seams(target)}\0".encode("utf-8", "surrogateescape"))
        for problem in unread:
            total.update(f"{problem}\0".encode("utf-8", "surrogateescape"))
        return total.hexdigest()


def _below(folder: Path) -> Iterator[Path]:
    """Files in a folder and its subfolders, with folders that have a mapping's suffix, and links to folders."""

    def stop(error: OSError) -> None:
        raise MappingError(f"cannot be read: {error.strerror}", str(error.filename))

    for parent, folders, files in os.walk(folder, onerror=stop):
        folders[:] = [name for name in folders if not name.startswith(".")]
        odd = [
            name
            for name in folders
            if name.endswith((".yaml", ".json")) or os.path.islink(f"{parent}/{name}")  # noqa: PTH114
        ]
        yield from (Path(parent, name) for name in (*files, *odd))


def _special(layer: str) -> frozenset[str]:
    return _SPECIAL.get(layer, _SPECIAL_OF_TARGETS)


def _why_unread(file: _File) -> tuple[str, str] | None:
    """Problem, with advice, for a file that porter ignores; None for a file that porter reads."""
    name = file.parts[-1]
    if file.is_link_to_folder:
        return "is a link to a folder, which porter does not follow", "copy the files to this place"
    if name in _ALL_SPECIAL:
        return _why_special_is_unread(file)
    if name.endswith((".yaml", ".json")):
        return None
    stem, _, suffix = name.rpartition(".")
    help = "move it out of the mapping folder, or give documentation the suffix .md"
    if suffix.lower() in ("yaml", "yml", "json"):
        help = f"rename it to {stem}.{'json' if suffix.lower() == 'json' else 'yaml'}"
    return "is ignored: names of mappings end in .yaml or .json", help


def _why_special_is_unread(file: _File) -> tuple[str, str] | None:
    """Problem, with advice, for a special file in the wrong folder; None if the folder is right.

    porter reads a special file (`_ALL_SPECIAL`) only at the top of the layer to which its name belongs.
    """
    name = file.parts[-1]
    if name not in _special(file.layer):
        owner = next((f"layer {layer}/" for layer, names in _SPECIAL.items() if name in names), "")
        text = f"is valid in the {owner or 'folder of a target'} only"
        return text, "remove it, or give it another name"
    if len(file.parts) > 1:
        return "is valid at the top of its layer only", f"move it to {file.layer}/{name}"
    return None
