"""Faults of ranks in each phase of a job: each remaining rank gets an error in time, and no file is left behind.

The ranks are processes that run fault_ranks.py. test_distributed.py has a rank that is killed between collectives,
one that is stopped, one that never calls, different sizes, and an address in use.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from rank_jobs import NONE, RANKS, Rank, job

pytest.importorskip("torch", reason="PyTorch is not installed")

pytestmark = pytest.mark.slow

PROGRAM = (sys.executable, Path(__file__).with_name("fault_ranks.py"))
SHARED = Path("/dev/shm")
LIMIT = 90
"""Seconds in which a rank must end: 10 s of timeout, and the start of a process on a busy machine."""


@pytest.fixture(autouse=True)
def no_file_is_left() -> Iterator[None]:
    before = {entry.name for entry in SHARED.iterdir()}
    yield
    after = {entry.name for entry in SHARED.iterdir()}
    assert not [name for name in after - before if "simt" in name or "torch" in name]


def ranks(
    case: str, folder: Path, variables: Mapping[str, str] = NONE, url: str = ""
) -> list[Rank]:
    if not url:
        with socket.create_server(("127.0.0.1", 0)) as free:
            url = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    return [Rank(rank, folder, PROGRAM, [url, case], variables) for rank in range(RANKS)]


@pytest.mark.parametrize(
    ("case", "error"),
    [
        ("killed_before_init", "1/2 clients joined"),
        ("killed_during_collective", "rank 1 has ended: its process is gone"),
        ("killed_during_finalize", "rank 1 has ended: its process is gone"),
    ],
)
def test_a_killed_rank_is_an_error_of_the_other_rank(case: str, error: str, tmp_path: Path) -> None:
    first, last = ranks(case, tmp_path)
    assert last.wait(LIMIT) == -9, last.text()
    assert first.wait(LIMIT) != 0
    assert error in first.text()
    assert "no error" not in first.text()


AS_CUDA = {"TORCH_SIMT_AS_CUDA": "1"}


@pytest.mark.parametrize(
    ("case", "variables"),
    [
        ("killed_before_communicator", NONE),
        ("killed_before_first_message", NONE),
        ("killed_before_split", AS_CUDA),
    ],
)
def test_a_rank_that_is_killed_before_it_joins_a_communicator_is_an_error_at_once(
    case: str, variables: Mapping[str, str], tmp_path: Path
) -> None:
    first, last = ranks(case, tmp_path, {"TEST_TIMEOUT": "600", **variables})
    assert last.wait(LIMIT) == -9, last.text()
    assert first.wait(LIMIT) not in (0, -9), first.text()
    assert "rank 1 has ended before it joined the communicator" in first.text()


def test_the_end_of_the_rank_that_makes_the_unique_id_is_an_error_at_once(tmp_path: Path) -> None:
    found = ranks(
        "first_killed_before_communicator",
        tmp_path,
        {"TEST_TIMEOUT": "600"},
        f"file://{tmp_path / 'store'}",
    )
    assert found[0].wait(LIMIT) == -9, found[0].text()
    assert found[1].wait(LIMIT) != 0
    assert "rank 0 has ended before it joined the communicator" in found[1].text()


@pytest.mark.parametrize(("case", "variables"), [("never_joins", NONE), ("never_splits", AS_CUDA)])
def test_a_rank_that_never_joins_a_communicator_is_an_error_after_the_timeout(
    case: str, variables: Mapping[str, str], tmp_path: Path
) -> None:
    first, last = ranks(case, tmp_path, variables)
    assert first.wait(LIMIT) != 0
    assert last.process.poll() is None
    last.kill()
    assert "after 10000 ms" in first.text()
    assert "had not joined the communicator: 1" in first.text()


@pytest.mark.parametrize(
    ("case", "error"),
    [
        ("different_types", "ranks call different operations"),
        ("different_numbers_of_ranks_last_is_late", "rank 1 expects 3 ranks, another expects 2"),
        ("different_numbers_of_ranks_first_is_late", "rank 0 expects 2 ranks, another expects 3"),
    ],
)
def test_a_difference_between_ranks_is_an_error_of_each_rank(
    case: str, error: str, tmp_path: Path
) -> None:
    for rank in ranks(case, tmp_path):
        assert rank.wait(LIMIT) != 0
        assert error in rank.text()


def test_the_failure_of_one_job_does_not_concern_another(tmp_path: Path) -> None:
    folders = [tmp_path / "works", tmp_path / "fails"]
    for folder in folders:
        folder.mkdir()
    works, fails = job(("collectives", "ddp"), folders[0]), job(("died",), folders[1])
    assert [rank.wait() for rank in works] == [0, 0], [rank.text() for rank in works]
    first, last = fails
    assert last.wait() == -9
    assert first.wait() != 0


def with_full_shared_memory() -> Sequence[str]:
    """Command that runs a program in a mount namespace whose /dev/shm is full."""
    command = ["unshare", "--mount", "sh", "-c"]
    script = (
        f"mount -t tmpfs -o size=4k none {SHARED} && head -c 4096 /dev/zero > {SHARED}/filler && "
        f'! head -c 1 /dev/zero >> {SHARED}/filler 2> /dev/null && exec "$@"'
    )
    if not shutil.which("unshare") or subprocess.run([*command, script, "sh", "true"]).returncode:
        pytest.skip("the system permits no mount in a namespace")
    return [*command, script, "sh"]


def test_a_full_dev_shm_does_not_concern_a_job(tmp_path: Path) -> None:
    program = [
        *with_full_shared_memory(),
        sys.executable,
        PROGRAM[1].with_name("distributed_ranks.py"),
    ]
    found = [
        Rank(rank, tmp_path, program, [tmp_path / "store", "collectives", "messages", "ddp"])
        for rank in range(RANKS)
    ]
    assert [rank.wait() for rank in found] == [0, 0], [rank.text() for rank in found]
