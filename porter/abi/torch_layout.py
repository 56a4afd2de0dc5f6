"""Layout facts of the PyTorch against which a backend is compiled.

When the backend is imported, it compares these facts with the PyTorch in its environment.
"""

from __future__ import annotations

import hashlib
import re

from porter.abi import known_layouts
from porter.base import regular_files
from porter.base.errors import BuildError
from porter.model.class_layout import TorchLayout
from porter.toolchain.discovery import Torch

_COMMIT = re.compile(r"^git_version(?:: [^=]+)? = '([0-9a-f]{7,40})'", re.M)


def layout_of(torch: Torch) -> TorchLayout:
    """Commit and header digests of an installed PyTorch, and the known releases whose layouts differ.

    Raises BuildError when a header cannot be read, MappingError when the known layouts are damaged.
    """
    known = known_layouts.read()
    include = torch.includes[0]
    place = torch.root / "version.py"
    try:
        found = _COMMIT.search(regular_files.read_text(place))
        headers = {}
        for name in known.headers:
            place = include / name
            if place.is_file():
                headers[name] = hashlib.sha256(regular_files.read_bytes(place)).hexdigest()
    except OSError as error:
        raise BuildError(f"cannot be read: {error.strerror}", str(place)) from None
    differences = known.differences(torch.release)
    return TorchLayout(found[1] if found else "", headers, differences)
