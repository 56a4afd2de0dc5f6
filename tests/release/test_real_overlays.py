"""Overlays on real trees: an edit of one release's port is merged with the port of another release."""

from __future__ import annotations

import functools
import json
from itertools import permutations
from pathlib import Path

import pytest
from port_tree import files
from rule_sets import target_rules

from porter.base.errors import OverlayError
from porter.cli.main import call
from porter.model.overlay import Overlay, OverlayStatus
from porter.overlay.apply import apply
from porter.overlay.unified import lines_of
from porter.port.overlay_work import TreePorter
from porter.port.select import release_of

pytestmark = pytest.mark.release
ADDED = b"// an overlay's line\n"
LANDMARKS = ("c10/cuda/CUDAStream.h", "aten/src/ATen/native/native_functions.yaml")
"""Files that make a folder a tree of PyTorch, beside version.txt."""
BLAS = "aten/src/ATen/cuda/CUDABlas.cpp"


@functools.cache
def porter_of(tree: Path) -> TreePorter:
    return TreePorter(tree, target_rules("musa", release_of(tree)))


def overlay(path: str, base: bytes, changed: bytes, release: str) -> Overlay:
    return Overlay("trial", path, "o", "r", "", release, 1, base, changed, "", "trial.patch")


@pytest.mark.slow
def test_a_merge_changes_nothing_but_what_the_overlay_changes(releases: dict[str, Path]) -> None:
    """A line is added to every third file. The merge is the other release's port with that line, or a conflict."""
    if len(releases) < 2:
        pytest.skip("one release is named, and a merge needs two")
    tally: dict[str, int] = {}
    for one, other in permutations([porter_of(tree) for tree in releases.values()], 2):
        for path in sorted(one.paths & other.paths)[::3]:
            lines = lines_of(base := one.ported(path))
            middle = len(lines) // 2
            changed = b"".join([*lines[:middle], ADDED, *lines[middle:]])
            theirs = other.ported(path)
            try:
                made = apply(theirs, [overlay(path, base, changed, "1.0")], "2.0")
            except OverlayError:
                tally["conflict"] = tally.get("conflict", 0) + 1
                continue
            status = made.file.uses[0].status
            tally[status] = tally.get(status, 0) + 1
            assert made.text.replace(ADDED, b"", 1) == theirs, path
            assert (status is OverlayStatus.APPLIED) == (base == theirs), path
            assert status in (OverlayStatus.APPLIED, OverlayStatus.MOVED), path
    assert tally["applied"] > 5
    assert tally["moved"] > 150
    assert tally["conflict"] < tally["moved"]


@pytest.mark.slow
def test_a_fork_as_overlays_ports_to_what_the_fork_ports_to(
    release_tree: Path, tmp_path: Path
) -> None:
    porter = porter_of(release_tree)
    fork, mappings = tmp_path / "fork", tmp_path / "m"
    mappings.mkdir()
    for path in ("version.txt", *LANDMARKS, *porter.paths):
        (fork / path).parent.mkdir(parents=True, exist_ok=True)
        (fork / path).write_bytes((release_tree / path).read_bytes())
    changed = sorted(porter.paths)[::9]
    for path in changed:
        lines = lines_of((fork / path).read_bytes())
        middle = len(lines) // 2
        (fork / path).write_bytes(b"".join([*lines[:middle], b"cudaFree(p);\n", *lines[middle:]]))
    target = ["--target", "musa"]
    given = ["--owner", "o", "--mappings", str(mappings), "--pytorch-src", str(release_tree)]
    assert call(["overlay", "import", str(fork), *target, *given]) == 0
    for tree, out, more in ((release_tree, "a", given[2:4]), (fork, "b", [])):
        source = ["--pytorch-src", str(tree), "--out", str(tmp_path / out)]
        call(["run", "--until", "port", "--no-page", *source, *target, *more])
    made, wanted = (
        files(tmp_path / out / "musa" / release_of(release_tree) / "src") for out in ("a", "b")
    )
    assert made == wanted
    assert len([*(mappings / "musa/overlays").glob("*.patch")]) == len(changed)


def test_an_overlay_carried_from_release_to_release(
    releases: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if {"2.6.0", "1.13.1"} - releases.keys():
        pytest.skip("the releases 2.6.0 and 1.13.1 are not named both")
    out, mappings = tmp_path / "out", tmp_path / "m"
    mappings.mkdir()

    def run(release: str) -> int:
        given = [
            "--until",
            "port",
            "--no-page",
            "--pytorch-src",
            str(releases[release]),
            "--target",
            "musa",
        ]
        return call(["run", *given, "--out", str(out), "--mappings", str(mappings), "-j", "1"])

    def save(place: Path, name: str) -> int:
        about = ["--owner", "o", "--reason", "r", "--name", name, "--mappings", str(mappings)]
        return call(["overlay", "save", str(place), *about])

    def status(release: str) -> dict[str, str]:
        report = json.loads((out / "musa" / release / "report.json").read_text())
        return {one["name"]: one["status"] for one in report["overlays"]}

    assert run("2.6.0") == 0
    place = out / "musa/2.6.0/src/aten/src/ATen/musa/MUSABlas.cpp"
    was = place.read_bytes()
    assert was == porter_of(releases["2.6.0"]).ported(BLAS)
    line = b"static mublasOperation_t _cublasOpFromChar(char op) {\n"
    assert was.count(line) == 1
    edited = was.replace(line, ADDED + line)
    place.write_bytes(edited)
    assert save(place, "op") == 0
    assert run("2.6.0") == 0
    assert place.read_bytes() == edited
    assert run("1.13.1") == 0
    older = out / "musa/1.13.1/src/aten/src/ATen/musa/MUSABlas.cpp"
    ported = porter_of(releases["1.13.1"]).ported(BLAS)
    assert older.read_bytes() == ported.replace(line, ADDED + line)
    assert status("1.13.1") == {"op": "moved"}
    # What 1.13.1 has not got cannot be changed there.
    newest = next(
        one for one in lines_of(was) if one.strip() and one not in ported and len(one) > 40
    )
    place.write_bytes(place.read_bytes().replace(newest, b"// mine\n", 1))
    assert save(place, "gone") == 0
    assert run("2.6.0") == 0
    before = older.read_bytes()
    capsys.readouterr()
    assert run("1.13.1") == 5
    assert f"error: {BLAS}: overlay gone (owner: o) does not merge" in capsys.readouterr().err
    assert older.read_bytes() == before
