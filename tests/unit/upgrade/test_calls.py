"""Effect of a changed declaration on its callers, compared with g++."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from porter.model.upgrade import Effect
from porter.upgrade.calls import effect_on_calls, normal

CASES = [
    ("void f(int a)", "void f(int a, bool force = false)", Effect.INFORMS),
    ("void f(int a, int b = 1)", "void f(int a, int b = 1, int c = 2)", Effect.INFORMS),
    ("void f(int a)", "void f(int8_t a)", Effect.CHECK),
    ("int f(int a)", "int64_t f(int a)", Effect.CHECK),
    ("void f(std::string a)", "void f(const std::string& a)", Effect.CHECK),
    ("void f(const std::string& a)", "void f(std::string_view a)", Effect.CHECK),
    ("void f(bool a)", "void f(std::optional<bool> a)", Effect.CHECK),
    ("void f(int a)", "void f(int a, bool b)", Effect.BREAKS),
    ("void f(int a, int b = 1)", "void f(int a)", Effect.BREAKS),
    ("void f(int* a)", "void f(int8_t* a)", Effect.BREAKS),
    ("void f(const int& a)", "void f(int& a)", Effect.BREAKS),
    ("void f(int* a)", "void f(const int* a)", Effect.CHECK),
    ("void f(const int* a)", "void f(int* a)", Effect.BREAKS),
    ("void f(std::string a)", "void f(int a)", Effect.BREAKS),
]
ARGUMENTS = {
    "int": "one",
    "const int&": "fixed",
    "bool": "true",
    "int*": "&one",
    "const int*": "&fixed",
    "std::string": "text",
    "const std::string&": "text",
}


@pytest.mark.parametrize(("old", "new", "effect"), CASES)
def test_the_effect_is_what_the_compiler_finds(
    old: str, new: str, effect: Effect, tmp_path: Path
) -> None:
    assert effect_on_calls([old], [new], "f") is effect
    calls = []
    declared = old[old.index("(") + 1 : -1].split(", ")
    given = [ARGUMENTS[one.split(" = ")[0].rpartition(" ")[0]] for one in declared]
    least = sum(" = " not in one for one in declared)
    calls = [f"f({', '.join(given[:count])});" for count in range(least, len(given) + 1)]
    source = tmp_path / "calls.cpp"
    head = "#include <cstdint>\n#include <optional>\n#include <string>\n#include <string_view>\n"
    body = f"{new};\nvoid use(int one, const int fixed, std::string text) {{ {' '.join(calls)} }}\n"
    source.write_text(head + body)
    command = ["g++", "-std=c++17", "-fsyntax-only", str(source)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode == 0) == (effect is not Effect.BREAKS)


def test_overloads_serve_the_calls_of_old_ones_together() -> None:
    old = ["void f(int a, std::string b = std::string())"]
    new = ["void f(int a)", "void f(int a, std::string b)"]
    assert effect_on_calls(old, new, "f") is Effect.INFORMS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C10_NODISCARD TensorOptions dtype() const", "[[nodiscard]] TensorOptions dtype() const"),
        ("C10_HOST_CONSTEXPR_EXCEPT_WIN_CUDA const T& back() const", "constexpr const T& back() const"),
        ("typedef X (*Fn)(void)", "typedef X (*Fn)()"),
        ("c10::optional<Device> device() const", "std::optional<Device> device() const"),
        ("optional<Device> device() const", "::std::optional<Device> device() const"),
        ("cudaStream_t stream_", "cudaStream_t stream_{}"),
        ("decltype(auto) str(int a)", "auto str(int a)"),
    ],
)  # fmt: skip
def test_spellings_without_a_difference_are_one(one: str, other: str) -> None:
    assert normal(one) == normal(other)


def test_other_types_stay_different() -> None:
    assert normal("std::shared_ptr<A> a") != normal("std::unique_ptr<A> a")
    assert normal("my::optional<A> a") != normal("std::optional<A> a")
