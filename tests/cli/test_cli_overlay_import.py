"""A vendor's patches of upstream's text, and a vendor's fork, become overlays of the ported text."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from overlay_desk import PATH, Desk
from port_tree import files, make_tree, port_of, run, write

OTHER = "c10/cuda/CUDAFunctions.cpp"


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path, capsys)


@pytest.fixture
def fork(desk: Desk, tmp_path: Path) -> Path:
    """Fork: the tree with two changed files, one of which contains CUDA's names."""
    place = tmp_path / "fork"
    shutil.copytree(desk.tree, place)
    write(place / PATH, (place / PATH).read_text().replace("line30;", "line30; // mine"))
    text = (place / OTHER).read_text()
    write(place / OTHER, text.replace("cudaMalloc(&p, n)", "cudaMalloc(&p, 2 * n)"))
    return place


def bring(desk: Desk, *given: Path, more: tuple[str, ...] = ()) -> int:
    """Run `porter overlay import` and return the exit code."""
    paths = [str(path) for path in given]
    source = ["--target", "toy", "--pytorch-src", str(desk.tree), "--owner", "fork@acme.example"]
    return desk.overlay("import", *paths, *source, *more)


def patch_of(desk: Desk, fork: Path, place: Path, *paths: str) -> Path:
    """Patch by git, from the tree to the fork."""
    text = b""
    for path in paths:
        done = subprocess.run(
            ["git", "diff", "--no-index", f"tree/{path}", f"{fork.name}/{path}"],
            cwd=desk.tree.parent,
            capture_output=True,
            check=False,
        )
        text += done.stdout.replace(b"a/tree/", b"a/").replace(f"b/{fork.name}/".encode(), b"b/")
    write(place, text)
    return place


def port_of_fork(desk: Desk, fork: Path) -> dict[str, bytes]:
    """Ported files of the fork itself."""
    out = fork.parent / "of_fork"
    assert run(fork, out, "--mappings", str(desk.mappings)) == 0
    return files(port_of(out) / "src")


def test_a_fork_as_overlays_ports_to_what_the_fork_ports_to(desk: Desk, fork: Path) -> None:
    assert bring(desk, fork) == 0
    assert desk.run() == 0
    assert desk.statuses() == {"CUDAFunctions": "applied", "Fill": "applied"}
    made = files(port_of(desk.out) / "src")
    assert made == port_of_fork(desk, fork)
    assert b"toyMalloc(&p, 2 * n)" in made["c10/toy/TOYFunctions.cpp"]
    assert "2 saved, 0 skipped, 0 failed" in desk.capsys.readouterr().out
    assert bring(desk, fork) == 0
    assert "0 saved, 2 skipped, 0 failed" in desk.capsys.readouterr().out


def test_patches_as_overlays(desk: Desk, fork: Path, tmp_path: Path) -> None:
    folder = tmp_path / "patches"
    patch_of(desk, fork, folder / "one.patch", PATH, OTHER)
    write(folder / "README.md", "not a patch")
    desk.capsys.readouterr()
    assert bring(desk, folder, more=("--expires", "2099-12-31", "--json")) == 0
    made = json.loads(desk.capsys.readouterr().out)
    assert [one["reason"] for one in made["saved"]] == ["imported from one.patch"] * 2
    assert [one["expires"] for one in made["saved"]] == ["2099-12-31"] * 2
    assert desk.run() == 0
    assert files(port_of(desk.out) / "src") == port_of_fork(desk, fork)


def test_a_series_of_patches_of_one_file(desk: Desk, fork: Path, tmp_path: Path) -> None:
    first = patch_of(desk, fork, tmp_path / "p/1.patch", PATH)
    again = tmp_path / "again"
    shutil.copytree(fork, again)
    write(again / PATH, (again / PATH).read_text().replace("// mine", "// ours"))
    done = subprocess.run(
        ["git", "diff", "--no-index", f"fork/{PATH}", f"again/{PATH}"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    write(
        tmp_path / "p/2.patch", done.stdout.replace(b"a/fork/", b"a/").replace(b"b/again/", b"b/")
    )
    assert bring(desk, tmp_path / "p/2.patch") == 5, "it lies on top of the first"
    assert bring(desk, first.parent) == 0
    assert desk.run() == 0
    assert desk.statuses() == {"Fill": "applied", "Fill-2": "applied"}
    assert b"line30; // ours" in desk.file.read_bytes()


def test_what_is_not_ported_is_listed(desk: Desk, fork: Path, tmp_path: Path) -> None:
    write(fork / "aten/src/ATen/native/cuda/New.cu", "int n;\n")
    (fork / "torch/csrc/cuda/Module.cpp").unlink()
    assert bring(desk, fork) == 0
    said = desk.capsys.readouterr().out
    assert "aten/src/ATen/native/cuda/New.cu: is new in the fork" in said
    assert "torch/csrc/cuda/Module.cpp: is not in the fork" in said
    write(tmp_path / "x.patch", "--- a/setup.py\n+++ b/setup.py\n@@ -1 +1 @@\n-a\n+b\n")
    assert bring(desk, tmp_path / "x.patch") == 0
    assert "x.patch: setup.py is not ported" in desk.capsys.readouterr().out


def test_a_patch_that_does_not_fit(desk: Desk, fork: Path, tmp_path: Path) -> None:
    patch = patch_of(desk, fork, tmp_path / "p/1.patch", PATH)
    patch_of(desk, fork, tmp_path / "p/2.patch", OTHER)
    desk.upstream("line30", "another")
    desk.said()
    assert bring(desk, patch.parent) == 5
    assert f"error: {patch}: does not apply to {PATH} of PyTorch 2.6.0: " in desk.said()
    assert (desk.folder / "CUDAFunctions.patch").is_file(), "what fits is saved"
    write(tmp_path / "no.patch", "words\n")
    assert bring(desk, tmp_path / "no.patch") == 5
    assert bring(desk, tmp_path / "missing.patch") == 4


def test_a_patch_cannot_write_outside(desk: Desk, tmp_path: Path) -> None:
    write(tmp_path / "out.patch", "--- a/../../x\n+++ b/../../x\n@@ -0,0 +1 @@\n+b\n")
    assert bring(desk, tmp_path / "out.patch") == 0
    assert not desk.folder.exists()


def test_a_fork_of_another_release(desk: Desk, tmp_path: Path) -> None:
    other = make_tree(tmp_path / "other", {"version.txt": "2.7.0a0\n"})
    assert bring(desk, other) == 4
    assert "is PyTorch 2.7.0, but the source tree is PyTorch 2.6.0" in desk.said()


def test_a_folder_without_patches_is_an_error(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert bring(desk, tmp_path / "empty") == 2
    assert f"error: {tmp_path}/empty: contains no patch\n  help: give patches" in desk.said()
