"""Calls of member templates without the word `template`, as the driver's ports contain them."""

from __future__ import annotations

import pytest
from rule_sets import rule_set

from porter.rewrite.rewriter import Rewriter
from porter.toolkit import ported_text

DECLARED = "template <class T> struct A { template <int n, class U> static U f(U x); static int g(int); };\n"


def ported(text: str) -> str:
    rules = rule_set({"toy": [{"name": "cudaFree", "replace": "toyFree"}]})
    made = ported_text.port(Rewriter(rules, {}), "a.cu", text.encode())
    return made.data.decode().rpartition("#line 1\n")[2]


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
