"""Which headers of the installed PyTorch the port stands before.

An object that was compiled with the installed form of a header does not name the port's among its dependencies, and
neither ninja nor ccache notices that there is one now. So the list is part of every compiler's command.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

_ROOTS = ("aten/src/", "")
"""Folders of the port that the compiler searches."""
_INCLUDED = (".h", ".cuh")


def define(ported: Iterable[str], installed: Path) -> str:
    """A macro that differs when the list does.

    `ported` are paths in the port, `installed` is PyTorch's folder of headers.
    """
    names = {
        path.removeprefix(root)
        for path in ported
        for root in _ROOTS
        if path.endswith(_INCLUDED) and path.startswith(root)
    }
    listed = "\n".join(sorted(name for name in names if (installed / name).is_file()))
    return f"PORTER_HEADERS=0x{hashlib.sha256(listed.encode()).hexdigest()[:8]}"
