"""Overlays from a user's view: save, run, next release, conflicts, expiry."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from overlay_desk import PATH, Desk
from port_tree import files, port_of, write

from porter.cli.main import call


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path, capsys)


EDITS: dict[str, Callable[[bytes], bytes]] = {
    "line changed": lambda text: text.replace(b"line30", b"thirty"),
    "line added at the beginning": lambda text: b"// mine\n" + text,
    "line ends of Windows": lambda text: text.replace(b"\n", b"\r\n"),
    "one line end of Windows": lambda text: text.replace(b"line5;\n", b"line5;\r\n"),
    "no line end at the end": lambda text: text + b"// end",
    "bytes that are not UTF-8": lambda text: text.replace(b"line7", b"\xe9\xff"),
    "everything deleted": lambda text: b"",
}


@pytest.mark.parametrize("name", EDITS)
def test_a_run_writes_the_saved_file_again(desk: Desk, name: str) -> None:
    edited = EDITS[name](desk.file.read_bytes())
    write(desk.file, edited)
    assert desk.save() == 0
    assert desk.run() == 0
    assert desk.file.read_bytes() == edited
    assert desk.statuses() == {"Fill": "applied"}
    assert desk.run("--force") == 0
    assert desk.file.read_bytes() == edited
    again = files(desk.folder)
    assert desk.rebase() == 0
    assert files(desk.folder) == again


def test_an_edit_that_is_not_saved_is_never_lost(desk: Desk) -> None:
    edited = desk.edit(b"line30", b"thirty")
    assert desk.run() == 4
    assert "porter overlay save FILE" in desk.said()
    assert desk.file.read_bytes() == edited
    assert desk.save() == 0
    more = desk.edit(b"line31", b"and one")
    assert desk.run() == 4
    assert desk.file.read_bytes() == more


def test_an_overlay_follows_upstream(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    desk.upstream("int line2;\n", "int line2;\nint more;\n")
    assert desk.run() == 0
    assert desk.statuses() == {"Fill": "moved"}
    text = desk.file.read_bytes()
    assert b"thirty" in text
    assert b"more" in text
    assert "line 33, was 32" in (port_of(desk.out) / "report.md").read_text()
    desk.upstream("line30", "thirty")
    assert desk.run() == 0
    assert desk.statuses() == {"Fill": "needless"}


def test_upstream_makes_a_part_of_the_change(desk: Desk) -> None:
    desk.edit(b"line10", b"ten")
    desk.edit(b"line50", b"fifty")
    assert desk.save() == 0
    desk.upstream("line50", "fifty")
    assert desk.run() == 0
    assert desk.statuses() == {"Fill": "reduced"}


def test_a_conflict_is_shown_and_solved(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    assert desk.run() == 0
    before = files(port_of(desk.out))
    desk.upstream("line30", "drei\xdfig")
    desk.said()
    assert desk.run() == 5
    assert files(port_of(desk.out)) == before
    said = desk.said()
    for text in ("int thirty;", "int line30;", "int drei", "me@acme.example", PATH, "help: "):
        assert text in said
    assert desk.rebase() == 5
    conflict = desk.folder / "Fill.conflict"
    assert str(conflict) in desk.said()
    assert desk.rebase() == 5, "nothing was edited"
    text = conflict.read_bytes()
    start, end = text.index(b"<<<<<<<"), text.index(b", new\n", text.index(b">>>>>>>")) + 6
    solved = text[:start] + b"int dreissig;\n" + text[end:]
    write(conflict, solved)
    assert desk.rebase() == 0
    assert sorted(place.name for place in desk.folder.iterdir()) == ["Fill.base.gz", "Fill.patch"]
    assert desk.run() == 0
    assert desk.file.read_bytes() == solved
    assert desk.statuses() == {"Fill": "applied"}


def test_every_conflict_is_told_at_once(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    (other,) = (port_of(desk.out) / "src").rglob("TOYFunctions.cpp")
    write(other, other.read_bytes() + b"// mine\n")
    assert desk.overlay("save", str(other), "--owner", "o", "--reason", "r") == 0
    desk.upstream("line30", "another")
    (desk.tree / "c10/cuda/CUDAFunctions.cpp").unlink()
    desk.said()
    assert desk.run() == 5
    said = desk.said()
    assert "overlay Fill (owner: me@acme.example) does not merge: 1 conflict" in said
    assert "overlay CUDAFunctions (owner: o) is for a file that is not in this tree" in said


def test_an_unchanged_port_names_an_overlay_whose_file_is_not_there(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    assert desk.run() == 0
    patch = desk.folder / "Fill.patch"
    other = desk.folder / "Lost"
    text = patch.read_text().replace(f"File: {PATH}", "File: c10/cuda/Lost.cpp")
    write(other.with_name("Lost.patch"), text)
    write(other.with_name("Lost.base.gz"), (desk.folder / "Fill.base.gz").read_bytes())
    desk.said()
    assert desk.run() == 5
    assert "overlay Lost (owner: me@acme.example) is for a file that is not in this tree" in (
        desk.said()
    )


def test_a_port_of_links_to_themselves(desk: Desk) -> None:
    desk.file.unlink()
    desk.file.symlink_to(desk.file.name)
    assert desk.save() == 4
    assert desk.said() == f"error: {desk.file}: cannot be read: it is a link to itself\n"


def test_a_folder_where_a_conflict_is_written(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    desk.upstream("line30", "another")
    place = desk.folder / "Fill.conflict.gz"
    place.mkdir()
    desk.said()
    assert desk.rebase() == 4
    assert desk.said() == f"error: {place}: cannot be written: Is a directory\n"
    assert not [one.name for one in desk.folder.iterdir() if one.name.startswith(".")]


def test_of_many_conflicts_the_first_are_shown(desk: Desk) -> None:
    for n in range(0, 56, 8):
        place = f"aten/src/ATen/native/cuda/More{n}.cu"
        write(desk.tree / place, f"int more{n};\n")
    assert desk.run() == 0
    for n in range(0, 56, 8):
        (desk.file,) = (port_of(desk.out) / "src").rglob(f"More{n}.*")
        desk.edit(b"more", b"mine")
        assert desk.save() == 0
        desk.upstream("more", "theirs", f"aten/src/ATen/native/cuda/More{n}.cu")
    desk.said()
    assert desk.run() == 5
    said = desk.said()
    assert said.count("does not merge: 1 conflict") == 7
    assert said.count("<<<<<<< overlay") == 5
    assert said.count("help: ") == 7


def test_a_file_that_moved_is_named(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    new = "aten/src/ATen/native/sparse/cuda/Fill.cu"
    (desk.tree / PATH).rename(desk.tree / new)
    desk.said()
    assert desk.run() == 5
    assert f"change 'File:' of {desk.folder}/Fill.patch to {new}" in desk.said()
    patch = desk.folder / "Fill.patch"
    patch.write_text(patch.read_text().replace(f"File: {PATH}", f"File: {new}"))
    assert desk.run() == 0
    assert desk.statuses() == {"Fill": "applied"}


def test_two_overlays_of_a_file(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    both = desk.edit(b"line31", b"thirtyone")
    assert desk.save("--name", "second") == 0
    assert desk.run() == 0
    assert desk.file.read_bytes() == both
    assert desk.statuses() == {"Fill": "applied", "second": "applied"}
    assert desk.save("--name", "Fill") == 2, "another lies on top of it"
    final = desk.edit(b"thirtyone", b"31")
    assert desk.save("--name", "second") == 0
    assert desk.run() == 0
    assert desk.file.read_bytes() == final
    assert desk.overlay("drop", "Fill", "--target", "toy") == 0
    assert "now merged without it: second" in desk.said()


def test_overlays_far_apart_are_independent(desk: Desk) -> None:
    desk.edit(b"line10", b"ten")
    assert desk.save() == 0
    desk.edit(b"line50", b"fifty")
    assert desk.save() == 0
    assert desk.overlay("drop", "Fill", "--target", "toy") == 0
    desk.said()
    assert desk.run() == 0
    text = desk.file.read_bytes()
    assert b"fifty" in text
    assert b"line10;" in text
    assert desk.statuses() == {"Fill-2": "moved"}


def test_an_overlay_that_is_dropped_leaves_the_file(desk: Desk) -> None:
    before = files(port_of(desk.out))
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    assert desk.run() == 0
    assert desk.overlay("drop", "Fill", "--target", "toy") == 0
    assert desk.run() == 0
    assert files(port_of(desk.out)) == before
    assert desk.overlay("drop", "Fill", "--target", "toy") == 2


def test_an_expired_overlay_is_a_finding(desk: Desk) -> None:
    edited = desk.edit(b"line30", b"thirty")
    assert desk.save("--expires", "2020-02-29") == 0
    desk.said()
    assert desk.run() == 1
    assert (
        "overlay Fill expired on 2020-02-29 (owner: me@acme.example; reason: slow)" in desk.said()
    )
    assert desk.file.read_bytes() == edited
    assert desk.run() == 1, "a run with nothing to do tells it too"
    assert desk.save("--expires", "2020-02-30") == 2


def test_a_saved_change_without_a_change(desk: Desk) -> None:
    assert desk.save() == 2
    desk.edit(b"line30", b"thirty")
    assert desk.save(owner=" ") == 2
    assert desk.save() == 0
    assert desk.save() == 2, "it is saved already"
    assert not (desk.folder / "Fill-2.patch").exists()


def test_files_that_no_overlay_can_change(desk: Desk, tmp_path: Path) -> None:
    write(tmp_path / "loose.cpp", "int a;\n")
    desk.file = tmp_path / "loose.cpp"
    assert desk.save() == 2
    desk.file = port_of(desk.out) / "src/own.cpp"
    write(desk.file, "int a;\n")
    assert desk.save() == 2
    desk.file = port_of(desk.out) / "manifest.json"
    assert desk.save() == 2


def test_a_binary_is_no_change(desk: Desk) -> None:
    desk.edit(b"line30", b"\0\0")
    assert desk.save() == 4
    assert "NUL bytes" in desk.said()


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "a/../../b", ""])
def test_a_path_that_leaves_the_port(desk: Desk, path: str) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    patch = desk.folder / "Fill.patch"
    patch.write_text(patch.read_text().replace(f"File: {PATH}", f"File: {path}"))
    desk.said()
    assert desk.run("--force") == 5
    assert f"error: {patch}: is not an overlay" in desk.said()


BROKEN: dict[str, Callable[[Path], Any]] = {
    "no base": lambda folder: (folder / "Fill.base.gz").unlink(),
    "no patch": lambda folder: (folder / "Fill.patch").unlink(),
    "another base": lambda folder: write(folder / "Fill.base.gz", gzip.compress(b"other\n")),
    "no gzip": lambda folder: write(folder / "Fill.base.gz", b"plain"),
    "half of a base": lambda folder: write(
        folder / "Fill.base.gz", (folder / "Fill.base.gz").read_bytes()[:-9]
    ),
    "no header": lambda folder: write(folder / "Fill.patch", b"@@ -1 +1 @@\n-a\n+b\n"),
    "half of a patch": lambda folder: write(
        folder / "Fill.patch", (folder / "Fill.patch").read_bytes()[:-20]
    ),
    "a folder": lambda folder: (folder / "x.patch").mkdir(),
    "an unknown line": lambda folder: write(
        folder / "Fill.patch", b"Sorry: no\n" + (folder / "Fill.patch").read_bytes()
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_overlays_that_cannot_be_read(desk: Desk, name: str) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    assert desk.run() == 0
    before = files(port_of(desk.out))
    BROKEN[name](desk.folder)
    desk.said()
    assert desk.run() == 5
    said = desk.said()
    assert f"error: {desk.folder}/" in said
    assert "help: " in said
    assert files(port_of(desk.out)) == before


def test_the_list(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save("--expires", "2020-01-31") == 0
    desk.capsys.readouterr()
    assert desk.overlay("list", "--target", "toy", "--json") == 0
    (one,) = json.loads(desk.capsys.readouterr().out)["overlays"]
    assert one == {
        "name": "Fill",
        "file": PATH,
        "owner": "me@acme.example",
        "reason": "slow",
        "expires": "2020-01-31",
        "release": "2.6.0",
        "order": 1,
        "since": "",
        "until": "",
        "expired": True,
        "place": f"{desk.folder}/Fill.patch",
    }
    assert desk.overlay("show", "Fill", "--target", "toy") == 0
    shown = desk.capsys.readouterr().out
    assert "-int line30;\n+int thirty;\n" in shown
    assert desk.overlay("show", "Fil", "--target", "toy") == 2
    assert "did you mean 'Fill'?" in desk.said()


def test_a_port_without_overlays_says_nothing_of_them(desk: Desk) -> None:
    for name in ("manifest.json", "report.json", "report.md"):
        assert "verlay" not in (port_of(desk.out) / name).read_text()


def test_a_folder_stands_for_its_changed_files(desk: Desk) -> None:
    (other,) = (port_of(desk.out) / "src").rglob("TOYFunctions.cpp")
    desk.edit(b"line30", b"thirty")
    write(other, other.read_bytes() + b"// mine\n")
    edited = files(port_of(desk.out) / "src")
    folder = str(port_of(desk.out) / "src")
    about = ("--owner", "o", "--reason", "r")
    assert desk.overlay("save", folder, *about, "--name", "two") == 2
    assert desk.overlay("save", folder, *about) == 0
    assert desk.run() == 0
    assert files(port_of(desk.out) / "src") == edited
    assert desk.statuses() == {"CUDAFunctions": "applied", "Fill": "applied"}
    assert desk.overlay("save", folder, *about) == 2, "nothing was changed"


def test_rules_that_changed_before_the_edit_was_saved(desk: Desk) -> None:
    edited = desk.edit(b"line30", b"thirty")
    place = desk.mappings / "pytorch/names.json"
    text = place.read_text()
    rule = '{"name": "line5", "replace": "fifth"},'
    place.write_text(text.replace('"rules": [', f'"rules": [{rule}', 1))
    assert desk.run() == 4
    assert desk.save() == 0
    assert desk.run() == 0
    assert desk.statuses() == {"Fill": "moved"}
    assert desk.file.read_bytes().replace(b"fifth;", b"line5;") == edited


def test_an_upstream_file_that_changed_before_the_edit_was_saved(desk: Desk) -> None:
    edited = desk.edit(b"line30", b"thirty")
    desk.upstream("line31", "other")
    desk.said()
    assert desk.save() == 4
    assert "was changed after it was ported\n  help: copy the file" in desk.said()
    assert desk.file.read_bytes() == edited
    assert not desk.folder.exists()


def test_an_overlay_waits_for_the_one_under_it(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    desk.edit(b"line31", b"thirtyone")
    assert desk.save() == 0
    desk.upstream("line30", "another")
    desk.capsys.readouterr()
    assert desk.rebase() == 5
    said = desk.capsys.readouterr()
    assert f"conflict  Fill  {PATH}\nwaits     Fill-2  {PATH}\n" in said.out
    assert said.err.count("error: ") == 1


def test_a_header_tree_lacks_sources(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    marker = {"kind": "header tree", "release": "2.6.0", "wheel": "w", "sha256": "", "parts": {}}
    write(desk.tree / "header_tree.json", json.dumps(marker))
    (desk.tree / PATH).unlink()
    assert desk.run() == 0
    report = json.loads((desk.out / "toy/2.6.0-headers/report.json").read_text())
    assert [one["status"] for one in report["overlays"]] == ["absent"]
    assert desk.rebase() == 0
    assert desk.run() == 0


def test_a_machine_without_git(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    assert desk.run() == 0
    before = files(port_of(desk.out))
    desk.upstream("line2;", "two;")
    monkeypatch.setenv("PATH", "")
    desk.said()
    assert desk.run() == 4
    assert "error: git: cannot be run" in desk.said()
    assert files(port_of(desk.out)) == before


def test_a_port_that_takes_no_overlays(desk: Desk, tmp_path: Path) -> None:
    write(tmp_path / "mine/a.cu", "int a = cudaMalloc;\n")
    given = ["--target", "toy", "--mappings", str(desk.mappings), "--out", str(tmp_path / "o")]
    assert call(["port", str(tmp_path / "mine"), *given]) == 0
    (desk.file,) = (tmp_path / "o/toy/src").rglob("a.*")
    desk.edit(b"int a", b"int b")
    assert desk.save() == 2
    assert "is not a file of PyTorch: only a port of PyTorch can have overlays" in desk.said()
    assert not desk.folder.exists()


def test_explain_says_that_lines_are_those_before_overlays(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    assert desk.run() == 0
    assert call(["explain", f"{desk.file}:31", "--mappings", str(desk.mappings)]) == 0
    captured = desk.capsys.readouterr()
    assert "overlays change this file (Fill)" in captured.out + captured.err


@pytest.mark.parametrize("left", [None, b"no gzip"])
def test_a_conflict_without_its_base(desk: Desk, left: bytes | None) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    desk.upstream("line30", "another")
    assert desk.rebase() == 5
    (desk.folder / "Fill.conflict.gz").unlink()
    if left:
        write(desk.folder / "Fill.conflict.gz", left)
    write(desk.folder / "Fill.conflict", "int solved;\n")
    before = files(desk.folder)
    desk.said()
    assert desk.rebase() == 5
    assert "delete Fill.conflict so that porter writes it again" in desk.said()
    assert files(desk.folder) == before
    (desk.folder / "Fill.conflict").unlink()
    assert desk.rebase() == 5
    assert b"<<<<<<< overlay Fill" in (desk.folder / "Fill.conflict").read_bytes()


@pytest.mark.parametrize(
    ("key", "value"),
    [("expires", "never"), ("expires", 5), ("status", "fine"), ("name", None)],
)
def test_a_manifest_that_another_wrote(desk: Desk, key: str, value: object) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    assert desk.run() == 0
    place = port_of(desk.out) / "manifest.json"
    data = json.loads(place.read_text())
    data["overlays"][PATH]["uses"][0][key] = value
    place.write_text(json.dumps(data))
    (port_of(desk.out) / ".state.json").unlink()
    desk.said()
    assert desk.run() == 4
    assert "is not a readable manifest" in desk.said()
    assert desk.run("--force") == 0
    assert desk.statuses() == {"Fill": "applied"}
