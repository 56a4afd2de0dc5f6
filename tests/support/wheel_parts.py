"""Inputs of the package stage (libraries and profile of a small backend), and installation of a wheel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from porter.model.rules import Profile

STUB = "_C.cpython-311-x86_64-linux-gnu.so"
ACME = Profile("acme", "a vendor of the tests", "acme", "ACME", "Acme", "acme")


def shared_object(place: Path, *flags: str) -> Path:
    """Create a valid shared library without content at `place`; returns `place`."""
    place.parent.mkdir(parents=True, exist_ok=True)
    command = ["g++", "-shared", "-nostdlib", *flags, "-x", "c", os.devnull, "-o", str(place)]
    subprocess.run(command, check=True)
    return place


def build_folder(folder: Path, lower: str = "acme") -> Path:
    """Create the libraries of a build in `folder`, with search paths of the build machine; returns `folder`."""
    shared_object(folder / f"libtorch_{lower}_kernels.so", "-Wl,-rpath,/somewhere/torch/lib")
    shared_object(folder / f"libtorch_{lower}_python.so", "-Wl,-rpath,$ORIGIN")
    shared_object(folder / STUB)
    return folder


def install(wheel: Path, site: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    quick = ["--no-deps", "--no-index", "--no-compile", "--target", str(site), str(wheel)]
    subprocess.run([*pip, *quick], check=True)
