"""Atomic replacement of folders, and locks."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from porter.base import fs, stop_signals
from porter.base.errors import SourceError


def fill(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("one", "two"):
        (folder / name).write_text(text)
    return folder


def content(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


OLD, NEW = {"one": "old", "two": "old"}, {"one": "new", "two": "new"}


@pytest.fixture(params=["exchange", "two renames"])
def swaps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both methods to swap folders: atomically, and on a system without renameat2."""
    if request.param == "two renames":
        monkeypatch.setattr(fs, "_exchange", lambda one, other: errno.ENOSYS)
    return str(request.param)


def test_a_staged_folder_takes_the_place_of_none(tmp_path: Path, swaps: str) -> None:
    folder = tmp_path / "deep" / "out"
    with fs.exclusive(folder) as staging:
        fill(staging, "new")
        assert not folder.exists()
        fs.swap_in(staging, folder)
    assert content(folder) == NEW
    assert sorted(os.listdir(folder.parent)) == [".out.lock", "out"]


def test_a_staged_folder_takes_the_place_of_another(tmp_path: Path, swaps: str) -> None:
    folder = fill(tmp_path / "out", "old")
    with fs.exclusive(folder) as staging:
        fill(staging, "new")
        fs.swap_in(staging, folder)
        assert content(staging) == OLD
    assert content(folder) == NEW
    assert sorted(os.listdir(tmp_path)) == [".out.lock", "out"]


def test_without_a_swap_nothing_changes(tmp_path: Path) -> None:
    folder = fill(tmp_path / "out", "old")
    with contextlib.suppress(ZeroDivisionError), fs.exclusive(folder) as staging:
        fill(staging, "new")
        raise ZeroDivisionError
    assert content(folder) == OLD
    assert sorted(os.listdir(tmp_path)) == [".out.lock", "out"]


def test_the_exchange_is_one_step_here(tmp_path: Path) -> None:
    one, other = fill(tmp_path / "one", "old"), fill(tmp_path / "other", "new")
    code = fs._exchange(one, other)
    if code in (errno.ENOSYS, errno.EINVAL):
        pytest.skip(f"this file system cannot exchange folders: {os.strerror(code)}")
    assert code == 0
    assert (content(one), content(other)) == (NEW, OLD)


def test_an_exchange_that_fails_says_why(tmp_path: Path) -> None:
    assert fs._exchange(tmp_path / "no", tmp_path / "neither") == errno.ENOENT


@pytest.mark.parametrize("after", [1, 2, 3])
def test_a_kill_between_renames_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """Without an atomic exchange there are three renames; after each, the next run finds one of the two folders."""
    folder = fill(tmp_path / "out", "old")
    monkeypatch.setattr(fs, "_exchange", lambda one, other: errno.ENOSYS)
    renames = 0
    rename = Path.rename

    def dying(self: Path, target: Path) -> Path:
        nonlocal renames
        renames += 1
        if renames > after:
            raise KeyboardInterrupt
        return rename(self, target)

    with contextlib.suppress(KeyboardInterrupt), fs.exclusive(folder) as staging:
        fill(staging, "new")
        monkeypatch.setattr(Path, "rename", dying)
        fs.swap_in(staging, folder)
    monkeypatch.setattr(Path, "rename", rename)
    with fs.exclusive(folder):
        # After the first rename the staged folder is gone with the run, and the old one comes back.
        assert content(folder) == (OLD if after == 1 else NEW)
    assert sorted(os.listdir(tmp_path)) == [".out.lock", "out"]


def test_what_a_killed_run_staged_is_cleared(tmp_path: Path) -> None:
    folder = fill(tmp_path / "out", "old")
    fill(tmp_path / ".out.staging" / "deep", "half")
    with fs.exclusive(folder) as staging:
        assert content(staging) == {}
    assert sorted(os.listdir(tmp_path)) == [".out.lock", "out"]


def test_a_file_or_a_link_in_the_place_of_the_staging_folder_is_cleared(tmp_path: Path) -> None:
    kept = fill(tmp_path / "kept", "old")
    (tmp_path / ".out.staging").symlink_to(kept)
    with fs.exclusive(tmp_path / "out") as staging:
        assert not staging.is_symlink()
    assert content(kept) == OLD


@contextlib.contextmanager
def held(lock: Path) -> Iterator[None]:
    """Hold a lock like another run, by a second file descriptor."""
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def test_a_second_run_is_told_to_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fs, "_LOCK_TIMEOUT", 0.05)
    lock, folder = tmp_path / ".out.lock", tmp_path / "out"
    with held(lock), pytest.raises(SourceError) as caught, fs.exclusive(folder):
        raise AssertionError("two runs at once")
    (problem,) = caught.value.problems
    assert str(problem) == (
        f"error: {tmp_path}/out: another run is writing here\n"
        "  help: wait until it ends, or choose another --out"
    )


