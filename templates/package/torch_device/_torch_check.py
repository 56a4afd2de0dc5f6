"""Check that rejects a torch for which the libraries of this package were not compiled.

Sizes of classes, offsets of fields and slots of virtual functions are constants in the libraries. With a torch of
another layout, the libraries would corrupt memory; therefore none of them is loaded before this check.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import torch

from ._build import CXX11_ABI, DEVICE, TORCH_VERSION
from ._layout import DIFFERENCES, HEADERS, TORCH_COMMIT

_THIS_BUILD = f"this build of device '{DEVICE}' is for"


def check_torch() -> None:
    """Raise ImportError for a torch of another release, ABI of std::string, or layout."""
    _check_release()
    _check_abi()
    _check_layout()


def _check_release() -> None:
    release = torch.__version__.partition("+")[0]
    if release == TORCH_VERSION:
        return
    text = f"{_THIS_BUILD} torch {TORCH_VERSION}, and torch {torch.__version__} is installed"
    if release in DIFFERENCES:
        count, example = DIFFERENCES[release]
        text += f", in which {example}{_more(count - 1)} another layout"
    raise ImportError(f"{text}\n  help: pip install torch=={TORCH_VERSION}")


def _more(count: int) -> str:
    if count == 0:
        return " has"
    return f" and {count} more class{'es' if count > 1 else ''} have"


def _check_abi() -> None:
    abi = torch.compiled_with_cxx11_abi()
    if abi != CXX11_ABI:
        raise ImportError(
            f"{_THIS_BUILD} a torch with _GLIBCXX_USE_CXX11_ABI={int(CXX11_ABI)}, and "
            f"the torch {torch.__version__} that is installed has {int(abi)}"
            "\n  help: install the build of torch that this package is for, or build the package for this torch"
        )


def _check_layout() -> None:
    """Raise ImportError if headers differ: a torch of the same release may be built from other sources."""
    commit = torch.version.git_version
    if not HEADERS or commit == TORCH_COMMIT:
        return
    include = Path(torch.__file__).parent / "include"
    for name, digest in HEADERS.items():
        if _digest(include / name) != digest:
            raise ImportError(
                f"{_THIS_BUILD} torch {TORCH_VERSION} of commit {TORCH_COMMIT or 'unknown'}, and {name} of the torch "
                f"{torch.__version__} that is installed (commit {commit}) is missing or differs, so that layouts of "
                "classes may differ"
                "\n  help: install the build of torch that this package is for, or build the package for this torch"
            )


def _digest(header: Path) -> str:
    """SHA-256 of a header in hexadecimal; empty if the header cannot be read."""
    try:
        return hashlib.sha256(header.read_bytes()).hexdigest()
    except OSError:
        return ""
