"""Overlays bounded by releases: outside its bounds an overlay changes nothing, and is listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from overlay_desk import PATH, Desk
from port_tree import files, write

from porter.cli.main import call

NEWER = "2.7.1"


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path, capsys)


def bounds(desk: Desk) -> dict[str, tuple[str, str]]:
    """Overlay -> its bounds, from the list in JSON."""
    desk.capsys.readouterr()
    assert desk.overlay("list", "--target", "toy", "--json") == 0
    found = json.loads(desk.capsys.readouterr().out)["overlays"]
    return {one["name"]: (one["since"], one["until"]) for one in found}


def conflicting(desk: Desk) -> None:
    """An overlay saved in 2.6.0, and a tree of 2.7.1 with other text at its place."""
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    desk.at(NEWER)
    desk.upstream("line30", "drei")


def solve(desk: Desk, name: str = "Fill") -> bytes:
    """Resolve the conflict of an overlay by hand; returns the solved text."""
    place = desk.folder / f"{name}.conflict"
    text = place.read_bytes()
    start, end = text.index(b"<<<<<<<"), text.index(b", new\n", text.index(b">>>>>>>")) + 6
    solved = text[:start] + b"int dreissig;\n" + text[end:]
    write(place, solved)
    return solved


def test_outside_its_bounds_an_overlay_changes_nothing_and_is_listed(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save("--until", "2.6", "--expires", "2020-01-31") == 0
    desk.at(NEWER)
    assert desk.run() == 0
    with_overlay = files(desk.port / "src")
    report = json.loads((desk.port / "report.json").read_text())
    (one,) = report["overlays"]
    assert (one["name"], one["status"], one["until"]) == ("Fill", "outside", "2.6")
    row = "outside: its bounds exclude this release, until 2.6"
    assert row in (desk.port / "report.md").read_text()
    said = desk.capsys.readouterr()
    assert row in said.out
    assert "expired" not in said.err, "what is not applied need not be looked at"
    assert desk.overlay("drop", "Fill", "--target", "toy") == 0
    desk.run("--force")
    assert files(desk.port / "src") == with_overlay


def test_a_port_within_the_bounds_is_the_port_of_the_overlay_without_bounds(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    patch = desk.folder / "Fill.patch"
    unbounded = patch.read_text()
    desk.at(NEWER)
    desk.upstream("line2;", "two;")
    for since, until in (("2.7", "2.7"), ("2.7.1", "2.7.1"), ("2.6.0", "3.0"), ("2.7.0", "2.8")):
        patch.write_text(unbounded)
        desk.run()
        wanted = files(desk.port / "src")
        head = f"Since: {since}\nUntil: {until}\nBase: "
        patch.write_text(unbounded.replace("Base: ", head))
        desk.run()
        assert files(desk.port / "src") == wanted
        assert desk.statuses() == {"Fill": "moved"}


def test_a_changed_bound_is_applied_by_the_next_run(desk: Desk) -> None:
    before = desk.file.read_bytes()
    after = desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    patch = desk.folder / "Fill.patch"
    unbounded = patch.read_text()
    for head, text, status in (
        ("Until: 2.5\n", before, "outside"),
        ("Until: 2.6\n", after, "applied"),
        ("Since: 2.7\n", before, "outside"),
        ("", after, "applied"),
    ):
        patch.write_text(unbounded.replace("Base: ", f"{head}Base: "))
        assert desk.run() == 0
        assert desk.file.read_bytes() == text
        assert desk.statuses() == {"Fill": status}


def test_a_file_that_a_release_lacks_is_no_error_outside_the_bounds(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    desk.at(NEWER)
    (desk.tree / PATH).unlink()
    desk.said()
    assert desk.run() == 5
    assert f"add 'Until:' and the last release with the file to {desk.folder}" in desk.said()
    patch = desk.folder / "Fill.patch"
    patch.write_text(patch.read_text().replace("Base: ", "Until: 2.6\nBase: "))
    assert desk.run() == 0
    assert desk.statuses() == {"Fill": "outside"}
    assert desk.rebase() == 0
    assert desk.rebase("Fill") == 0


def test_the_list_and_the_bounds_given_on_saving(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save("--since", "2.6", "--until", "2.7.1") == 0
    assert "Since: 2.6\nUntil: 2.7.1\n" in (desk.folder / "Fill.patch").read_text()
    assert bounds(desk) == {"Fill": ("2.6", "2.7.1")}
    assert desk.overlay("list", "--target", "toy") == 0
    assert "since 2.6, until 2.7.1" in desk.capsys.readouterr().out
    desk.edit(b"thirty", b"30")
    assert desk.save("--name", "Fill", "--until", "2.8") == 0
    assert bounds(desk) == {"Fill": ("2.6", "2.8")}, "what is not given stays"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--since", "2"), "'2' is not a release: X.Y or X.Y.Z"),
        (("--until", "cuda 12.4"), "'cuda 12.4' is not a release: X.Y or X.Y.Z"),
        (("--since", "2.7", "--until", "2.6"), "no release lies within its bounds"),
        (("--since", "2.7"), "(since 2.7) exclude the release, PyTorch 2.6.0"),
        (("--until", "2.5.1"), "(until 2.5.1) exclude the release, PyTorch 2.6.0"),
    ],
)
def test_bounds_that_do_not_fit_the_port(desk: Desk, given: tuple[str, ...], said: str) -> None:
    desk.edit(b"line30", b"thirty")
    desk.said()
    assert desk.save(*given) == 2
    assert said in desk.said()
    assert not desk.folder.exists()


def test_a_conflict_of_one_release_is_split(desk: Desk) -> None:
    """Both releases are ported without a conflict: one by the old overlay, the other by the second one."""
    conflicting(desk)
    old = desk.file.read_bytes()
    desk.said()
    assert desk.run() == 5
    assert "with --split" in desk.said()
    assert desk.rebase("Fill", "--split") == 5
    new = solve(desk)
    desk.capsys.readouterr()
    assert desk.rebase("Fill", "--split") == 0
    assert f"  {PATH}\n          Fill-2.7.1: since 2.7\n          Fill: until 2.6\n" in (
        desk.capsys.readouterr().out
    )
    assert sorted(place.name for place in desk.folder.iterdir()) == [
        *("Fill-2.7.1.base.gz", "Fill-2.7.1.patch", "Fill.base.gz", "Fill.patch")
    ]
    assert bounds(desk) == {"Fill": ("", "2.6"), "Fill-2.7.1": ("2.7", "")}
    assert desk.run() == 0
    assert desk.ported().read_bytes() == new
    assert desk.statuses() == {"Fill": "outside", "Fill-2.7.1": "applied"}
    desk.at("2.6.0")
    desk.upstream("drei", "line30")
    assert desk.run() == 0
    assert desk.ported().read_bytes() == old
    assert desk.statuses() == {"Fill": "applied", "Fill-2.7.1": "outside"}


def test_orders_count_among_the_overlays_of_the_release(desk: Desk) -> None:
    conflicting(desk)
    assert desk.rebase("Fill", "--split", "--name", "fresh") == 5
    solve(desk)
    assert desk.rebase("Fill", "--split", "--name", "fresh") == 0
    assert desk.run() == 0
    desk.file = desk.ported()
    desk.edit(b"line50", b"fifty")
    assert desk.save("--name", "later") == 0
    desk.capsys.readouterr()
    assert desk.overlay("list", "--target", "toy", "--json") == 0
    found = json.loads(desk.capsys.readouterr().out)["overlays"]
    assert {one["name"]: one["order"] for one in found} == {"Fill": 1, "fresh": 1, "later": 2}
    # Only what can be applied together depends on each other.
    desk.edit(b"line51", b"one")
    assert desk.save("--name", "fresh") == 2
    desk.said()
    assert desk.overlay("drop", "fresh", "--target", "toy") == 0
    assert "now merged without it: later" in desk.said()


def test_a_change_that_a_release_needs_no_longer_ends_before_it(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    desk.at(NEWER)
    desk.upstream("line30", "thirty")
    assert desk.rebase("Fill", "--split") == 0
    assert bounds(desk) == {"Fill": ("", "2.6")}
    assert desk.run() == 0
    assert desk.statuses() == {"Fill": "outside"}


@pytest.mark.parametrize(
    ("base", "release", "old", "new"),
    [
        ("2.6.0", "2.7.1", ("", "2.6"), ("2.7", "")),
        ("2.6.0", "2.9.0", ("", "2.8"), ("2.9", "")),
        ("2.7.0", "2.7.1", ("", "2.7.0"), ("2.7.1", "")),
        ("2.7.3", "2.7.1", ("2.7.2", ""), ("", "2.7.1")),
        ("1.13.1", "2.0.1", ("", "1.13"), ("2.0", "")),
        ("2.6.0", "1.13.1", ("2.0", ""), ("", "1.13")),
        ("2.6.0", "2.4.0", ("2.5", ""), ("", "2.4")),
        ("2.6.0", "2.99.0", ("", "2.98"), ("2.99", "")),
        ("2.99.0", "2.98.0", ("2.99", ""), ("", "2.98")),
    ],
)
def test_the_bounds_of_both_parts(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    base: str,
    release: str,
    old: tuple[str, str],
    new: tuple[str, str],
) -> None:
    desk = Desk(tmp_path, capsys)
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    patch = desk.folder / "Fill.patch"
    patch.write_text(patch.read_text().replace("Release: 2.6.0", f"Release: {base}"))
    desk.at(release)
    assert desk.rebase("Fill", "--split") == 0
    assert bounds(desk) == {"Fill": old, f"Fill-{release}": new}
    assert desk.rebase(f"Fill-{release}", "--split") == 2, "its base is of this release"
    assert desk.rebase("Fill", "--split", "--name", "x") == 2, "its bounds exclude the release"


def test_a_second_split_lies_within_the_bounds_of_the_first(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save("--since", "2.6", "--until", "2.12") == 0
    for release in ("2.9.0", "2.7.1"):
        desk.at(release)
        assert desk.rebase("Fill", "--split") == 0
    assert bounds(desk) == {
        "Fill": ("2.6", "2.6"),
        "Fill-2.7.1": ("2.7", "2.8"),
        "Fill-2.9.0": ("2.9", "2.12"),
    }


def test_a_split_needs_a_name_that_is_free(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    desk.at(NEWER)
    before = files(desk.folder)
    assert desk.rebase("--split") == 2
    assert desk.rebase("Fill", "--split", "--name", "Fill") == 2
    assert desk.rebase("Fill", "--split", "--name", "../x") == 2
    assert desk.rebase("Fill", "--name", "x") == 2
    assert files(desk.folder) == before


def test_a_rebase_of_one_overlay_leaves_the_others(desk: Desk) -> None:
    desk.edit(b"line10", b"ten")
    assert desk.save() == 0
    desk.edit(b"line50", b"fifty")
    assert desk.save() == 0
    desk.at(NEWER)
    desk.upstream("line2;", "two;")
    before = files(desk.folder)
    assert desk.rebase("Fill-2") == 0
    changed = {name for name, data in files(desk.folder).items() if before[name] != data}
    assert changed == {"Fill-2.patch", "Fill-2.base.gz"}
    assert desk.run() == 0
    assert desk.statuses() == {"Fill": "moved", "Fill-2": "applied"}
    desk.upstream("line10", "another")
    assert desk.rebase("Fill-2") == 5, "it lies on a change that does not merge"
    assert "also name the earlier overlay of the file" in desk.said()
    assert not [*desk.folder.glob("*.conflict")]


def test_an_import_with_bounds(desk: Desk, tmp_path: Path) -> None:
    write(
        tmp_path / "mine.patch",
        f"--- a/{PATH}\n+++ b/{PATH}\n@@ -30,3 +30,3 @@\n int line29;\n-int line30;\n+int thirty;\n int line31;\n",
    )
    given = ["import", str(tmp_path / "mine.patch"), "--target", "toy", "--owner", "me"]
    given += ["--pytorch-src", str(desk.tree)]
    assert desk.overlay(*given, "--since", "2.7") == 2
    assert desk.overlay(*given, "--until", "2.6") == 0
    assert bounds(desk) == {"Fill": ("", "2.6")}
    assert desk.run() == 0
    assert b"thirty" in desk.file.read_bytes()


def test_explain_leaves_out_an_overlay_that_is_not_applied(desk: Desk) -> None:
    desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    patch = desk.folder / "Fill.patch"
    patch.write_text(patch.read_text().replace("Base: ", "Since: 2.7\nBase: "))
    assert desk.run() == 0
    assert call(["explain", f"{desk.file}:31", "--mappings", str(desk.mappings)]) == 0
    captured = desk.capsys.readouterr()
    assert "overlays change this file" not in captured.out + captured.err


def test_a_manifest_of_an_earlier_porter_has_no_bounds(desk: Desk) -> None:
    edited = desk.edit(b"line30", b"thirty")
    assert desk.save() == 0
    assert desk.run() == 0
    place = desk.port / "manifest.json"
    data = json.loads(place.read_text())
    for name in ("since", "until"):
        del data["overlays"][PATH]["uses"][0][name]
    place.write_text(json.dumps(data))
    (desk.port / ".state.json").unlink()
    assert desk.run() == 0
    assert desk.file.read_bytes() == edited
