"""Golden texts: the output of a test whose result differs."""

from __future__ import annotations

import pytest
from golden import assert_golden


@pytest.mark.parametrize(
    ("made", "golden", "diff"),
    [
        ("a\nc\n", "a\nb\n", ["@@ -1,2 +1,2 @@", " a", "-b", "+c"]),
        ("a\r\n", "a\n", ["@@ -1 +1 @@", "-a", r"+a\r"]),
        ("a", "a\n", ["@@ -1 +1 @@", "-a", "+a (no newline at the end)"]),
        (["a", "b"], ["a"], ["@@ -1 +1,2 @@", " a", "+b"]),
    ],
    ids=["another line", "line ends", "last line", "a list"],
)
def test_a_difference_is_told_as_a_unified_diff(
    made: str | list[str], golden: str | list[str], diff: list[str]
) -> None:
    with pytest.raises(pytest.fail.Exception) as failed:
        assert_golden(made, golden, "x.case")

    assert str(failed.value).splitlines() == ["--- x.case (golden)", "+++ x.case (made)", *diff]


def test_equal_texts_pass() -> None:
    assert_golden("a\n", "a\n", "x.case")
