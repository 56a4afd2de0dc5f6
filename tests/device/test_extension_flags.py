"""Flags with which sources of extensions of PyTorch are compiled for the installed backend."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

# PyTorch's header includes <thrust/complex.h> for nvcc, and with it <cfloat>.
LIMITS = """\
#include <c10/util/complex.h>
static_assert(FLT_MIN > 0 && FLT_MAX < DBL_MAX && FLT_EPSILON > DBL_EPSILON);
"""


def test_device_code_sees_the_limits_of_floats(tmp_path: Path) -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "porter", "simt", "flags", "--torch", "--only", "compile"],
        capture_output=True,
        text=True,
        check=True,
    )
    source = tmp_path / "limits.cpp"
    source.write_text(LIMITS, encoding="utf-8")
    done = subprocess.run(
        ["g++", *shlex.split(printed.stdout), "-fsyntax-only", str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
