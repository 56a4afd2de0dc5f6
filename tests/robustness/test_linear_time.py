"""The time to port a file is linear in its size, for any content."""

from __future__ import annotations

import time

import pytest
from rule_sets import port, rule_set

RULES = rule_set(
    {
        "toy": [
            {"call": "cudaCopy(dst, src, n)", "replace": "toyCopy(src, dst, n)"},
            {"qualified": "cub::Sum", "replace": "toyc::plus"},
            {"names": {"cudaPlain": "toyPlain"}},
            {"launch": "RUN({kernel}, {grid}, {block}, {shmem}, {stream}{,args})"},
            {"dynamic_shared": "{scope}{type}* {name} = shared()"},
        ]
    }
)

TEXTS = {
    "nested calls": lambda n: "cudaCopy(a, " * n + "b" + ", c)" * n + ";",
    "nested calls on lines": lambda n: "cudaCopy(a,\n " * n + "b" + ",\n c)" * n + ";",
    "nested calls, spliced": lambda n: "#define X " + "cudaCopy(a, \\\n" * n + "b" + ", c)" * n,
    "calls that stay open": lambda n: "cudaCopy(a, " * n,
    "calls with comparisons": lambda n: "cudaCopy(" + "a < b, " * n + "c);",
    "launches without an end": lambda n: "k<<<" * n,
    "launches in brackets": lambda n: "k<<<(" * n,
    "launches in launches": lambda n: "k<<<1, 2>>>(" * n + ")" * n + ";",
    "launches after commas": lambda n: "a, k<<<1, 2>>>(b) " * n,
    "settings with templates": lambda n: "k<<<" + "a<" * n + "b" + ">" * n + ", 1>>>();",
    "chains of names": lambda n: "cub::Sum a; cudaPlain b;\n" * n,
    "shared memory": lambda n: "extern __shared__ float a[];\n" * n,
}


@pytest.mark.parametrize("name", TEXTS)
def test_twice_the_text_takes_about_twice_the_time(name: str) -> None:
    made = TEXTS[name]
    n = 400 if name == "launches after commas" else 2000
    few, many = _seconds(made(n)), _seconds(made(4 * n))
    assert many < 8 * max(few, 0.05), f"{few:.2f} s for {n}, {many:.2f} s for {4 * n}"


def _seconds(text: str) -> float:
    taken = []
    for _ in range(2):
        started = time.process_time()
        port(text, RULES, "a.cu")
        taken.append(time.process_time() - started)
    return min(taken)


def test_nested_calls_are_right_however_deep() -> None:
    deep = 5000
    text = "cudaCopy(a, " * deep + "b" + ", c)" * deep
    assert port(text, RULES).text == "toyCopy(" * deep + "b" + ", a, c)" * deep
