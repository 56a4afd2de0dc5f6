"""Work distributed to processes: every piece is done once, and no process remains."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

import pytest

from porter.base.errors import Problem, SourceError
from porter.base.fork_pool import share_out


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def children() -> set[str]:
    """Child processes of this process. Other tests may leave running ones, for example the compile workers of
    torch._inductor.
    """
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                found.add(process.name)
    return found


@pytest.mark.parametrize("jobs", [1, 2, 3, 40])
@pytest.mark.parametrize("pieces", [0, 1, 2, 29, 1000])
def test_every_piece_is_done_once(pieces: int, jobs: int) -> None:
    files, before = open_files(), children()
    done = list(share_out(pieces, lambda piece: (piece, os.getpid()), jobs))
    assert sorted(piece for piece, _ in done) == list(range(pieces))
    apart = {pid for _, pid in done} - {os.getpid()}
    assert (len(apart) >= 1) == (min(pieces, jobs) > 1)
    assert len(apart) <= jobs
    assert open_files() == files
    assert children() == before


def test_large_results_come_whole() -> None:
    assert sorted(map(len, share_out(6, lambda piece: bytes(piece * 1_000_000), 3))) == [
        piece * 1_000_000 for piece in range(6)
    ]


def test_an_error_comes_with_its_problems() -> None:
    problem = Problem("is broken", "a.cpp", "mend it")

    def work(piece: int) -> int:
        if piece == 7:
            raise SourceError([problem])
        return piece

    files, before = open_files(), children()
    with pytest.raises(SourceError) as caught:
        list(share_out(50, work, 3))
    assert caught.value.problems == (problem,)
    assert str(caught.value) == str(problem)
    assert open_files() == files
    assert children() == before


def test_a_worker_that_dies_is_an_error() -> None:
    def work(piece: int) -> int:
        if piece == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return piece

    before = children()
    with pytest.raises(SourceError, match="a worker process died"):
        list(share_out(50, work, 2))
    assert children() == before


def test_workers_end_with_the_one_who_asked(tmp_path: Path) -> None:
    def work(piece: int) -> int:
        (tmp_path / str(os.getpid())).touch()
        time.sleep(0.01)
        return piece

    before = children()
    with contextlib.closing(share_out(1000, work, 3)) as results:
        next(results)
    assert children() == before
    assert 1 <= len(os.listdir(tmp_path)) <= 3


def test_workers_leave_ctrl_c_to_the_one_who_asked() -> None:
    def work(piece: int) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return piece

    assert sorted(share_out(8, work, 2)) == list(range(8))


def test_too_many_pieces_are_refused_and_not_waited_for() -> None:
    with pytest.raises(ValueError, match="9000 pieces"):
        list(share_out(9000, int, 2))
