"""Offsets of two texts with the same number of lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from porter.inspect.same_lines import SameLines

LINES = st.lists(st.text("ab{", max_size=4), min_size=1, max_size=8)


@given(LINES, st.data())
def test_equal_lines_have_equal_text_at_mapped_offsets(
    lines: list[str], data: st.DataObject
) -> None:
    other = list(lines)
    for number in data.draw(st.sets(st.integers(0, len(lines) - 1))):
        other[number] = data.draw(st.text("ab{", max_size=4))
    first, second = "\n".join(lines), "\n".join(other)
    same = SameLines(first, second)
    inside = {at for start, end in same.changed for at in range(start, end)}
    for at in range(len(first)):
        if at not in inside:
            assert first[at] == second[same.second(at)]
            assert same.first(same.second(at)) == at
    changed = sum(a != b for a, b in zip(lines, other, strict=True))
    assert sum(first[start:end].count("\n") or 1 for start, end in same.changed) in (
        changed,
        changed - 1,
        changed + 1,
    )
    assert same.second(len(first)) == len(second)


def test_neighbouring_lines_are_one_span() -> None:
    assert SameLines("a\nb\nc\nd", "a\nx\ny\nd").changed == [(2, 6)]


def test_other_numbers_of_lines_change_the_whole_text() -> None:
    assert SameLines("a\nb", "a\nb\nc").changed == [(0, 3)]
