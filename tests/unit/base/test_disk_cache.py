"""Disk cache: stored answers are returned unchanged, and invalid entries are ignored."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from pathlib import Path

import pytest
from workshop import Workshop

from porter.base import columnar_json, disk_cache
from porter.base.fingerprint import Answer
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.rules import RuleSet

KIND = Answer("kind", ("base",))
OTHER = Answer("other", ("base",))
KEY = "0123456789abcdef" * 4


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kind"


def entry(folder: Path, body: bytes) -> Path:
    """Entry with a valid digest and any body."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{KEY}.json"
    place.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    place.chmod(0o600)
    return place


def test_data_comes_back() -> None:
    data = {"a": [1, None, True, "ä"], "b": {}}
    assert disk_cache.get(KIND, KEY) is None
    disk_cache.put(KIND, KEY, data)
    assert disk_cache.get(KIND, KEY) == data
    assert disk_cache.get(OTHER, KEY) is None


def test_a_key_depends_on_every_part() -> None:
    keys = {
        disk_cache.key_of(KIND, *parts)
        for parts in ((), ("a",), ("a", "b"), ("ab",), ("a", "", "b"))
    }
    assert len(keys) == 5
    assert all(map(disk_cache.is_key, keys))


@pytest.mark.parametrize(
    "key", ["", "rules", KEY[:-1], KEY + "0", KEY.upper(), f"../{KEY}", f"/{KEY}", KEY + "\n", None]
)
def test_what_is_no_key_is_never_a_path(key: str, folder: Path) -> None:
    folder.parent.mkdir()
    entry(folder.parent, b"1").rename(folder.parent / f"{KEY}.json")
    assert disk_cache.get(KIND, key) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: b"",
        lambda raw: raw[:-1],
        lambda raw: raw.replace(b"17", b"18"),
        lambda raw: raw.partition(b"\n")[2],
        lambda raw: b"\xff" + raw[1:],
        lambda raw: pickle.dumps({"value": 17}),
    ],
)
def test_a_damaged_entry_counts_as_absent(folder: Path, damage: object) -> None:
    disk_cache.put(KIND, KEY, {"value": 17})
    place = folder / f"{KEY}.json"
    assert disk_cache.get(KIND, KEY) == {"value": 17}
    place.write_bytes(damage(place.read_bytes()))  # type: ignore[operator]
    assert disk_cache.get(KIND, KEY) is None


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_an_entry_that_others_can_write_is_not_taken(folder: Path, mode: int) -> None:
    disk_cache.put(KIND, KEY, 1)
    (folder / f"{KEY}.json").chmod(mode)
    assert disk_cache.get(KIND, KEY) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_an_entry_of_another_user_is_not_taken(folder: Path) -> None:
    disk_cache.put(KIND, KEY, 1)
    os.chown(folder / f"{KEY}.json", 65534, 65534)
    assert disk_cache.get(KIND, KEY) is None


def test_a_link_a_fifo_and_a_folder_are_no_entries(folder: Path) -> None:
    place = entry(folder, b"1")
    assert disk_cache.get(KIND, KEY) == 1
    place.rename(folder / "elsewhere")
    place.symlink_to(folder / "elsewhere")
    assert disk_cache.get(KIND, KEY) is None
    place.unlink()
    os.mkfifo(place)
    assert disk_cache.get(KIND, KEY) is None
    place.unlink()
    place.mkdir()
    assert disk_cache.get(KIND, KEY) is None


def test_the_oldest_entries_go_and_files_of_others_stay(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "notes.txt").write_text("mine")
    keys = [f"{number:064x}" for number in range(68)]
    for number, key in enumerate(keys):
        disk_cache.put(KIND, key, number)
        os.utime(folder / f"{key}.json", (number, number))
    left = [key for key in keys if disk_cache.get(KIND, key) is not None]
    assert left == keys[-64:]
    assert (folder / "notes.txt").read_text() == "mine"


def test_a_cache_that_cannot_be_written_is_done_without(folder: Path) -> None:
    folder.parent.write_text("a file")
    disk_cache.put(KIND, KEY, 1)
    assert disk_cache.get(KIND, KEY) is None
    assert disk_cache.computed_once(KIND, "inputs", tuple[str, ...], lambda: ("a",)) == ("a",)


def test_a_value_is_computed_once_for_equal_inputs() -> None:
    calls: list[str] = []

    def make() -> frozenset[str]:
        calls.append("made")
        return frozenset(("a", "b"))

    for inputs in ("x", "x", "y"):
        assert disk_cache.computed_once(KIND, inputs, frozenset[str], make) == {"a", "b"}
    assert len(calls) == 2


def test_kept_data_of_another_shape_is_computed_again(folder: Path) -> None:
    disk_cache.computed_once(KIND, "x", tuple[str, ...], lambda: ("a",))
    key = disk_cache.key_of(KIND, "x")
    for wrong in ({}, 7, [[1], [7]], [[-1], []], [[2], ["a"]], [[1], ["a"], 0], "a"):
        disk_cache.put(KIND, key, wrong)
        assert disk_cache.computed_once(KIND, "x", tuple[str, ...], lambda: ("b",)) == ("b",)


# -- rule sets


@pytest.mark.parametrize("target", ["simt", "musa", "hip", "maca"])
def test_a_rule_set_is_the_same_from_the_cache(target: str) -> None:
    library = MappingLibrary.find()
    made = rule_cache.rule_set(library, target, "2.6.0")
    assert rule_cache.read(made.digest) == made
    text = json.dumps(columnar_json.encode(RuleSet, [made]))
    assert columnar_json.decode(RuleSet, json.loads(text)) == [made]


def _change(data: object, path: list[int], to: object) -> object:
    if not path:
        return to
    assert isinstance(data, list)
    return [_change(one, path[1:], to) if i == path[0] else one for i, one in enumerate(data)]


def _leaves(data: object, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """First value of every column."""
    if not isinstance(data, list):
        return [path]
    if not data:
        return []
    if isinstance(data[0], list):
        return [leaf for i, one in enumerate(data) for leaf in _leaves(one, (*path, i))]
    return [path, (*path, 0)]


@pytest.mark.parametrize("to", [None, -1, 1 << 70, 1.5, True, "x", [], {}, [[]], "../../etc"])
def test_a_cached_rule_set_with_any_column_changed_is_refused_or_of_the_right_types(
    to: object, tmp_path: Path
) -> None:
    library = MappingLibrary((Workshop(tmp_path / "shop").mappings,))
    made = rule_cache.rule_set(library, "toy", "2.6.0")
    data = columnar_json.encode(RuleSet, [made])
    leaves = _leaves(data)
    assert len(leaves) > 100
    for leaf in leaves:
        disk_cache.put(rule_cache.RULES, made.digest, _change(data, list(leaf), to))
        if found := rule_cache.read(made.digest):
            # What was taken has the annotated types: it is written and read again as it is.
            assert columnar_json.decode(RuleSet, columnar_json.encode(RuleSet, [found])) == [found]
