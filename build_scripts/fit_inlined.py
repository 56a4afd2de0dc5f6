"""Prints the coefficients of the polynomials in `runtime/simt/include/simtrt/math/inlined.h`, the constant first.

    .venv/bin/python build_scripts/fit_inlined.py

Each polynomial is the minimax approximation of a function on an interval, found by the Remez algorithm. mpmath, a
dependency of PyTorch, computes with 50 digits; the coefficients are then rounded to float.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import mpmath

Function = Callable[[Any], Any]
ROUNDS = 12


class Fit(NamedTuple):
    """Polynomial of a degree that approximates `function` between `low` and `high`."""

    function: Function
    weight: Function
    """Weight of the error at a point."""
    low: float
    high: float
    degree: int


def _quotient(numerator: Function, power: int, limit: float) -> Function:
    """`numerator(x)` divided by a power of x; near 0, where both vanish, the limit."""
    return lambda x: numerator(x) / x**power if abs(x) > 1e-12 else mpmath.mpf(limit)


def fits() -> dict[str, Fit]:
    """Polynomials by the functions of the header in which they are."""
    reduced = float(mpmath.log(2)) / 2 * 1.002  # exp is reduced to |x| <= log(2) / 2, with rounding
    near_tanh, near_erf, far_erf = 0.75, 0.95, (0.9, 3.95)

    def odd_part(function: Function, first: float) -> Function:
        """(function(x) - x) / x^3 of an odd function, as a function of x^2."""
        return lambda s: (
            (function(mpmath.sqrt(s)) / mpmath.sqrt(s) - 1) / s if s > 1e-14 else mpmath.mpf(first)
        )

    return {
        "power_of_e": Fit(
            _quotient(lambda x: mpmath.exp(x) - 1 - x, 2, 0.5),
            lambda x: (x * x + reduced**2 / 100) / mpmath.exp(x),
            -reduced,
            reduced,
            4,
        ),
        "tanh": Fit(
            odd_part(mpmath.tanh, -1 / 3),
            lambda s: s + near_tanh**2 / 100,
            1e-10,
            near_tanh**2,
            5,
        ),
        "erf, near": Fit(
            lambda s: mpmath.erf(mpmath.sqrt(s)) / mpmath.sqrt(s) - 1,
            lambda s: mpmath.mpf(1),
            1e-14,
            near_erf**2,
            6,
        ),
        "erf, far": Fit(
            lambda x: mpmath.log(mpmath.erfc(x)) / x,
            lambda x: x * mpmath.erfc(x),
            *far_erf,
            6,
        ),
    }


def coefficients(fit: Fit) -> list[Any]:
    """Coefficients of the minimax polynomial, from the lowest degree on."""
    count = fit.degree + 2
    middle, half = mpmath.mpf(fit.low + fit.high) / 2, mpmath.mpf(fit.high - fit.low) / 2
    points = [middle - half * mpmath.cos(mpmath.pi * i / (count - 1)) for i in range(count)]
    grid = [fit.low + 2 * half * i / (40 * count) for i in range(40 * count + 1)]
    found: list[Any] = []
    for _ in range(ROUNDS):
        found = _equal_errors(fit, points)
        errors = [fit.weight(x) * (mpmath.polyval(found[::-1], x) - fit.function(x)) for x in grid]
        extrema = _alternating(errors)
        while len(extrema) > count:
            extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
        if len(extrema) < count:
            break
        points = [grid[i] for i in extrema]
    return found


def _equal_errors(fit: Fit, points: Sequence[Any]) -> list[Any]:
    """Polynomial whose weighted errors at the points are equal, with alternating signs."""
    count = len(points)
    system, right = mpmath.matrix(count, count), mpmath.matrix(count, 1)
    for row, x in enumerate(points):
        for power in range(count - 1):
            system[row, power] = x**power
        system[row, count - 1] = (-1) ** row / fit.weight(x)
        right[row] = fit.function(x)
    solution = mpmath.lu_solve(system, right)
    return [solution[power] for power in range(count - 1)]


def _alternating(errors: Sequence[Any]) -> list[int]:
    """Indices of the largest errors, one for each sign change."""
    found: list[int] = []
    for i, error in enumerate(errors):
        before = errors[i - 1] if i else 0
        after = errors[i + 1] if i + 1 < len(errors) else 0
        if any(other * error > 0 and abs(other) > abs(error) for other in (before, after)):
            continue
        if found and errors[found[-1]] * error > 0:
            if abs(error) > abs(errors[found[-1]]):
                found[-1] = i
        else:
            found.append(i)
    return found


def main() -> None:
    mpmath.mp.dps = 50
    for name, fit in fits().items():
        rounded = [ctypes.c_float(float(one)).value for one in coefficients(fit)]
        print(f"{name}: {' '.join(one.hex() for one in rounded)}")


if __name__ == "__main__":
    main()
