"""Globs over upstream paths: matches, and run time with many wildcards."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porter.base.globs import compile_glob


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("a.cu", "x/y/a.cu", True),
        ("*.cu", "x/a.cu.cu", True),
        ("*.cu", "x/a.cuh", False),
        ("x/*.cu", "x/y/a.cu", False),
        ("x/**/*.cu", "x/a.cu", True),
        ("x/**/*.cu", "x/y/z/a.cu", True),
        ("x/**/y/**/*b*.cu", "x/1/y/y/2/abc.cu", True),
        ("x/**", "x/y/z", True),
        ("x/**", "y/z", False),
        ("**/cuda/**/*.cpp", "aten/cuda/detail/x.cpp", True),
        ("**/cuda/**/*.cpp", "aten/cuda.cpp", False),
        ("x/a?c.h", "x/abc.h", True),
        ("x/a?c.h", "x/a/c.h", False),
        ("x/**y", "x/a/by", True),
        ("x/a*b*c", "x/abbbcbc", True),
    ],
)
def test_matches(glob: str, path: str, expected: bool) -> None:
    assert bool(compile_glob(glob).fullmatch(path)) is expected


PIECES = st.lists(st.sampled_from(["a", "b", "*", "?", "/", "/**/", "**/"]), min_size=1, max_size=7)


@given(PIECES, st.text("ab/", max_size=8))
def test_agrees_with_the_definition(pieces: list[str], path: str) -> None:
    glob = "".join(pieces)
    assert bool(compile_glob(glob).fullmatch(path)) == bool(_defined(glob).fullmatch(path))


def _defined(glob: str) -> re.Pattern[str]:
    """Definition of a glob as one plain regular expression, which may be very slow."""
    if "/" not in glob:
        glob = f"**/{glob}"
    out = []
    for piece in re.split(r"((?:^|(?<=/))\*\*/|\*\*+|\*|\?)", glob):
        known = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
        wild = ".*" if re.fullmatch(r"\*\*+", piece) else known.get(piece)
        out.append(wild or re.escape(piece))
    return re.compile("".join(out), re.DOTALL)


@pytest.mark.parametrize(
    "glob", ["**/" * 200 + "x.cu", "**/a" * 200 + ".cu", "*a" * 200 + "/x", "a/**/" * 200 + "*.h"]
)
def test_many_wildcards_take_no_time(glob: str) -> None:
    started = time.perf_counter()
    for path in ("a/" * 100 + "a.cpp", "a" * 300):
        compile_glob(glob).fullmatch(path)
    assert time.perf_counter() - started < 2
