"""Libraries with CUDA's file names, for programs that load them."""

from __future__ import annotations

from rule_sets import rule_set

from porter.toolkit.loadable_libraries import assembly, functions

RULES = rule_set(
    {
        "toy": [
            {
                "names": {
                    "cudaMalloc": "toyMalloc",
                    "cudaError_t": "toyError_t",
                    "cuMemFree": "toyMemFree",
                    "nvmlInit_v2": "toyInit",
                    "cuMemAdvise": "toyMemAdvise",
                }
            },
            {
                "names": ["cuMemFree_v2", "cuMemAdvise_v2", "cudaFree"],
                "status": "unsupported",
                "note": "names of versions",
            },
        ]
    }
)
EXPORTED = frozenset(["toyMalloc", "toyMemFree", "toyInit", "toyMemAdvise", "toyOther"])


def test_functions_are_those_that_the_runtime_exports() -> None:
    assert functions(RULES, EXPORTED) == {
        "cuMemAdvise": "toyMemAdvise",
        "cuMemFree": "toyMemFree",
        "cuMemFree_v2": "toyMemFree",
        "cudaMalloc": "toyMalloc",
        "nvmlInit_v2": "toyInit",
    }


def test_each_function_jumps_to_its_counterpart() -> None:
    text = assembly({"cudaMalloc": "toyMalloc"}, "x86_64")
    assert ".globl cudaMalloc\n" in text
    assert "cudaMalloc: jmp toyMalloc@PLT\n" in text
    assert "cudaMalloc: b toyMalloc\n" in assembly({"cudaMalloc": "toyMalloc"}, "aarch64")
    assert assembly({"cudaMalloc": "toyMalloc"}, "riscv64") == ""
