"""The committed table of argument counts, and the class that reads the counts from headers."""

from __future__ import annotations

import json

import pytest
from repository import ROOT

from mapping_tables import argument_counts, cuda_headers, inventory
from porter.mapping import argument_counts as table
from porter.mapping.library import MappingLibrary

KNOWN = {
    "cudaMalloc": {2},
    "cudaMemcpyAsync": {4, 5},
    "cudaEventCreate": {1, 2},
    "cudaGraphInstantiate": {2, 3, 5},
    "cudaDeviceSynchronize": {0},
    "cuMemAlloc": {2},
    "cuLaunchKernel": {11},
    "cuStreamBeginCapture": {1, 2},
    "cublasSgemm": {13, 14},
    "cublasGemmEx": {19},
    "cudnnSoftmaxForward": {9},
    "cusparseSpMM": {11},
    "ncclAllReduce": {7},
    "nvtxRangePush": {1},
    "__shfl_sync": {3, 4},
    "__syncwarp": {0, 1},
    "cufftPlanMany": {11},
}


def test_the_committed_table() -> None:
    counts = table.read(MappingLibrary.find(()))
    assert {name: set(counts.functions[name]) for name in KNOWN} == KNOWN
    assert counts.cuda == "12.4" and len(counts.functions) > 17_000
    assert "cudaLaunchKernelEx" not in counts.functions  # a template with a parameter pack
    assert set(counts.functions) <= set(inventory.read(ROOT / "mappings").area_of)


def test_the_table_and_the_inventory_come_from_the_same_headers() -> None:
    folder = ROOT / "mappings" / "cuda"
    one, other = (
        json.loads((folder / name).read_text()) for name in ("arguments.json", "inventory.json")
    )
    assert (one["cuda"], one["source"]) == (other["cuda"], other["source"])


HEADER = """
#define __dv(value) = value
#define renamed current
#define wrapped __version(current)
#define twice(a, b) current(a)
#define any(...) current(__VA_ARGS__)
extern "C" {
int current(int a);
int copy(void* to, int stream __dv(0));
int fixed(int values[2 + 1]);
int print(const char* format, ...);
int nothing(void);
}
template <class T> int current(T* a, int b, int c = 0);
template <class... T> int pack(T... values);
inline namespace v1 { int inside(int a); }
namespace hidden { int inside(int a, int b); int elsewhere(int); }
"""


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("current", {1, 2, 3}),
        ("renamed", {1, 2, 3}),
        ("wrapped", {1, 2, 3}),
        ("twice", {2}),
        ("copy", {1, 2}),
        ("fixed", {1}),
        ("nothing", {0}),
        ("inside", {1}),
        ("print", set()),
        ("pack", set()),
        ("any", set()),
        ("elsewhere", set()),
        ("unknown", set()),
    ],
)
def test_counts_of_a_header(name: str, counts: set[int]) -> None:
    found = argument_counts.ArgumentCounts({"inventory.cpp": "demo.h"}.get)
    found.add(cuda_headers.parse(HEADER))
    assert found.of(name) == counts
