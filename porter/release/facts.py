"""Facts of a release, read from its header tree."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from porter.base import regular_files
from porter.base.errors import SourceError
from porter.port import header_tree
from porter.release.known import ReleaseFacts

_VERSION = "torch/version.py"
_CPP_EXTENSION = "torch/utils/cpp_extension.py"
_FUNCTIONS = "aten/src/ATen/native/native_functions.yaml"


def read(tree: Path) -> ReleaseFacts:
    """Facts of a release, read from its header tree.

    Raises SourceError for any other tree, and for a header tree that does not state one of the facts.
    """
    marker = header_tree.read(tree)
    if marker is None:
        help = "fetch one: porter release fetch RELEASE-headers"
        raise SourceError("is not a header tree", str(tree), help)
    cuda = re.search(r"^cuda(?:: [\w\[\]]+)? = '([\d.]+)'", _text(tree, _VERSION), re.M)
    standards = Counter(re.findall(r"-std=c\+\+(\d+)", _text(tree, _CPP_EXTENSION)))
    schemas = len(re.findall(r"^- func:", _text(tree, _FUNCTIONS), re.M))
    if not cuda:
        text = "states no CUDA version: the wheel was built without CUDA"
        raise SourceError(text, str(tree / _VERSION))
    if not standards:
        raise SourceError("states no C++ standard", str(tree / _CPP_EXTENSION))
    if not marker.python:
        help = f"fetch it again: porter release fetch {marker.release}-headers"
        raise SourceError("states no version of Python", str(tree / header_tree.MARKER), help)
    standard = standards.most_common(1)[0][0]
    return ReleaseFacts(marker.wheel, standard, cuda[1], marker.python, schemas)


def _text(tree: Path, name: str) -> str:
    try:
        return regular_files.read_text(tree / name)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(tree / name)) from None
    except UnicodeDecodeError as error:
        raise SourceError(f"is not UTF-8: byte {error.start}", str(tree / name)) from None
