"""Programs for target `simt`, built and run: libsimt.so is built when the first test asks for it.

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
    """Path of this checkout's libsimt.so, brought up to date in build/simt, like build_scripts/build_simt. Skips
    the test without a C++ compiler. Raises BuildError.
    """
    assert FAST not in os.environ, "a test that builds the runtime is marked slow"
    options = Options(out=ROOT / "build" / "simt")
    if not shutil.which(options.compiler):
        pytest.skip(f"no {options.compiler}")
    return build(options)


def compile_ported(source: Path, program: Path, *more: str) -> Path:
    """Compile one ported file, with warnings as errors, and return the program. `more`: arguments after porter's
    flags.
    """
    library = libsimt()
    command = ["g++", "-O1", "-Wall", "-Wextra", "-Werror", *link_flags(library.parent)]
    command += [*program_flags(), *conversion_flags(library.parent).flags, *more]
    command += [str(source), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program
