"""Source tree, mapping folder and port for tests that use the overlay commands as a user does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from port_tree import RELEASE, SOURCES, make_mappings, make_tree, write
from port_tree import run as run_port

from porter.cli.main import call

PATH = "aten/src/ATen/native/cuda/Fill.cu"
UPSTREAM = "".join(f"int line{n};\n" for n in range(60))
TREE = {**SOURCES, PATH: UPSTREAM}


class Desk:
    """Source tree, mapping folder and port. `file` is the ported file that tests edit."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.tree = make_tree(root / "tree", TREE)
        self.mappings = make_mappings(root / "m")
        self.out = root / "out"
        self.capsys = capsys
        self.release = RELEASE
        assert self.run() == 0
        self.file = self.ported()

    def at(self, release: str) -> None:
        """Change the release in the tree's version.txt."""
        self.release = release
        write(self.tree / "version.txt", f"{release}a0\n")

    @property
    def port(self) -> Path:
        """Folder of the port for the tree's present release."""
        return self.out / "toy" / self.release

    def ported(self) -> Path:
        """Path of the ported Fill.cu in the port for the tree's present release."""
        (place,) = (self.port / "src").rglob("Fill.*")
        return place

    def run(self, *more: str) -> int:
        """Run `porter run --until port`; returns the exit code."""
        return run_port(self.tree, self.out, "--mappings", str(self.mappings), *more)

    def overlay(self, *arguments: str) -> int:
        """Run `porter overlay ...`; returns the exit code."""
        return call(["overlay", *arguments, "--mappings", str(self.mappings)])

    def save(self, *more: str, owner: str = "me@acme.example", reason: str = "slow") -> int:
        """Save the change of `file` as an overlay; returns the exit code."""
        return self.overlay("save", str(self.file), "--owner", owner, "--reason", reason, *more)

    def upstream(self, old: str, new: str, path: str = PATH) -> None:
        """Replace text in an upstream file, which must contain `old`."""
        place = self.tree / path
        text = place.read_text()
        assert old in text
        place.write_text(text.replace(old, new))

    def edit(self, old: bytes, new: bytes) -> bytes:
        """Replace text in `file`, which must contain `old`; returns the new text."""
        text = self.file.read_bytes()
        assert old in text
        write(self.file, text.replace(old, new))
        return text.replace(old, new)

    def rebase(self, *names: str) -> int:
        """Rebase the named overlays, or all overlays, on the tree; returns the exit code."""
        return self.overlay("rebase", *names, "--target", "toy", "--pytorch-src", str(self.tree))

    def statuses(self) -> dict[str, str]:
        """Maps the name of each overlay to its status in `report.json`."""
        report = json.loads((self.port / "report.json").read_text())
        return {one["name"]: one["status"] for one in report.get("overlays", [])}

    @property
    def folder(self) -> Path:
        """Folder of the overlays."""
        return self.mappings / "toy" / "overlays"

    def said(self) -> str:
        """Text that porter has written to stderr since the last call of this method."""
        return self.capsys.readouterr().err
