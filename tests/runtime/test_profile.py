"""SIMT_PROFILE: the table of kernels and the trace of a program."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from simt_programs import libsimt

pytestmark = pytest.mark.slow

PROGRAM = """
#include <cstdio>
template <class T> __global__ void scale(T* x, T f) { x[blockIdx.x * blockDim.x + threadIdx.x] *= f; }
__global__ void waits(float* x) {
  extern __shared__ float s[];
  s[threadIdx.x] = __shfl_xor_sync(0xFFFFFFFF, x[threadIdx.x], 1);
  __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x] + __shfl_xor_sync(0xFFFFFFFF, 1.f, 2);
}
__global__ void parent(float* x) { scale<<<1, 8>>>(x, 2.f); }
__global__ void fails() { asm volatile("trap;"); }
template <class T> void twice(T* x) { for (int i = 0; i < 2; ++i) scale<T><<<3, 64>>>(x, T(2)); }
int main(int count, char**) {
  float* x = nullptr;
  cudaMallocManaged(&x, 192 * sizeof(float));
  twice(x);
  waits<<<2, 64, 64 * sizeof(float)>>>(x);
  if (count > 1) parent<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  if (count > 2) fails<<<1, 1>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """PROGRAM, compiled by simtcc."""
    folder = tmp_path_factory.mktemp("profile")
    (folder / "program.cu").write_text(PROGRAM, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
        command = ["simtcc", "-rdc=true", "program.cu", "-o", "program"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "program"


def _run(program: Path, profile: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *arguments],
        env={**os.environ, "SIMT_PROFILE": profile},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def _table(text: str) -> dict[str, dict[str, str]]:
    """Rows of the table by the name of the kernel."""
    lines = text.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split()[-1:] == ["kernel"])
    columns = re.split(
        r"\s{1,}(?=\S)",
        lines[head].replace("switch %", "switch").replace("of warps", "warps").strip(),
    )
    rows = {}
    for line in lines[head + 1 :]:
        if not re.match(r"\s+[\d.]+\s", line):
            break
        values = line.split(None, len(columns) - 1)
        rows[values[-1]] = dict(zip(columns, values, strict=True))
    return rows


def test_the_table_counts_what_the_threads_did(program: Path) -> None:
    done = _run(program, "1")
    assert done.returncode == 0
    rows = _table(done.stderr)
    assert set(rows) == {"scale<float>", "waits"}
    scale, waits = rows["scale<float>"], rows["waits"]
    assert [scale[name] for name in ("launches", "blocks", "threads")] == ["2", "6", "384"]
    assert [scale[name] for name in ("switches", "barriers", "warps")] == ["0.0", "0.0", "0.0"]
    assert [waits[name] for name in ("launches", "blocks", "threads", "shared")] == [
        "1",
        "2",
        "128",
        "256",
    ]
    assert [waits[name] for name in ("barriers", "warps")] == ["1.0", "2.0"]
    # Nearly every thread waits at each of the two shuffles and the barrier; then it returns.
    assert 2.9 < float(waits["switches"]) <= 4.1
    assert 0 < float(waits["switch"]) < 100
    shares = [float(row["%"]) for row in rows.values()]
    assert abs(sum(shares) - 100) < 0.3
    total = re.search(r"ran 2 kernels for ([\d.]+) ms", done.stderr)
    assert total is not None
    assert abs(sum(float(row["ms"]) for row in rows.values()) - float(total[1])) < 0.01


def test_the_trace_has_an_event_for_each_launch(program: Path, tmp_path: Path) -> None:
    done = _run(program, str(tmp_path / "trace-%p.json"), "with a child")
    assert done.returncode == 0
    (file,) = tmp_path.iterdir()
    assert re.fullmatch(r"trace-\d+\.json", file.name)
    trace = json.loads(file.read_text("utf-8"))
    events = trace["traceEvents"]
    assert sorted(event["name"] for event in events) == [
        "parent",
        "scale",
        "scale<float>",
        "scale<float>",
        "waits",
    ]
    assert all(event["ph"] == "X" and event["dur"] > 0 and event["ts"] >= 0 for event in events)
    assert {event["args"]["block"] for event in events} == {"64 x 1 x 1", "1 x 1 x 1", "8 x 1 x 1"}
    first, second = sorted(
        (e for e in events if e["name"] == "scale<float>"), key=lambda e: e["ts"]
    )
    assert first["ts"] + first["dur"] <= second["ts"] + 1, "launches of a stream do not overlap"


def test_a_fault_leaves_the_profile_of_the_kernels_before(program: Path) -> None:
    done = _run(program, "1", "with a child", "with a fault")
    assert done.returncode == 1
    assert {"scale<float>", "waits", "parent"} <= set(_table(done.stderr))


def test_a_file_that_cannot_be_written_is_reported(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "missing" / "trace.json"
    done = _run(program, str(path))
    assert done.returncode == 0
    assert f"SIMT_PROFILE: {path} cannot be written" in done.stderr
    assert "waits" in _table(done.stderr)


@pytest.mark.parametrize("off", ["", "0"])
def test_without_the_variable_nothing_is_written(program: Path, off: str) -> None:
    done = _run(program, off)
    assert (done.returncode, done.stderr) == (0, "")
