"""Copies of packages' folders, with links and with files that no build can read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from workshop import write_files

from porter.base.errors import SourceError
from porter.toolkit import source_copy


def copied(folder: Path, into: Path) -> dict[str, str]:
    source_copy.copy(folder, into)
    files = (place for place in into.rglob("*") if place.is_file())
    return {place.relative_to(into).as_posix(): place.read_text() for place in files}


def test_results_of_builds_are_left_out_at_the_top_alone(tmp_path: Path) -> None:
    unwanted = ("build/a.o", "dist/p.whl", "p.egg-info/PKG-INFO", ".venv/x", ".git/HEAD")
    sources = {"setup.py": "s", "p/dist/all_reduce.cu": "d", "csrc/build/tree.cu": "t"}
    write_files(tmp_path / "p", {**sources, **dict.fromkeys(unwanted, "")})
    assert copied(tmp_path / "p", tmp_path / "copy") == sources


def test_links_that_leave_the_folder_become_copies(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"p/setup.py": "s", "common/a.cu": "a", "common/b/c.cuh": "c", "one.h": "1"}
    )
    (tmp_path / "p/csrc").symlink_to("../common")
    (tmp_path / "p/one.h").symlink_to(tmp_path / "one.h")
    (tmp_path / "p/inner").symlink_to("setup.py")
    (tmp_path / "common/back").symlink_to("../p")
    assert copied(tmp_path / "p", tmp_path / "elsewhere/copy") == {
        "setup.py": "s",
        "inner": "s",
        "one.h": "1",
        "csrc/a.cu": "a",
        "csrc/b/c.cuh": "c",
    }
    assert (tmp_path / "elsewhere/copy/inner").is_symlink()
    assert not (tmp_path / "elsewhere/copy/csrc").is_symlink()


def test_links_without_a_target_pipes_and_circles_are_left_out(tmp_path: Path) -> None:
    write_files(tmp_path, {"p/setup.py": "s", "p/csrc/a.cu": "a"})
    os.mkfifo(tmp_path / "p/pipe")
    for link, target in {"nowhere": "x", "circle": "circle", "csrc/up": "..", "out": ".."}.items():
        (tmp_path / "p" / link).symlink_to(target)
    assert copied(tmp_path / "p", tmp_path / "copy") == {"setup.py": "s", "csrc/a.cu": "a"}


def test_a_file_that_cannot_be_copied_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path / "p", {"setup.py": "s"})

    source, reason = str(tmp_path / "p/setup.py"), "Permission denied"

    def refuse(*_: object, **__: object) -> None:
        raise shutil.Error([(source, str(tmp_path / "copy/setup.py"), reason)])

    monkeypatch.setattr(shutil, "copytree", refuse)
    with pytest.raises(SourceError, match="cannot be copied: Permission denied") as caught:
        source_copy.copy(tmp_path / "p", tmp_path / "copy")
    assert caught.value.problems[0].place == source


def test_a_place_that_cannot_hold_the_copy_is_named(tmp_path: Path) -> None:
    write_files(tmp_path, {"p/setup.py": "s", "file": ""})
    with pytest.raises(SourceError, match="cannot be copied: Not a directory"):
        source_copy.copy(tmp_path / "p", tmp_path / "file" / "copy")
