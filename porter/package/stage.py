"""The package stage: makes the Python package and its wheel from a build.

Steps: write the tree of the wheel from the templates, pack it into a wheel, replace the output of the previous run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import porter
from porter.base import fs, regular_files, untrusted
from porter.base.errors import BuildError, Interrupted
from porter.model.package import Libraries, Packaged, PackageSpec
from porter.package import wheel_tree as package_tree
from porter.package.libraries import find

Progress = Callable[[int, int], None]
"""Callback with the number of finished steps and the number of all steps."""

_STATE = ".state.json"
_WHEEL = re.compile(r"[\w.+-]+\.whl", re.ASCII)
_EPOCH = "315532800"
"""1980-01-01, the earliest date that a zip file can store, in seconds since 1970.

All files of the wheel have this date, so that the same input gives the same bytes.
"""


def package(
    spec: PackageSpec,
    libraries: Path,
    folder: Path,
    progress: Progress = lambda done, total: None,
) -> Packaged:
    """Write the unpacked wheel `<folder>/torch_<lower>/` and the wheel file in `<folder>/dist/`.

    `libraries` is the build's folder of libraries. The output is replaced atomically at the end, and stays untouched
    when no input changed. Raises BuildError when a library is missing or the wheel cannot be made, SourceError when the
    folder cannot be written, Interrupted on Ctrl-C.
    """
    found = find(libraries, spec.profile.lower, spec.runtime.libraries)
    try:
        inputs = _digest(spec, found)
        if (wheel := _unchanged(folder, inputs)) is not None:
            return Packaged(wheel, _tree_in(folder, spec), False)
        with fs.exclusive(folder) as staging:
            name = _make(staging, spec, found, inputs, progress)
            fs.swap_in(staging, folder)
    except KeyboardInterrupt:
        raise Interrupted("stopped; the previous package is intact") from None
    except OSError as error:
        raise fs.cannot_write(error, folder) from None
    return Packaged(folder / "dist" / name, _tree_in(folder, spec), True)


def _make(
    staging: Path, spec: PackageSpec, libraries: Libraries, inputs: str, progress: Progress
) -> str:
    """Write all files to the staging folder and return the name of the wheel."""
    progress(0, 2)
    tree = _tree_in(staging, spec)
    package_tree.write(tree, spec, libraries)
    progress(1, 2)
    wheel = _pack(tree, staging / "dist")
    state = {"inputs": inputs, "wheel": wheel.name, "size": wheel.stat().st_size}
    (staging / _STATE).write_text(json.dumps(state), encoding="utf-8")
    progress(2, 2)
    return wheel.name


def _pack(tree: Path, dist: Path) -> Path:
    """Pack a tree into a wheel with its RECORD, by `python -m wheel`, and return the wheel's path.

    Raises BuildError if the program fails.
    """
    dist.mkdir()
    command = [sys.executable, "-m", "wheel", "pack", "--dest-dir", str(dist), str(tree)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": _EPOCH}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    wheels = list(dist.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        said = (done.stderr or done.stdout).strip()
        raise BuildError(
            f"the wheel could not be made\n{said}", help=f"the command was: {' '.join(command)}"
        )
    return wheels[0]


def _tree_in(folder: Path, spec: PackageSpec) -> Path:
    return folder / f"torch_{spec.profile.lower}"


def _unchanged(folder: Path, inputs: str) -> Path | None:
    """Wheel of the previous run; None if the inputs have changed or the wheel is missing or damaged."""
    try:
        state = untrusted.table(untrusted.json_data(regular_files.read_bytes(folder / _STATE)))
        if state["inputs"] != inputs or not _WHEEL.fullmatch(
            untrusted.relative_path(state["wheel"])
        ):
            return None
        wheel = untrusted.within(folder / "dist", state["wheel"])
        status = wheel.lstat()
    except (OSError, ValueError, KeyError):
        return None
    return wheel if stat.S_ISREG(status.st_mode) and status.st_size == state.get("size") else None


def _digest(spec: PackageSpec, libraries: Libraries) -> str:
    """Digest of a package's inputs: target and release, and size and time of every file."""
    files = (
        *package_tree.templates(),
        *libraries.shared,
        libraries.stub,
        *spec.licenses,
        *spec.headers.values(),
        *spec.own_ops_files,
        *([spec.runtime.plugin] if spec.runtime.plugin else []),
    )
    profile = spec.profile
    names = (profile.lower, profile.upper, profile.camel, profile.device)
    plain = (porter.__version__, names, spec.release, spec.cxx11_abi, spec.runtime, spec.layout)
    text = "\n".join((repr(plain), libraries.tag, fs.stamp(files)))
    return hashlib.sha256(text.encode()).hexdigest()
