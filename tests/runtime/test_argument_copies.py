"""The compiler plugin lets kernels read large arguments of the launch, unless they change them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from simt_programs import libsimt

from porter.simt.build import conversion_flags, link_flags, program_flags

PROGRAM = """
#include <simt_runtime.h>
#include <cstdio>

struct Big {
  int values[100];
  int count;
  __device__ int sum(int first) const {
    int total = 0;
    for (int i = 0; i < 40; ++i) {
      if (i == count) break;
      total += values[(first + i) % 40];
    }
    return total;
  }
  __device__ void add(int i, int n) { values[i] += n; }
};

__device__ __attribute__((noinline)) void change(Big* b) { b->values[0] += 1; }
__device__ __attribute__((noinline)) int look(const Big* b) { return b->values[0] + b->count; }
__device__ int of_copy(Big b) {
  b.values[1] += threadIdx.x;
  return b.values[1];
}

__global__ void reads(int* x, Big b) { x[threadIdx.x] += b.sum(threadIdx.x) + b.values[threadIdx.x % 7]; }
__global__ void writes(int* x, Big b) {
  b.values[threadIdx.x % 3] += 5;
  x[threadIdx.x] += b.sum(0);
}
__global__ void writes_in_a_member(int* x, Big b) {
  b.add(threadIdx.x % 4, 7);
  x[threadIdx.x] += b.sum(0);
}
__global__ void writes_sometimes(int* x, Big b) {
  if (threadIdx.x == 3) b.count = 1;
  x[threadIdx.x] += b.sum(1);
}
__global__ void writes_by_a_pointer(int* x, Big b) {
  int* p = threadIdx.x % 2 ? b.values : b.values + 20;
  *p += 9;
  x[threadIdx.x] += b.sum(0);
}
__global__ void reads_by_a_pointer(int* x, Big b) {
  const int* p = threadIdx.x % 2 ? b.values : b.values + 20;
  x[threadIdx.x] += p[1] + p[threadIdx.x % 5];
}
__global__ void gives_the_address(int* x, Big b) {
  change(&b);
  x[threadIdx.x] += b.values[0];
}
__global__ void gives_the_address_to_read(int* x, Big b) { x[threadIdx.x] += look(&b); }
__global__ void copies(int* x, Big b) { x[threadIdx.x] += of_copy(b) + b.values[1]; }
__global__ void assigns(int* x, Big b, Big c) {
  if (threadIdx.x % 2) b = c;
  x[threadIdx.x] += b.sum(2);
}
template <class F>
__global__ void calls(int* x, F f) { x[threadIdx.x] += f(threadIdx.x); }

int main() {
  int* x = nullptr;
  simtMalloc(&x, 64 * sizeof(int));
  Big b{}, c{};
  for (int i = 0; i < 100; ++i) b.values[i] = i * i, c.values[i] = 3 * i;
  b.count = 11;
  c.count = 2;
  auto show = [&](const char* name) {
    simtDeviceSynchronize();
    unsigned sum = 0;
    for (int i = 0; i < 64; ++i) sum = sum * 31 + x[i], x[i] = 0;
    std::printf("%s %u\\n", name, sum);
  };
  for (int i = 0; i < 64; ++i) x[i] = 0;
#define RUN(kernel, ...) SIMT_LAUNCH((kernel), (1), (64), (0), (0), x, __VA_ARGS__); show(#kernel)
  RUN(reads, b);
  RUN(writes, b);
  RUN(writes_in_a_member, b);
  RUN(writes_sometimes, b);
  RUN(writes_by_a_pointer, b);
  RUN(reads_by_a_pointer, b);
  RUN(gives_the_address, b);
  RUN(gives_the_address_to_read, b);
  RUN(copies, b);
  RUN(assigns, b, c);
  RUN(calls, [=](int i) { return b.values[i % 40] + c.sum(i); });
  RUN(calls, ([=](int i) mutable { b.values[2] += i; return b.sum(0); }));
}
"""


def compiled(folder: Path, level: str, *, plugin: bool = True) -> list[str]:
    """Command that compiles PROGRAM, up to its output."""
    source = folder / "program.cpp"
    source.write_text(PROGRAM, encoding="utf-8")
    convert = conversion_flags(libsimt().parent)
    assert not convert.warning
    flags = convert.flags if plugin else ()
    return ["g++", *program_flags(), *flags, *level.split(), "-w", "-x", "c++", str(source)]


def output(folder: Path, level: str, *, plugin: bool = True) -> list[str]:
    """Lines that the compiled program prints."""
    program = folder / "program"
    link = link_flags(libsimt().parent)
    command = [*compiled(folder, level, plugin=plugin), "-x", "none", "-o", str(program), *link]
    subprocess.run(command, check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O1 -g", "-O2", "-O3", "-O1 -fno-tree-sra"])
def test_each_thread_has_its_own_parameters(tmp_path: Path, level: str) -> None:
    (tmp_path / "plain").mkdir()
    expected = output(tmp_path / "plain", "-O0", plugin=False)
    assert len(expected) == 12
    assert output(tmp_path, level) == expected


def test_only_arguments_that_change_are_copied(tmp_path: Path) -> None:
    assembly = tmp_path / "program.s"
    subprocess.run([*compiled(tmp_path, "-O1"), "-S", "-o", assembly], check=True)
    text = assembly.read_text(encoding="utf-8")
    bodies = re.findall(r"^(\w*run_threads\w*):\n(.*?)\.cfi_endproc", text, re.M | re.S)
    # Launches stand in the order of their lambdas in main; `show` is the first lambda.
    order = sorted(bodies, key=lambda one: int(re.findall(r"UlT?_?DpT_E(\d*)_", one[0])[0] or -1))
    names = [line.split()[0] for line in output(tmp_path, "-O1")]
    assert len(order) == len(names) == 12
    copied = [name for name, (_, body) in zip(names, order, strict=True) if "rep movs" in body]
    # The pass does not follow an address that is one of several, nor one that a function gets.
    assert copied == [
        *("writes", "writes_in_a_member", "writes_by_a_pointer", "reads_by_a_pointer"),
        *("gives_the_address", "gives_the_address_to_read", "assigns", "calls"),
    ]
    assert names.count("calls") == 2, "the one whose function changes its state"
