"""Unified diffs of bytes are applied exactly; a diff that does not fit is an error."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porter.overlay import unified

LINES = st.lists(st.sampled_from([b"a", b"b", b"}", b"", b"c\r", b"-x", b"+y", b"\\ z", b"@@ -1"]))
TEXTS = st.builds(lambda lines, end: b"\n".join(lines) + end, LINES, st.sampled_from([b"", b"\n"]))


@given(TEXTS, TEXTS)
def test_a_diff_applied_gives_the_changed_text(before: bytes, after: bytes) -> None:
    patch = unified.diff(before, after, "f")
    assert bool(patch) == (before != after)
    if patch:
        assert unified.apply(before, patch) == after


@given(TEXTS, TEXTS, TEXTS)
def test_a_diff_of_another_text_never_applies_silently(
    before: bytes, after: bytes, other: bytes
) -> None:
    patch = unified.diff(before, after, "f")
    try:
        made = unified.apply(other, patch)
    except ValueError:
        return
    # Only what is outside the hunks may differ.
    assert unified.change(other, made)[:2] == unified.change(before, after)[:2] or other != before


def test_git_reads_the_diff(tmp_path: Path) -> None:
    before = b"".join(b"line %d\r\n" % n for n in range(40)) + b"end"
    after = before.replace(b"line 3\r\n", b"three\n").replace(b"line 30\r\n", b"") + b" now"
    (tmp_path / "f").write_bytes(before)
    (tmp_path / "p").write_bytes(unified.diff(before, after, "f"))
    subprocess.run(["git", "apply", "--whitespace=nowarn", "p"], cwd=tmp_path, check=True)
    assert (tmp_path / "f").read_bytes() == after


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        (b"", "holds no change"),
        (b"@@ -1 +1 @@\n-b\n+c\n", "line 2 differs from line 1 of the base"),
        (b"@@ -1,2 +1 @@\n-a\n", "ends within the hunk"),
        (b"@@ -9 +9 @@\n-a\n+c\n", "outside the base"),
        (b"@@ -1 +1 @@\n-a\n?c\n", "not a line of a hunk"),
        (b"@@ -1 +1 @@\n-a\n+c\n+d\n", "not a hunk"),
        (b"@@ some @@\n", "not a hunk"),
    ],
)
def test_what_is_wrong_with_a_diff(patch: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        unified.apply(b"a\n", patch)
