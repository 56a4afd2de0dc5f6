"""torchrun on two machines: training with DistributedDataParallel."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from repository import ROOT
from two_hosts import ADDRESSES, INTERFACES, two_hosts

pytestmark = pytest.mark.slow

EXAMPLE = ROOT / "examples/distributed/transformer.py"
LIMIT = 300
"""Seconds after which a job counts as a hang."""


def torchrun(on_host: list[str], host: int, folder: Path, steps: int) -> subprocess.Popen[str]:
    """Agent of one machine, with two ranks."""
    rendezvous = ["--rdzv-backend", "c10d", "--rdzv-endpoint", f"{ADDRESSES[0]}:29500"]
    local = ["--rdzv-conf", f"is_host={int(host == 0)}", "--local-addr", ADDRESSES[host]]
    run = ["-m", "torch.distributed.run", "--nnodes", "2", "--nproc-per-node", "2"]
    return subprocess.Popen(
        [*on_host, sys.executable, *run, *rendezvous, *local, EXAMPLE, "--steps", str(steps)],
        stdout=subprocess.PIPE,
        stderr=(folder / f"errors{host}").open("w"),
        text=True,
        env={
            **os.environ,
            "SIMT_DEVICE_COUNT": "2",
            "SIMT_NUM_THREADS": "1",
            "GLOO_SOCKET_IFNAME": INTERFACES[host],
        },
    )


def losses(text: str) -> dict[int, float]:
    found = re.findall(r"^step (\d+): loss (\S+)$", text, re.MULTILINE)
    return {int(step): float(loss) for step, loss in found}


def test_two_machines_with_two_ranks_each_train_as_one_process(tmp_path: Path) -> None:
    alone = subprocess.run(
        [sys.executable, EXAMPLE, "--steps", "2"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "SIMT_NUM_THREADS": "1"},
    )
    with two_hosts() as hosts:
        agents = [torchrun(on_host, host, tmp_path, 2) for host, on_host in enumerate(hosts)]
        try:
            said = [agent.communicate(timeout=LIMIT)[0] for agent in agents]
        finally:
            for agent in agents:
                agent.kill()
    errors = [(tmp_path / f"errors{host}").read_text() for host in range(2)]
    assert [agent.returncode for agent in agents] == [0, 0], errors
    assert losses(said[0] + said[1]).keys() == {0, 1}
    torch.testing.assert_close(
        losses(said[0] + said[1]), losses(alone.stdout), rtol=1e-4, atol=1e-5
    )
