"""The compiler plugin inlines kernels that never wait into the loop over the threads of a block."""

from __future__ import annotations

import math
import re
import subprocess

import pytest
from simt_programs import libsimt

from porter.simt.build import conversion_flags, link_flags, program_flags

PROGRAM = """
#include <simt_runtime.h>
#include <cstdio>

// Two calls of a function of this size stay calls at -O1, unless the kernel is flattened.
__device__ int helper(int x) {
  for (int i = 0; i < 10; ++i) x = x * 31 + (x >> 3) % 7;
  return x;
}
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ int shuffled(int x) { return __shfl_xor_sync(0xFFFFFFFF, x, 1); }

__global__ void elementwise(int* x) { x[threadIdx.x] = helper(x[threadIdx.x]) - helper(threadIdx.x); }
__global__ void waits(int* x) {
  x[threadIdx.x] = helper(x[threadIdx.x]) - helper(threadIdx.x);
  __syncthreads();
}
__global__ void waits_in_a_function(int* x) {
  x[threadIdx.x] = shuffled(helper(x[threadIdx.x]) - helper(threadIdx.x));
}
__global__ void recursive(int* x) { x[threadIdx.x] = factorial(x[threadIdx.x] & 7) + helper(1) - helper(1); }

int main() {
  int* x = nullptr;
  simtMalloc(&x, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) x[i] = i;
  SIMT_LAUNCH((elementwise), (1), (32), (0), (0), x);
  SIMT_LAUNCH((waits), (1), (32), (0), (0), x);
  SIMT_LAUNCH((waits_in_a_function), (1), (32), (0), (0), x);
  SIMT_LAUNCH((recursive), (1), (32), (0), (0), x);
  if (simtDeviceSynchronize() != simtSuccess) return 1;
  long sum = 0;
  for (int i = 0; i < 32; ++i) sum += x[i];
  std::printf("%ld\\n", sum);
}
"""


@pytest.fixture(scope="module")
def loops(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Assembly code of the loop over threads, by the name of the kernel in the launch's function."""
    folder = tmp_path_factory.mktemp("loops")
    source = folder / "program.cpp"
    source.write_text(PROGRAM, encoding="utf-8")
    convert = conversion_flags(libsimt().parent)
    assert not convert.warning
    flags = [*program_flags(), *convert.flags, "-O1", "-x", "c++", str(source)]
    assembly = folder / "program.s"
    subprocess.run(["g++", *flags, "-S", "-o", assembly], check=True)
    program = folder / "program"
    link = link_flags(libsimt().parent)
    subprocess.run(["g++", *flags, "-x", "none", "-o", program, *link], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(_expected())
    text = assembly.read_text(encoding="utf-8")
    bodies = re.findall(r"^(\w*run_threads\w*):\n(.*?)\.cfi_endproc", text, re.M | re.S)
    # Launches stand in the order of their lambdas in main.
    order = sorted(
        bodies, key=lambda one: int((re.findall(r"UlT?_?DpT_E(\d*)_", one[0]) or ["0"])[0] or -1)
    )
    names = ("elementwise", "waits", "waits_in_a_function", "recursive")
    assert len(order) == len(names)
    return dict(zip(names, (body for _, body in order), strict=True))


def _expected() -> int:
    def wrapped(x: int) -> int:
        return (x + 2**31) % 2**32 - 2**31

    def helper(x: int) -> int:
        for _ in range(10):
            shifted = x >> 3
            rest = abs(shifted) % 7 * (1 if shifted >= 0 else -1)
            x = wrapped(wrapped(x * 31) + rest)
        return x

    x = [wrapped(helper(i) - helper(i)) for i in range(32)]
    x = [wrapped(helper(x[i]) - helper(i)) for i in range(32)]
    x = [wrapped(helper(x[i]) - helper(i)) for i in range(32)]
    x = [x[i ^ 1] for i in range(32)]

    return sum(math.factorial(one & 7) for one in x)


def test_a_kernel_without_barriers_is_inlined(loops: dict[str, str]) -> None:
    assert not re.search(r"call\s.*(helper|elementwise)", loops["elementwise"])


@pytest.mark.parametrize("kernel", ["waits", "waits_in_a_function", "recursive"])
def test_other_kernels_are_not(loops: dict[str, str], kernel: str) -> None:
    assert re.search(rf"(call|jmp)\s.*(helper|{kernel})", loops[kernel])
