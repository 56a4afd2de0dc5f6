"""Small line charts (SVG) for a page's overview."""

from __future__ import annotations

from collections.abc import Sequence

from porter.report.pages.markup import Html, tag

_WIDTH, _HEIGHT, _MARGIN = 160, 40, 4


def sparkline(values: Sequence[float]) -> Html:
    """Chart of the values, with the first, the last, the smallest and the largest value as its description."""
    least, most = min(values), max(values)
    span = (most - least) or 1
    step = (_WIDTH - 2 * _MARGIN) / max(1, len(values) - 1)
    points = [
        (
            f"{_MARGIN + index * step:.1f}",
            f"{_HEIGHT - _MARGIN - (value - least) / span * (_HEIGHT - 2 * _MARGIN):.1f}",
        )
        for index, value in enumerate(values)
    ]
    label = (
        f"from {values[0]:,.6g} to {values[-1]:,.6g}; smallest {least:,.6g}, largest {most:,.6g}"
    )
    line = tag("polyline", points=" ".join(",".join(point) for point in points))
    end = tag("circle", cx=points[-1][0], cy=points[-1][1], r="3")
    drawn = tag("svg", line, end, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", role="img", aria_label=label)
    return Html(drawn + tag("b", f"{values[-1]:,.6g}"))
