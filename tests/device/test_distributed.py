"""torch.distributed on the device: collectives, data parallelism, sharded models, and ranks that fail.

The ranks are processes that run distributed_ranks.py. Each test reads the result of one case; the cases without
failures run in one pair of processes.
"""

from __future__ import annotations

import functools
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

import pytest
import torch
import torch.distributed
from rank_jobs import LIMIT, RANKS, job
from repository import ROOT

pytestmark = pytest.mark.slow

CASES = (
    *(
        "collectives",
        "messages",
        "groups",
        "groups_of_one_rank",
        "groups_as_with_nccl",
        "gloo",
        "gloo_copies",
        "gloo_on_a_stream",
        "ddp",
        "fsdp1",
        "fsdp2",
        "dtensor",
        "checkpoint",
    ),
    "sync_batch_norm",
    "symmetric_memory",
    "quantized_values",
)


@functools.cache
def healthy() -> tuple[list[int], list[str]]:
    """Exit statuses and output of ranks that run all cases without failures."""
    with tempfile.TemporaryDirectory() as folder:
        ranks = job(CASES, Path(folder))
        return [rank.wait() for rank in ranks], [rank.text() for rank in ranks]


@pytest.mark.parametrize("case", CASES)
def test_two_ranks_give_the_results_of_one_process(case: str) -> None:
    _, texts = healthy()
    for text in texts:
        assert f"{case} ok" in text, text


def test_ranks_end_without_errors() -> None:
    codes, texts = healthy()
    assert codes == [0] * RANKS, texts


def test_a_killed_rank_ends_the_others_with_an_error(tmp_path: Path) -> None:
    first, last = job(("died",), tmp_path)
    assert last.wait() == -9
    start = time.monotonic()
    assert first.wait() != 0
    assert time.monotonic() - start < 60
    assert "rank 1 has ended: its process is gone" in first.text()


@pytest.mark.parametrize("case", ["never_calls", "stops"])
def test_a_rank_that_never_calls_ends_the_others_after_the_timeout(
    case: str, tmp_path: Path
) -> None:
    first, last = job((case,), tmp_path, timeout=5)
    assert first.wait() != 0
    assert "Timeout" in first.text()
    assert last.process.poll() is None
    last.kill()


def test_an_address_in_use_is_an_error_of_the_first_rank() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(RuntimeError, match="EADDRINUSE"):
            torch.distributed.init_process_group(
                init_method=f"tcp://127.0.0.1:{port}",
                rank=0,
                world_size=RANKS,
                timeout=timedelta(seconds=5),
            )
    assert not torch.distributed.is_initialized()


def test_different_sizes_are_an_error_of_each_rank(tmp_path: Path) -> None:
    for rank in job(("mismatch",), tmp_path):
        assert rank.wait() != 0
        assert "ranks call different operations" in rank.text()


EXAMPLE = ROOT / "examples/distributed/transformer.py"


def losses(text: str) -> dict[int, float]:
    """Loss of each step that the example printed; the last one, if a step was repeated."""
    found = re.findall(r"^step (\d+): loss (\S+)$", text, re.MULTILINE)
    return {int(step): float(loss) for step, loss in found}


def test_torchrun_restarts_after_a_killed_rank_and_training_continues(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"]
    example = [EXAMPLE, "--steps", "5", "--checkpoint", tmp_path / "state", "--kill-before", "4"]
    environment = {**os.environ, "SIMT_NUM_THREADS": "1"}
    with subprocess.Popen(
        [sys.executable, EXAMPLE, "--steps", "5"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as alone:
        done = subprocess.run(
            [*run, "--max-restarts", "1", *example],
            capture_output=True,
            text=True,
            timeout=LIMIT,
            env=environment,
        )
        expected = losses(alone.communicate(timeout=LIMIT)[0])
    assert done.returncode == 0, done.stderr
    # torchrun reports only the first failure that it sees: of the killed rank, or of the rank that waited for it.
    assert "(exitcode: " in done.stderr
    assert "continue at step 3\n" in done.stdout
    assert done.stdout.count("step 0: ") == 1, "the second attempt continues at the checkpoint"
    torch.testing.assert_close(losses(done.stdout), expected, rtol=1e-4, atol=1e-5)


def test_a_restarted_worker_does_not_see_the_values_of_the_attempt_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rendezvous = sys.modules["torch.distributed.rendezvous"]
    agent = torch.distributed.TCPStore("localhost", 0, is_master=True)
    monkeypatch.setenv("TORCHELASTIC_USE_AGENT_STORE", "True")
    monkeypatch.setenv("GROUP_WORLD_SIZE", "1")

    def worker(attempt: int) -> torch.distributed.Store:
        monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", str(attempt))
        return rendezvous._create_c10d_store("localhost", agent.port, 0, 1, agent.timeout)

    first, second, third = worker(0), worker(1), worker(2)
    first.set("id", "0")
    assert not second.check(["id"])
    second.set("id", "1")
    assert [each.check(["id"]) for each in (first, second, third)] == [True, True, False]
    third.set("id", "2")
    # The process group asks the store below all prefixes for signals of other ranks.
    below = torch.distributed.PrefixStore("group", third)._underlying_non_prefix_store
    assert [each.get("id") for each in (first, second, third, below)] == [b"0", b"1", b"2", b"2"]
