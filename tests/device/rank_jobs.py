"""Jobs of two ranks for the tests of torch.distributed: processes whose output goes to files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import pytest

RANKS = 2
LIMIT = 300
"""Seconds after which a rank counts as a hang."""
NONE: Mapping[str, str] = MappingProxyType({})


class Rank:
    """Process of one rank: `program RANK RANKS argument...`."""

    def __init__(
        self,
        rank: int,
        folder: Path,
        program: Sequence[str | Path],
        arguments: Sequence[str | Path],
        variables: Mapping[str, str] = NONE,
    ) -> None:
        self.out = folder / f"out{rank}"
        environment = {
            **os.environ,
            "SIMT_DEVICE_COUNT": str(RANKS),
            "SIMT_NUM_THREADS": "1",
            "TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC": "30",
            **variables,
        }
        with self.out.open("wb") as out:
            self.process = subprocess.Popen(
                [*program, str(rank), str(RANKS), *arguments],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=out,
                env=environment,
            )

    def wait(self, limit: float = LIMIT) -> int:
        """Exit status of the rank. Fails the test if the rank does not end."""
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.kill()
            pytest.fail(f"a rank hangs:\n{self.text()}")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def text(self) -> str:
        return self.out.read_text(encoding="utf-8", errors="replace")


def job(cases: Sequence[str], folder: Path, timeout: int = 120) -> list[Rank]:
    """Ranks that run cases of distributed_ranks.py."""
    program = [sys.executable, Path(__file__).with_name("distributed_ranks.py")]
    variables = {"TEST_TIMEOUT": str(timeout)}
    return [
        Rank(rank, folder, program, [folder / "store", *cases], variables) for rank in range(RANKS)
    ]
