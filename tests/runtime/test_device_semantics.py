"""Device semantics on the host: programs that are correct on a GPU and that a host's compiler may miscompile.
They are compiled with -O2, like users' programs; the runtime's own tests are compiled with -O1.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from simt_programs import compile_ported

pytestmark = pytest.mark.slow

HEAD = """
#include <simt_runtime.h>
#include <cstdio>
#include <ctime>
"""

ALIASING = """
__global__ void through_two_types(int* as_int, float* as_float, int* out) {
  *as_int = 1;
  *as_float = 2.0f;
  *out = *as_int;
}
int main() {
  int* memory;
  simtMallocManaged(&memory, 2 * sizeof *memory);
  SIMT_LAUNCH((through_two_types), (1), (1), (0), (0), memory,
              reinterpret_cast<float*>(memory), memory + 1);
  simtDeviceSynchronize();
  std::printf("%x\\n", static_cast<unsigned>(memory[1]));
}
"""

CLOCKS = """
__host__ __device__ clock_t now() { return clock(); }
__device__ void spin(clock_t cycles) {
  const clock_t start = std::clock();
  while (now() - start < cycles) {
  }
}
__global__ void waits(clock_t cycles, long long* passed) {
  const long long start = clock64();
  spin(cycles);
  *passed = clock64() - start;
}
int main() {
  long long* passed;
  simtMallocManaged(&passed, sizeof *passed);
  simtDeviceProp device;
  simtGetDeviceProperties(&device, 0);
  timespec begin, end;
  timespec_get(&begin, TIME_UTC);
  const clock_t used = now();
  SIMT_LAUNCH((waits), (1), (1), (0), (0), 50 * device.clockRate, passed);  // 50 milliseconds
  const int failed = simtDeviceSynchronize();
  volatile double sum = 0;
  while (now() - used < CLOCKS_PER_SEC / 5) sum = sum + 1;  // processor time of the host
  timespec_get(&end, TIME_UTC);
  const double seconds = double(end.tv_sec - begin.tv_sec) + 1e-9 * double(end.tv_nsec - begin.tv_nsec);
  const double milliseconds = double(*passed) / device.clockRate;
  std::printf("%d %d %d\\n", failed, milliseconds >= 50 && milliseconds < 5000,
              seconds >= 0.1 && seconds < 30);
}
"""


def _output(tmp_path: Path, text: str, *more: str) -> str:
    source = tmp_path / "program.cu"
    source.write_text(HEAD + text)
    program = compile_ported(source, tmp_path / "program", "-O2", *more)
    return subprocess.run([program], capture_output=True, text=True, check=True, timeout=60).stdout


def test_memory_is_read_through_pointers_of_other_types(tmp_path: Path) -> None:
    assert _output(tmp_path, ALIASING) == "40000000\n"


def test_the_flag_is_what_lets_memory_be_read_so(tmp_path: Path) -> None:
    assert _output(tmp_path, ALIASING, "-fstrict-aliasing") == "1\n"


def test_clock_counts_cycles_in_kernels_and_processor_time_on_the_host(tmp_path: Path) -> None:
    assert _output(tmp_path, CLOCKS) == "0 1 1\n"
