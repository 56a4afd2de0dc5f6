"""Calls of member templates without the word `template`, in ports of projects and in the driver's ports."""

from __future__ import annotations

import pytest
from rule_sets import rule_set

from porter.model.project_names import ProjectNames, PyTorchNames
from porter.rewrite.rewriter import Rewriter
from porter.toolkit import ported_text

DECLARED = "template <class T> struct A { template <int n, class U> static U f(U x); static int g(int); };\n"


NAMES = ProjectNames({}, {}, frozenset(), uses_pytorch=False, pytorch=PyTorchNames())


def ported(text: str, names: ProjectNames | None = NAMES) -> str:
    rules = rule_set({"toy": [{"name": "cudaFree", "replace": "toyFree"}]})
    made = Rewriter(rules, {}, names).rewrite("a.cu", text.encode()).text
    return made.removeprefix("#include <toy_runtime.h>\n")


@pytest.mark.parametrize(
    ("call", "after"),
    [
        ("A<T>::f<4>(x);", "A<T>::template f<4>(x);"),
        ("return A<T>::f<4, int>(x);", "return A<T>::template f<4, int>(x);"),
        ("y = 2 + ::n::A<B<T>, 3>::f<sizeof(int)>(cudaFree(x));",
         "y = 2 + ::n::A<B<T>, 3>::template f<sizeof(int)>(toyFree(x));"),
        ("h(x, A<T>::f<4>(x));", "h(x, A<T>::template f<4>(x));"),
        ("A<T>::template f<4>(x);", "A<T>::template f<4>(x);"),
        ("if (A<T>::g<4 && b > (c)) {}", "if (A<T>::g<4 && b > (c)) {}"),
        ("y = A<T>::unknown<4>(x);", "y = A<T>::unknown<4>(x);"),
        ("template <> int A<T>::f<4>(int x) {}", "template <> int A<T>::f<4>(int x) {}"),
        ("int& A<T>::f<4>(int x);", "int& A<T>::f<4>(int x);"),
        ("// A<T>::f<4>(x)", "// A<T>::f<4>(x)"),
    ],
)  # fmt: skip
def test_the_word_is_added_to_calls_only(call: str, after: str) -> None:
    assert ported(f"{DECLARED}void k() {{ {call}\n}}\n") == f"{DECLARED}void k() {{ {after}\n}}\n"


def test_the_driver_adds_the_word() -> None:
    rules = rule_set({"toy": [{"name": "cudaFree", "replace": "toyFree"}]})
    text = f"{DECLARED}void k() {{ A<T>::f<4>(x); }}\n"
    made = ported_text.port(Rewriter(rules, {}, NAMES), "a.cu", text.encode())
    assert b"A<T>::template f<4>(x);" in made.data


def test_sources_of_pytorch_stay() -> None:
    text = f"{DECLARED}void k() {{ A<T>::f<4>(x); }}\n"
    assert ported(text, None) == text
