"""Compilation of programs for target `simt`. The first compilation builds libsimt.so.

program = compile_ported(folder / "vector_add.cu", tmp_path / "vector_add")
assert subprocess.run([program]).returncode == 0
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from property_examples import FAST
from repository import ROOT

from porter.simt.build import Options, build, conversion_flags, link_flags, program_flags


@functools.cache
def libsimt() -> Path:
    """Path of this checkout's libsimt.so, which is built in build/simt if it is not up to date.

    Without a C++ compiler, the test is skipped. Raises BuildError if the build fails.
    """
    assert FAST not in os.environ, "a test that builds the runtime is marked slow"
    options = Options(out=ROOT / "build" / "simt")
    if not shutil.which(options.compiler):
        pytest.skip(f"no {options.compiler}")
    return build(options)


def compile_ported(source: Path, program: Path, *more: str) -> Path:
    """Compile one ported file to `program`, with warnings as errors, and return the path of the program.

    `more` contains compiler arguments after porter's flags.
    """
    library = libsimt()
    command = ["g++", "-O1", "-Wall", "-Wextra", "-Werror", *link_flags(library.parent)]
    command += [*program_flags(), *conversion_flags(library.parent).flags, *more]
    command += [str(source), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program