def test_a_second_run_has_patience_with_one_that_is_ending(tmp_path: Path) -> None:
    """The workers of a killed run keep its lock until they end."""
    pid = os.fork()
    if pid == 0:
        with held(tmp_path / ".out.lock"):
            (tmp_path / "ready").touch()
            time.sleep(0.2)
        os._exit(0)
    while not (tmp_path / "ready").exists():
        time.sleep(0.005)
    with fs.exclusive(tmp_path / "out") as staging:
        assert staging.is_dir()
    assert os.waitpid(pid, 0)[1] == 0


def test_another_folder_has_another_lock(tmp_path: Path) -> None:
    with fs.exclusive(tmp_path / "one"), fs.exclusive(tmp_path / "two"):
        pass


@pytest.fixture(params=[0, 1], ids=["alone", "beside another thread"])
def threads(request: pytest.FixtureRequest) -> Iterator[None]:
    """The system may deliver a signal of the process to any of its threads."""
    done = threading.Event()
    others = [threading.Thread(target=done.wait) for _ in range(request.param)]
    for other in others:
        other.start()
    yield
    done.set()
    for other in others:
        other.join()


@pytest.mark.usefixtures("threads")
def test_ctrl_c_while_the_staging_folder_is_cleared_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear = fs._clear
    sent = []

    def interrupted(folder: Path) -> None:
        if folder.exists():
            os.kill(os.getpid(), signal.SIGINT)
            sent.append(folder)
        clear(folder)

    with pytest.raises(KeyboardInterrupt), fs.exclusive(tmp_path / "out") as staging:
        fill(staging, "new")
        monkeypatch.setattr(fs, "_clear", interrupted)
    assert sent
    assert os.listdir(tmp_path) == [".out.lock"]


def ctrl_c_at_line(moment: int, folder: Path) -> bool:
    """Stage a folder, with Ctrl-C at the n-th executed line; returns False if fewer lines were executed."""
    traced = {module.__file__ for module in (fs, stop_signals, contextlib)}
    lines = itertools.count(1)
    came = False

    def at_line(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal came
        if event == "line" and next(lines) == moment:
            came = True
            sys.settrace(None)
            signal.raise_signal(signal.SIGINT)
        return at_line if frame.f_code.co_filename in traced else None

    tracing = sys.gettrace()
    with contextlib.suppress(KeyboardInterrupt):
        try:
            sys.settrace(at_line)
            with fs.exclusive(folder) as staging:
                fill(staging, "new")
        finally:
            sys.settrace(tracing)
    return came


@pytest.mark.usefixtures("threads")
def test_ctrl_c_at_any_line_leaves_no_staging_folder(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    moments = itertools.takewhile(lambda n: ctrl_c_at_line(n, folder), itertools.count(1))
    left = {moment: os.listdir(tmp_path) for moment in moments}
    assert all(names in ([], [".out.lock"]) for names in left.values())
    assert len(left) > 50


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceError) as caught, fs.exclusive(tmp_path / "file" / "out"):
        raise AssertionError("nothing to write to")
    (problem,) = caught.value.problems
    assert problem.text == "cannot be written: a file is in the place of a folder"
    assert problem.place == str(tmp_path / "file")


@pytest.mark.parametrize("out", ["file", "file/out"])
def test_a_place_is_checked_before_anything_is_written(tmp_path: Path, out: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceError, match="a file is in the place of a folder") as caught:
        fs.check_writable(tmp_path / out)
    assert caught.value.problems[0].place == str(tmp_path / "file")
    fs.check_writable(tmp_path / "new" / "out")
    assert os.listdir(tmp_path) == ["file"]


def test_a_folder_that_refuses_files_cannot_be_written() -> None:
    with pytest.raises(SourceError, match="cannot be written") as caught:
        fs.check_writable(Path("/proc/out"))
    assert caught.value.problems[0].place == "/proc/out"


def test_a_full_disk_comes_with_advice() -> None:
    for code in (errno.ENOSPC, errno.EDQUOT):
        error = fs.cannot_write(OSError(code, os.strerror(code), "/x/y"), Path("/x"))
        (problem,) = error.problems
        assert (problem.place, problem.help) == ("/x/y", "free some space, or choose another --out")


def test_a_kept_file_is_the_same_file(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("kept")
    fs.link_or_copy(old, tmp_path / "new")
    assert old.samefile(tmp_path / "new")


def test_without_links_a_kept_file_is_a_copy_with_its_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(old: Path, new: Path) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", no_links)
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("kept")
    os.utime(old, ns=(1_000_000_123, 1_000_000_123))
    fs.link_or_copy(old, new)
    assert new.read_text() == "kept"
    assert new.stat().st_mtime_ns == 1_000_000_123
    assert not old.samefile(new)
