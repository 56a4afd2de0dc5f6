"""What the mapping to hip writes for `cooperative_groups::reduce`, compared with simt's function of this name."""

from __future__ import annotations

from pathlib import Path

import pytest
from simtcc_project import Simtcc
from workshop import write_files

from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary

pytestmark = pytest.mark.slow

PROGRAM = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;

struct Pair {
  int count;
  double sum;
  char name;
};
__device__ Pair merged(Pair a, Pair b) { return {a.count + b.count, a.sum + b.sum, b.name}; }

__global__ void compare(int* different) {
  auto reduce = REPLACEMENT;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto four = cg::tiled_partition<4>(cg::this_thread_block());
  auto same = cg::labeled_partition(tile, threadIdx.x * 7 % 5);  // groups of 6 and 7 threads
  const int value = threadIdx.x * threadIdx.x + 3;
  const auto sum = cg::plus<int>();
  different[0] |= reduce(tile, value, sum) != cg::reduce(tile, value, sum);
  different[1] |= reduce(four, value, sum) != cg::reduce(four, value, sum);
  different[2] |= reduce(same, value, sum) != cg::reduce(same, value, sum);
  different[3] |= reduce(same, value, cg::greater<int>()) != cg::reduce(same, value, cg::greater<int>());
  const Pair all = reduce(same, Pair{value, value * 0.5, 'p'}, merged);
  different[4] |= all.count != cg::reduce(same, value, sum) || all.sum != all.count * 0.5 || all.name != 'p';
}

int main() {
  int* different;
  cudaMallocManaged(&different, 5 * sizeof(int));
  compare<<<2, 64>>>(different);
  const auto error = cudaDeviceSynchronize();
  for (int i = 0; i < 5; ++i) std::printf("%d", different[i]);
  std::printf(" %s\\n", cudaGetErrorString(error));
}
"""


def test_reductions_of_groups(simtcc: Simtcc, tmp_path: Path) -> None:
    rules = rule_cache.rule_set(MappingLibrary.find(()), "hip", "2.6.0").rules
    (rule,) = [rule for rule in rules if rule.match == "cooperative_groups::reduce"]
    assert rule.replace
    write_files(tmp_path, {"compare.cu": PROGRAM.replace("REPLACEMENT", rule.replace)})
    done = simtcc("-run", "compare.cu")
    assert done.stdout == "00000 no error\n", done.stdout + done.stderr
