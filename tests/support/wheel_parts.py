"""Libraries and profile of a small backend as inputs of the package stage, and installation of its wheel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from porter.model.rules import Profile

STUB = "_C.cpython-311-x86_64-linux-gnu.so"
ACME = Profile("acme", "a vendor of the tests", "acme", "ACME", "Acme", "acme")


def shared_object(place: Path, *flags: str) -> Path:
    """Valid shared library without content."""
    place.parent.mkdir(parents=True, exist_ok=True)
    command = ["g++", "-shared", "-nostdlib", *flags, "-x", "c", os.devnull, "-o", str(place)]
    subprocess.run(command, check=True)
    return place


def build_folder(folder: Path, lower: str = "acme") -> Path:
    """Libraries of a build, with search paths of the build machine."""
    shared_object(folder / f"libtorch_{lower}_kernels.so", "-Wl,-rpath,/somewhere/torch/lib")
    shared_object(folder / f"libtorch_{lower}_python.so", "-Wl,-rpath,$ORIGIN")
    shared_object(folder / STUB)
    return folder


def install(wheel: Path, site: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    quick = ["--no-deps", "--no-index", "--no-compile", "--target", str(site), str(wheel)]
    subprocess.run([*pip, *quick], check=True)
