"""Static shared memory on target simt: every form of a declaration, and its memory for each host thread. The
forms are those of runtime/simt/tests/test_static_shared.cpp.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from simt_programs import libsimt

from porter.simt.build import conversion_flags, link_flags, program_flags
from porter.simt.sources import runtime_dir

MEGABYTES = 4
THREADS = 64

LIBRARY = """
#include <simt_runtime.h>
thread_local int launches = 0;  // brings in all variables of the thread that the library has
__global__ void fill(int* out) {
  __shared__ int large[MEGABYTES][1024 * 256];
  large[MEGABYTES - 1][threadIdx.x] = VALUE + threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = large[MEGABYTES - 1][31 - threadIdx.x];
}
extern "C" int run(int* out) {
  SIMT_LAUNCH((fill), (8), (32), (0), (0), out);
  return ++launches;
}
"""

MANY_THREADS = """
#include <simt_runtime.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <thread>
#include <vector>
extern "C" int run(int*);
double resident_megabytes() {
  long all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1048576.0);
}
int main() {
  int* out;
  if (simtMalloc(&out, 32 * sizeof(int)) || run(out) != 1 || simtDeviceSynchronize()) return 1;
  const double before = resident_megabytes();
  std::atomic<int> arrived{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; ++i) {
    threads.emplace_back([&] {
      run(out);
      ++arrived;
      while (!stop) usleep(1000);
    });
  }
  while (arrived != THREADS) usleep(1000);
  if (simtDeviceSynchronize()) return 1;
  std::printf("%.1f\\n", resident_megabytes() - before);
  stop = true;
  for (std::thread& thread : threads) thread.join();
}
"""

ONE_AFTER_ANOTHER = """
#include <simt_runtime.h>
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
#include <cstdio>
#include <fstream>
#include <string>
__global__ void note(pthread_t* thread) {
  __shared__ pthread_t noted;
  noted = pthread_self();
  __syncthreads();
  *thread = noted;
}
// The worker and this thread, which executes what it waits for, each make mappings with their first kernel.
bool both_have_run_a_kernel() {
  pthread_t* thread;
  if (simtMalloc(&thread, sizeof *thread)) return false;
  for (bool this_one = false, worker = false; !this_one || !worker;) {
    SIMT_LAUNCH((note), (1), (32), (0), (0), thread);
    if (this_one) usleep(10000);
    if (simtDeviceSynchronize()) return false;
    (pthread_equal(*thread, pthread_self()) ? this_one : worker) = true;
  }
  return simtFree(thread) == simtSuccess;
}
int mappings() {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) ++count;
  return count;
}
int main(int, char** libraries) {
  int* out;
  if (simtMalloc(&out, 32 * sizeof(int)) || !both_have_run_a_kernel()) return 1;
  int first = 0;
  for (int round = 0; round < 60; ++round) {
    for (int which : {1, 2}) {
      void* library = dlopen(libraries[which], RTLD_NOW);
      if (!library) return std::puts(dlerror());
      reinterpret_cast<int (*)(int*)>(dlsym(library, "run"))(out);
      int values[32];
      if (simtMemcpy(values, out, sizeof values, simtMemcpyDeviceToHost)) return 1;
      if (values[0] != which * 100 + 31 || values[31] != which * 100) return 2;
      dlclose(library);
    }
    if (round == 9) first = mappings();
  }
  std::printf("%d\\n", mappings() - first);
}
"""


def compile_with(source: str, made: Path, *more: str) -> Path:
    """Compile a source to a program or library with the flags of `porter simt flags`."""
    folder = libsimt().parent
    text = made.with_suffix(".cpp")
    text.write_text(source)
    flags = [*program_flags(), *conversion_flags(folder).flags, "-O1", "-fPIC"]
    defines = [f"-DMEGABYTES={MEGABYTES}", f"-DTHREADS={THREADS}"]
    command = ["g++", *flags, *defines, str(text), "-x", "none", *more, *link_flags(folder)]
    subprocess.run([*command, "-o", str(made)], check=True)
    return made


def library_of(folder: Path, value: int) -> Path:
    """Library with some megabytes of static shared memory, whose kernel writes numbers from `value` on."""
    # By default g++ makes names of variables in inline functions unique, and so the library would stay loaded.
    more = (f"-DVALUE={value}", "-shared", "-fno-gnu-unique")
    return compile_with(LIBRARY, folder / f"lib{value}.so", *more)


@pytest.mark.parametrize("optimise", ["-O0", "-O1 -g", "-O2", "-O3 -march=native"])
@pytest.mark.parametrize("plugin", [True, False], ids=["plugin", "no plugin"])
def test_every_form(optimise: str, plugin: bool, tmp_path: Path) -> None:
    folder = libsimt().parent
    flags = [*program_flags(), *(conversion_flags(folder).flags if plugin else ())]
    tests = runtime_dir() / "tests"
    files = [str(tests / "main.cpp"), str(tests / "test_static_shared.cpp")]
    program = tmp_path / "shared"
    command = ["g++", "-Wall", "-Wextra", "-Werror", *optimise.split(), *flags, *files]
    subprocess.run([*command, *link_flags(folder), "-o", str(program)], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert " 8 passed" in done.stdout


def test_threads_of_the_host_do_not_pay_for_it(tmp_path: Path) -> None:
    library = library_of(tmp_path, 100)
    program = compile_with(
        MANY_THREADS, tmp_path / "program", str(library), f"-Wl,-rpath,{tmp_path}"
    )
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    # As variables of the thread it would be 256 MB.
    assert float(done.stdout) < THREADS * 0.25


def test_libraries_that_are_loaded_one_after_another(tmp_path: Path) -> None:
    libraries = [str(library_of(tmp_path, value)) for value in (100, 200)]
    program = compile_with(ONE_AFTER_ANOTHER, tmp_path / "program", "-ldl")
    # A second worker that takes its first block late would add its own mappings.
    environment = {**os.environ, "SIMT_NUM_THREADS": "1"}
    command = [program, *libraries]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    # Memory of libraries that are gone is given back: each would leave a mapping and its guards.
    assert int(done.stdout) < 20
