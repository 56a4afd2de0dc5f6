"""Comparison with HIPIFY's unit tests (`build_scripts/compare_hipify`): which lines and names are compared."""

from __future__ import annotations

import importlib.machinery
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "build_scripts/compare_hipify"
KNOWN = {"cudaFree", "cudaMalloc", "cudaSuccess", "cudnnCreate"}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("compare_hipify", str(SCRIPT))
    spec = importlib.util.spec_from_loader("compare_hipify", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def compared(script: ModuleType, test: str, port: str) -> list[tuple[str, str, str]]:
    return list(script.compared(test, port, KNOWN))


def test_a_line_of_code_is_compared_with_the_check_above(script: ModuleType) -> None:
    test = "// CHECK: hipFree(p);\ncudaFree(p);\n"
    port = "// CHECK: hipFree(p);\nhipFree(p);\n"
    assert compared(script, test, port) == [("cudaFree", "hipFree", "hipFree")]


def test_a_block_of_checks_is_compared_with_the_lines_below_in_order(script: ModuleType) -> None:
    checks = "// CHECK: hipFree(p);\n// CHECK-NEXT: miopenCreate(&h);\n"
    test = checks + "int n;\ncudaFree(p);\ncudnnCreate(&h);\n"
    port = checks + "int n;\nhipFree(p);\ncudnnCreate(&h);\n"
    assert compared(script, test, port) == [
        ("cudaFree", "hipFree", "hipFree"),
        ("cudnnCreate", "miopenCreate", "cudnnCreate"),
    ]


def test_a_check_that_no_line_answers_ends_with_its_block(script: ModuleType) -> None:
    test = "// CHECK: f<<<1, 1>>>(hipSuccess);\nint n;\n// CHECK: hipFree(p);\ncudaFree(p);\n"
    assert compared(script, test, test) == [("cudaFree", "hipFree", "cudaFree")]


@pytest.mark.parametrize(
    ("check", "line"),
    [
        ("hipFree(q);", "cudaFree(p);"),  # Another argument.
        ('say("hipFree");', 'say("cudaFree");'),  # Strings.
        ("#include <hipFree>", "#include <cudaFree>"),
        ("hipLaunch(f, hipSuccess);", "f(cudaSuccess);"),
    ],
)
def test_lines_that_differ_in_more_than_names_are_left_out(
    script: ModuleType, check: str, line: str
) -> None:
    test = f"// CHECK: {check}\n{line}\n"
    assert compared(script, test, test) == []


def test_tests_of_other_libraries_are_left_out(script: ModuleType, tmp_path: Path) -> None:
    for name, option in (("a.cu", ""), ("b.cu", " --roc")):
        text = (
            f"// RUN: hipify{option}\n// CHECK: {name[0]}(hipSuccess);\n{name[0]}(cudaSuccess);\n"
        )
        (tmp_path / name).write_text(text)
    assert script.answers(tmp_path, tmp_path, KNOWN) == {
        "cudaSuccess": {("hipSuccess", "cudaSuccess")}
    }
