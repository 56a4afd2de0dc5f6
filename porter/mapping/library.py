"""Where mappings are: the folder that ships with porter, and folders a vendor adds with `--mappings`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from porter import own_data, reading
from porter.errors import MappingError, UsageError, did_you_mean

LAYERS = ("cuda", "pytorch")
"""Folders that are no targets."""
OWN_OPS = "ops"
"""The folder, in a target's, with operators of its own: a project as `porter op` builds them."""
_NOT_RULES = {
    "inventory.json",
    "target.yaml",
    "selection.yaml",
    "build.yaml",
    "registration.yaml",
    "verify.yaml",
    "vendor.yaml",
}


def shipped() -> Path:
    """The folder of mappings that comes with porter: inside the wheel, or the checkout's own."""
    return own_data.folder("mappings")


class MappingLibrary(NamedTuple):
    """Folders of mappings; a target in an earlier folder hides one of the same name in a later."""

    roots: tuple[Path, ...]

    @classmethod
    def find(cls, added: Sequence[Path] = ()) -> MappingLibrary:
        """The vendor's folders, then porter's. Raises UsageError for one that is not there."""
        for folder in added:
            if not folder.is_dir():
                raise UsageError("no such folder of mappings", str(folder))
        return cls((*added, shipped()))

    def targets(self) -> list[str]:
        """Names of all targets, sorted."""
        found = {
            path.parent.name
            for root in self.roots
            for path in root.glob("*/target.yaml")
            if path.parent.name not in LAYERS
        }
        return sorted(found)

    def root_of(self, target: str) -> Path:
        """The folder that holds the target. Raises UsageError, with the known ones, if none does."""
        for root in self.roots:
            if (root / target / "target.yaml").is_file() and target not in LAYERS:
                return root
        known = self.targets()
        help = did_you_mean(target, known) or f"known targets: {', '.join(known)}"
        raise UsageError(f"unknown target '{target}'", help=help)

    def base(self) -> Path:
        """The folder that holds the layers `cuda` and `pytorch`."""
        for root in self.roots:
            if (root / "cuda").is_dir() and (root / "pytorch").is_dir():
                return root
        raise MappingError("the folder has no layers cuda/ and pytorch/", str(self.roots[-1]))

    def rule_files(self, target: str) -> list[tuple[str, Path]]:
        """(layer folder, file) of every file of rules of a target's rule set, in order of application."""
        base = self.base()
        folders = [(layer, base / layer) for layer in LAYERS]
        folders.append((target, self.root_of(target) / target))
        return [
            (layer, path)
            for layer, folder in folders
            for path in sorted(folder.rglob("*"))
            if path.suffix in (".yaml", ".json")
            and path.name not in _NOT_RULES
            and OWN_OPS not in path.relative_to(folder).parts
        ]

    def own_ops(self, target: str) -> Path | None:
        """The folder with a target's own operators; None where it has none."""
        folder = self.root_of(target) / target / OWN_OPS
        return folder if folder.is_dir() else None

    def special(self, layer: str, name: str) -> Path:
        """A file of a layer or target that holds no rules: `target.yaml`, `inventory.json` ..."""
        root = self.base() if layer in LAYERS else self.root_of(layer)
        return root / layer / name

    def digest(self, target: str) -> str:
        """sha256 over the names and bytes of all files a target's rule set is made of."""
        total = hashlib.sha256()
        special = [
            self.special("cuda", "inventory.json"),
            self.special("cuda", "vendor.yaml"),
            self.special("pytorch", "selection.yaml"),
            self.special(target, "target.yaml"),
        ]
        for layer, path in [*self.rule_files(target), *(("", path) for path in special)]:
            total.update(f"{layer}/{path.name}\0".encode())
            try:
                total.update(hashlib.sha256(reading.read_bytes(path)).digest())
            except OSError as error:
                raise MappingError(f"cannot be read: {error.strerror}", str(path)) from None
        return total.hexdigest()
