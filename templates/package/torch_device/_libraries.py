"""Loader of the shared libraries. Raises ImportError with the name of a library that is missing or cannot be loaded.

The libraries are loaded by path, each after the libraries on which it depends. The system finds loaded libraries by
name; therefore no library contains a path of the build machine.

The environment variable `TORCH_<UPPER>_KERNELS` is the path of a library that replaces the library of the kernels.
`porter verify --check` makes such a library, with instrumented kernels.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
from pathlib import Path

import torch

from ._build import DEVICE, LIBRARIES, LOWER, PRELOAD, UPPER
from ._torch_check import check_torch

_LIB = Path(__file__).resolve().parent / "lib"
_KERNELS = f"TORCH_{UPPER}_KERNELS"


def load() -> None:
    """Load all libraries that `_C` needs. Raises ImportError."""
    check_torch()
    _check_room()
    for package, inside in PRELOAD:
        _load(_folder_of(package) / inside, f"pip install --force-reinstall {package}")
    kernels = os.environ.get(_KERNELS)
    for name in LIBRARIES:
        if kernels and name == f"libtorch_{LOWER}_kernels.so":
            _load(Path(kernels), f"unset {_KERNELS}, or set it to a library of this release")
        else:
            _load(_LIB / name, f"install the wheel torch_{LOWER} again")


def runtime_library() -> str:
    """Name of the vendor's runtime, if the package contains it: `acme` for `libacme.so`; otherwise an empty text."""
    own = (name for name in LIBRARIES if not name.startswith("libtorch_"))
    return next((name.removeprefix("lib").removesuffix(".so") for name in own), "")


def open_library(name: str) -> ctypes.CDLL:
    """Loaded library `lib<name>.so` of this package."""
    return ctypes.CDLL(str(_LIB / f"lib{name}.so"))


def _check_room() -> None:
    """Raise ImportError if another backend uses PrivateUse1.

    This check precedes the loading of libraries, because registrations cannot be undone.
    """
    there = torch._C._get_privateuse1_backend_name()
    if there not in ("privateuseone", DEVICE):
        raise ImportError(
            f"device '{there}' is already registered in this process, and PyTorch supports only one out-of-tree "
            f"device, so that '{DEVICE}' cannot be registered"
            "\n  help: uninstall one of the two packages, or set TORCH_DEVICE_BACKEND_AUTOLOAD=0 and import one of them"
        )


def _folder_of(package: str) -> Path:
    """Folder of a package, found without importing the package."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        name = package.replace("_", "-")
        raise ImportError(
            f"device '{DEVICE}' needs the package {name}, which is not installed"
            f"\n  help: pip install {name}"
        )
    return Path(found.origin).parent


def _load(library: Path, help: str) -> None:
    if not library.is_file():
        raise ImportError(f"{library} is missing\n  help: {help}", path=str(library))
    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        raise ImportError(
            f"{library} cannot be loaded: {error}\n  help: {help}", path=str(library)
        ) from None
