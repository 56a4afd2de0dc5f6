"""A vendor's overlay that one release accepts and the next does not: split, and both releases regenerated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from port_tree import files
from release_trees import header_tree
from rule_sets import target_rules

from porter.cli.main import call
from porter.mapping.library import MappingLibrary
from porter.model.upgrade import Effect, UpgradeRow
from porter.overlay import store
from porter.upgrade import overlays, trees

pytestmark = pytest.mark.release
OLD, NEW = "2.6.0", "2.7.1"
FILE = "aten/src/ATen/native/musa/KernelUtils.muh"
GUARD = b"#if (defined(__gfx940__) || "
"""Beginning of a condition that 2.7.1 shortened."""
MINE = b"#if (defined(__MUSA_ARCH__) || defined(__gfx940__) || "
MINE_NEW = b"#if (defined(__MUSA_ARCH__) || defined(__gfx942__)) && \\\n"


class Vendor:
    """Repository of a vendor: mappings with overlays, lock files, and ports of two releases."""

    def __init__(self, root: Path, old: Path, new: Path) -> None:
        self.trees = {OLD: old, f"{NEW}-headers": new}
        self.mappings, self.locks, self.out = root / "m", root / "locks", root / "out"
        self.mappings.mkdir()

    def regenerate(self, *more: str) -> int:
        """Exit code of `porter regenerate` for both releases."""
        given = [*self._target(), "--locks", str(self.locks), "--out", str(self.out), "-j", "1"]
        for name, tree in self.trees.items():
            given += ["--release", name, "--tree", f"{name}={tree}"]
        return call(["regenerate", *given, *more])

    def overlay(self, *given: str) -> int:
        """Exit code of a subcommand of `porter overlay`."""
        return call(["overlay", *given, "--mappings", str(self.mappings)])

    def split(self) -> int:
        """Exit code of the rebase on the new release."""
        tree = str(self.trees[f"{NEW}-headers"])
        name = ("KernelUtils", "--split", "--pytorch-src", tree)
        return self.overlay("rebase", *name, "--target", "musa")

    def port(self, name: str) -> dict[str, bytes]:
        """Files of a port."""
        return files(self.out / "musa" / name / "src")

    def statuses(self, name: str) -> dict[str, str]:
        """Overlay -> its status in a port."""
        report = json.loads((self.out / "musa" / name / "manifest.json").read_text())
        uses = [use for file in report.get("overlays", {}).values() for use in file["uses"]]
        return {use["name"]: use["status"] for use in uses}

    def predicted(self) -> list[UpgradeRow]:
        """Rows of `porter upgrade` about overlays."""
        library = MappingLibrary.find((self.mappings,))
        found = store.read(library.overlays("musa"))
        old, new = trees.pair(*map(str, self.trees.values()))
        return [*overlays.rows(old, new, found, target_rules("musa", NEW))]

    def _target(self) -> list[str]:
        return ["--target", "musa", "--mappings", str(self.mappings)]


@pytest.fixture
def vendor(releases: dict[str, Path], tmp_path: Path) -> Vendor:
    if OLD not in releases:
        pytest.skip(f"the release {OLD} is not named")
    return Vendor(tmp_path, releases[OLD], header_tree(NEW))


def test_a_split_overlay_serves_both_releases(
    vendor: Vendor, capsys: pytest.CaptureFixture[str]
) -> None:
    newer = f"{NEW}-headers"
    assert vendor.regenerate("--update") == 0
    without = {name: vendor.port(name) for name in vendor.trees}
    place = vendor.out / "musa" / OLD / "src" / FILE
    text = place.read_bytes()
    assert text.count(GUARD) == 2
    edited = text.replace(GUARD, MINE)
    place.write_bytes(edited)
    assert vendor.overlay("save", str(place), "--owner", "o", "--reason", "r") == 0
    assert [row.effect for row in vendor.predicted()] == [Effect.BREAKS]
    capsys.readouterr()
    assert vendor.regenerate("--update") == 5
    assert "overlay KernelUtils (owner: o) does not merge: 2 conflicts" in capsys.readouterr().err

    assert vendor.split() == 5
    conflict = vendor.mappings / "musa/overlays/KernelUtils.conflict"
    conflict.write_bytes(
        without[newer][FILE].replace(b"#if (defined(__gfx942__)) && \\\n", MINE_NEW)
    )
    assert vendor.split() == 0
    assert [(row.name, row.effect) for row in vendor.predicted()] == [
        ("KernelUtils", Effect.INFORMS),
        ("KernelUtils-2.7.1", Effect.INFORMS),
    ]
    assert vendor.regenerate("--update") == 0
    assert vendor.regenerate() == 0
    assert vendor.port(OLD) == {**without[OLD], FILE: edited}
    made = vendor.port(newer)
    assert made[FILE].count(MINE_NEW) == 2
    assert made == {**without[newer], FILE: made[FILE]}
    assert vendor.statuses(OLD) == {"KernelUtils": "applied", "KernelUtils-2.7.1": "outside"}
    assert vendor.statuses(newer) == {"KernelUtils": "outside", "KernelUtils-2.7.1": "applied"}

    # An overlay outside its bounds is no part of the port, nor of its lock file.
    assert vendor.overlay("drop", "KernelUtils-2.7.1", "--target", "musa") == 0
    capsys.readouterr()
    assert vendor.regenerate() == 1
    assert vendor.port(OLD) == {**without[OLD], FILE: edited}
    assert vendor.port(newer) == without[newer]
    assert vendor.statuses(newer) == {"KernelUtils": "outside"}
    (row,) = vendor.predicted()
    assert (row.effect, "needs an overlay for 2.7.1" in row.advice) == (
        Effect.CHECK,
        True,
    )
