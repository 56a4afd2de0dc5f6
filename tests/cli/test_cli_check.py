"""`porter check` as a user calls it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from ground_truth import PROGRAMS
from simt_programs import libsimt

from porter.cli.main import cli


@pytest.mark.parametrize(
    ("kinds", "message"),
    [("races", "'races' is not one of memory, race, sync"), ("", "names no kind")],
)
def test_a_wrong_kind_is_a_usage_error(kinds: str, message: str) -> None:
    source = str(PROGRAMS / "race" / "shared_neighbour.cu")
    result = CliRunner().invoke(cli, ["check", "--check", kinds, source])
    assert message in result.output + str(result.exception)


@pytest.mark.slow
def test_findings_decide_the_exit_code(tmp_path: Path) -> None:
    environment = {**os.environ, "PORTER_SIMT_RUNTIME": str(libsimt().parent)}
    source = tmp_path / "order.cu"
    source.write_text(
        """#include <cstdio>
#include <cuda_runtime.h>
__global__ void kernel(int* out, int* at) { out[(*at)++] = threadIdx.x; }
int main(int count, char** words) {
  int *out, *at, host[32];
  cudaMalloc(&out, 128);
  cudaMalloc(&at, 4);
  cudaMemset(at, 0, 4);
  kernel<<<1, 32>>>(out, at);
  cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);
  std::printf("first %d %s\\n", host[0], words[count - 1]);
}
""",
        encoding="utf-8",
    )
    accepted = tmp_path / "accepted.yaml"
    accepted.write_text("- {kind: race, reason: a test, line: 3}\n", encoding="utf-8")
    command = ["check", "--json", "--check", "race,schedule", "--suppressions", str(accepted)]
    words = [*command, "--error-exitcode", "9", str(source), "--", "word"]
    done = subprocess.run(
        [sys.executable, "-m", "porter", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 9, done.stderr
    assert "first 0 word" in done.stderr
    data = json.loads(done.stdout)
    assert [one["kind"] for one in data["findings"]] == ["schedule"]
    assert data["suppressed"] >= 1
    assert "SIMT_SCHEDULE=reverse: line 1 is 'first 31 word'" in data["findings"][0]["object"]


BLOCKS = """#include <cstdio>
#include <cuda_runtime.h>
__device__ int turn;
__global__ void {kernel}
int main() {{
  int *out, host[64];
  cudaMalloc(&out, 256);
  kernel<<<64, 32>>>(out);
  cudaMemcpy(host, out, 256, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++) std::printf("%d ", host[i]);
}}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "found"),
    [
        # The block that begins first takes the first place.
        ("kernel(int* out) { if (threadIdx.x == 0) out[blockIdx.x] = atomicAdd(&turn, 1); }", True),
        ("kernel(int* out) { if (threadIdx.x == 0) out[blockIdx.x] = blockIdx.x * 7; }", False),
        # Each block waits for the one before: no order of blocks but the usual one ends.
        (
            "kernel(int* out) { if (threadIdx.x == 0) { while (atomicAdd(&turn, 0) != blockIdx.x) { } "
            "out[blockIdx.x] = turn; __threadfence(); atomicAdd(&turn, 1); } }",
            False,
        ),
    ],
    ids=["depends", "independent", "waits"],
)
def test_orders_of_blocks(tmp_path: Path, kernel: str, found: bool) -> None:
    source = tmp_path / "blocks.cu"
    source.write_text(BLOCKS.format(kernel=kernel), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "porter", "check", "--json", "--check", "schedule", str(source)],
        env={**os.environ, "PORTER_SIMT_RUNTIME": str(libsimt().parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    findings = json.loads(done.stdout)["findings"]
    if found:
        assert done.returncode == 1, done.stderr
        (one,) = findings
        assert "SIMT_SCHEDULE=blocks-reverse" in one["object"]
        assert "order of the blocks of a grid" in one["text"]
    else:
        assert (done.returncode, findings) == (0, []), done.stderr
