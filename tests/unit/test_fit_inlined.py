"""The runtime's polynomials for exp, erf and tanh have the coefficients that the script finds."""

from __future__ import annotations

import pytest

pytest.importorskip("mpmath", reason="mpmath, a dependency of PyTorch, is not installed")

from repository import ROOT

import fit_inlined


def test_the_header_has_the_coefficients(capsys: pytest.CaptureFixture[str]) -> None:
    header = (ROOT / "runtime/simt/include/simtrt/math/inlined.h").read_text(encoding="utf-8")
    fit_inlined.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    for line in lines:
        name, _, numbers = line.partition(": ")
        for number in numbers.split():
            digits, _, power = number.lstrip("-").partition("p")
            assert f"{digits.rstrip('0')}p{power}f" in header, f"{name}: {number}"
