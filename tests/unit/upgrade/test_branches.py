"""Text of the backend under preprocessor conditions, as compiled for a release."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from porter.upgrade.branches import Facts, active, macros, value_of

AT_LEAST = """\
#define AT_LEAST(major, minor) \\
  (TORCH_VERSION_MAJOR > (major) || \\
   (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))
#define HAS_POOLS AT_LEAST(2, 5)
"""


def facts(release: str, *headers: str) -> Facts:
    version = tuple(int(part) for part in release.split("."))
    known = {"ATen": True, "c10": True}

    def has_include(path: str) -> bool | None:
        return path in headers if path.split("/")[0] in known else None

    return Facts(version, has_include, macros([AT_LEAST]))


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("AT_LEAST(2, 6)", True),
        ("AT_LEAST(2, 7)", False),
        ("AT_LEAST(2, 3) && !AT_LEAST(2, 6)", False),
        ("HAS_POOLS", True),
        ("!HAS_POOLS || AT_LEAST(3, 0)", False),
        ("__has_include(<ATen/There.h>)", True),
        ("__has_include(<ATen/Gone.h>) && AT_LEAST(2, 1)", False),
        ("__has_include(<nlohmann/json.hpp>)", None),
        ("__has_include(<nlohmann/json.hpp>) && AT_LEAST(2, 7)", False),
        ("__has_include(<nlohmann/json.hpp>) || AT_LEAST(2, 6)", True),
        ("defined(USE_ROCM)", None),
        ("defined(USE_ROCM) || TORCH_VERSION_MINOR >= 6", True),
        ("TORCH_VERSION_MAJOR == 2 // comment", True),
        ("CUDA_VERSION >= 12040", None),
        ("0", False),
        ("(", None),
    ],
)
def test_a_condition_has_the_value_of_the_release(condition: str, value: bool | None) -> None:
    assert value_of(condition, facts("2.6.0", "ATen/There.h")) is value


TEXT = """\
zero
#if AT_LEAST(2, 8)
eight
#elif AT_LEAST(2, 5)
five
#ifdef OTHER
five, other
#else
five, not other
#endif
#else
old
#endif
#if defined(X)
x
#elif AT_LEAST(2, 5)
not x, five
#else
not x, old
#endif
"""


def kept(release: str) -> list[str]:
    lines = active(TEXT, facts(release)).split("\n")
    assert len(lines) == len(TEXT.split("\n"))
    return [line for line in lines if line and not line.startswith("#")]


def test_branches_that_the_release_does_not_take_are_empty_and_unknown_ones_stay() -> None:
    assert kept("2.8.1") == ["zero", "eight", "x", "not x, five"]
    assert kept("2.6.0") == ["zero", "five", "five, other", "five, not other", "x", "not x, five"]
    assert kept("2.4.0") == ["zero", "old", "x", "not x, old"]


@pytest.mark.parametrize("release", ["1.13.0", "2.4.9", "2.5.0", "2.8.0", "3.0.0"])
def test_the_lines_are_those_that_the_preprocessor_keeps(release: str, tmp_path: Path) -> None:
    major, minor, _ = release.split(".")
    source = tmp_path / "text.c"
    source.write_text(AT_LEAST + TEXT)
    command = ["g++", "-E", "-P", "-x", "c++", f"-DTORCH_VERSION_MAJOR={major}"]
    command += [f"-DTORCH_VERSION_MINOR={minor}", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    expected = set(done.stdout.splitlines()) - {""}
    # The preprocessor knows that OTHER and X are undefined.
    assert set(kept(release)) - {"five, other", "x"} == expected


def test_a_macro_with_two_definitions_is_unknown() -> None:
    both = macros(["#define A 1\n", "#define A 0\n"])
    assert value_of("A", Facts((2, 6), lambda path: None, both)) is None
