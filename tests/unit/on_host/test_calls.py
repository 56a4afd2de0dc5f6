"""Call rules that the facade of an SDK reverses."""

from __future__ import annotations

import pytest

from porter.on_host.calls import reordered


@pytest.mark.parametrize(
    ("match", "replace", "macro"),
    [
        ("f(a, b, c)", "g(c, a, b)", "#define g(c, a, b) simtF(a, b, c)"),
        ("f(a, b)", "g(a, nullptr, b)", "#define g(a, unused1, b) simtF(a, b)"),
        ("f()", "g()", "#define g() simtF()"),
        ("f(a)", "g(0, a, 0)", "#define g(unused0, a, unused2) simtF(a)"),
    ],
)
def test_arguments_in_another_order(match: str, replace: str, macro: str) -> None:
    call = reordered(match, replace)
    assert call and call.macro("simtF") == macro


@pytest.mark.parametrize(
    ("match", "replace"),
    [
        ("f(a, b)", "g(a)"),
        ("f(a)", "g(a, a)"),
        ("f(a)", "g(a + 1)"),
        ("f(a, b)", "g(&a, b)"),
        ("f(a, b)", "g(a, b, sizeof(a))"),
        ("f(a)", "g(a).h()"),
        ("f(a)", None),
        (".f()", ".g()"),
    ],
)
def test_calls_that_cannot_be_reversed(match: str, replace: str | None) -> None:
    assert reordered(match, replace) is None
