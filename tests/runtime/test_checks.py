"""`porter check` finds the known faults of `tests/checks`, and nothing in correct programs that look alike.

The test takes some programs of each kind. `build_scripts/check_ground_truth` runs all of them.
"""

from __future__ import annotations

import functools
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ground_truth
import pytest
from simt_programs import libsimt

from porter.checks import instrumented
from porter.simt import compiler_plugin

pytestmark = pytest.mark.slow

CHOSEN = (
    *("race/shared_reduce", "race/shared_reduce_barrier", "race/shared_last_warp"),
    *("race/shared_last_warp_volatile", "race/shared_same_value", "race/shared_y_then_x"),
    *("race/shared_shuffled_read_syncwarp", "race/global_owner_scales"),
    *(
        "race/blocks_last_no_fence",
        "race/blocks_last_fence",
        "race/blocks_last_fence_all",
        "race/blocks_last_fence_lacks",
        "race/blocks_lock",
        "race/blocks_two_locks",
    ),
    *("race/blocks_grid_sync", "race/blocks_grid_block_sync", "race/streams_no_event"),
    *(
        "race/streams_event",
        "race/host_managed",
        "race/host_mapped_wait",
        "race/shared_cuda_barrier",
    ),
    *(
        "memory/global_off_by_one",
        "memory/global_guard",
        "memory/freed_async",
        "memory/misaligned_int",
    ),
    *("memory/shared_dynamic_small", "memory/local_off_by_one", "memory/copy_too_long"),
    *("memory/freed", "memory/shared_dynamic_shrinks", "memory/local_then_global"),
    *("memory/freed_twice", "memory/global_two_arrays", "sync/barrier_both_sides"),
    *("sync/barrier_both_sides_uniform", "sync/exit_early", "sync/shuffle_in_branch"),
    *("sync/masks_differ", "sync/masks_grow"),
    *("sync/match_groups", "init/global_struct", "init/global_struct_member", "init/shared_tail"),
    *("host/device_memory", "host/managed"),
    *("init/shared_tail_bounded", "init/global_pitch"),
)
"""Programs of each kind with and without a fault."""


@functools.cache
def _programs() -> dict[str, ground_truth.Program]:
    return {program.name: program for program in ground_truth.programs()}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ground_truth.Result]:
    """Findings of all chosen programs, which are compiled as one binary."""
    folder = tmp_path_factory.mktemp("checks")
    chosen = [_programs()[name] for name in CHOSEN]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
        binary = ground_truth.compiled(chosen, folder)
    return {one.program.name: one for one in ground_truth.results(binary, chosen, folder)}


@pytest.mark.parametrize("name", CHOSEN)
def test_a_fault_is_found_where_it_is(name: str, results: dict[str, ground_truth.Result]) -> None:
    result = results[name]
    assert not result.error
    if result.program.kind:
        assert result.found, result.findings
    else:
        assert result.findings == ()


def test_the_findings_are_the_same_without_the_compiler_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiler_plugin, "plugin_headers", lambda command: None)
    monkeypatch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
    names = ("memory/global_off_by_one", "race/shared_reduce", "memory/global_guard")
    chosen = [_programs()[name] for name in names]
    binary = ground_truth.compiled(chosen, tmp_path)
    off_by_one, reduce, guard = ground_truth.results(binary, chosen, tmp_path)
    assert off_by_one.found
    assert reduce.found
    assert guard.findings == ()


SESSION = """\
#include <cuda_runtime.h>

#include <cstdio>

extern "C" const char* simtCheckBegin(const char* kinds);
extern "C" const char* simtCheckEnd();

__global__ void shift(int* data) { data[threadIdx.x] = data[threadIdx.x + 1]; }

int main() {
  int* data;
  cudaMalloc(&data, 33 * sizeof(int));
  for (int pass = 0; pass < 4; ++pass) {
    const bool checked = pass % 2 == 1;
    if (checked) simtCheckBegin("race");
    shift<<<1, 32>>>(data);
    cudaDeviceSynchronize();
    if (checked) std::printf("%s\\f", simtCheckEnd());
  }
}
"""


def test_sessions_check_code_that_ran_unchecked_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without a session, each place in the code remembers that all of its accesses are permitted.
    monkeypatch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
    source = tmp_path / "session.cu"
    source.write_text(SESSION)
    program = instrumented.build([source], tmp_path / "session")
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    sessions = [json.loads(text) for text in done.stdout.split("\f")[:-1]]
    assert len(sessions) == 2
    for session in sessions:
        assert [one["kind"] for one in session["findings"]] == ["race"]


def test_builds_at_the_same_time_compile_the_hooks_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path / "cache"))
    compiler, calls = tmp_path / "g++", tmp_path / "calls"
    compiler.write_text(f'#!/bin/sh\necho called >> {calls}\nexec g++ "$@"\n')
    compiler.chmod(0o700)
    with ThreadPoolExecutor(4) as pool:
        made = set(pool.map(instrumented.hooks, [(str(compiler),)] * 4))
    assert [one.is_file() for one in made] == [True]
    assert calls.read_text() == "called\n"


def test_another_version_of_the_compiler_gets_a_plugin_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = instrumented.flags(["g++"])
    assert instrumented.flags(["g++"]) == before
    monkeypatch.setattr(compiler_plugin, "built_for", lambda command: "gcc version 12.9")
    assert instrumented.flags(["g++"]) != before


def test_each_program_states_what_to_expect() -> None:
    programs = _programs().values()
    assert sum(bool(program.kind) for program in programs) >= 60
    assert sum(not program.kind for program in programs) >= 60
    for program in programs:
        assert bool(program.kind) == bool(program.lines), program.name
        folder = program.name.partition("/")[0]
        assert program.kind in ("", folder), program.name


def test_a_program_of_each_kind_is_chosen() -> None:
    kinds = {_programs()[name].kind for name in CHOSEN}
    assert kinds == {"", *ground_truth.KINDS}
