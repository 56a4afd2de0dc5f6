"""Headers of the installed PyTorch that headers of the port replace.

An object compiled with PyTorch's header does not depend on the port's header of the same name. When the port gains such
a header, neither ninja nor ccache would recompile the object. Therefore every compile command contains a hash of the
list of replaced headers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

_ROOTS = ("aten/src/", "")
"""Include folders of the port."""
_INCLUDED = (".h", ".cuh")


def define(ported: Iterable[str], installed: Path) -> str:
    """Macro definition with a hash of the list of replaced headers.

    `ported`: paths in the port; `installed`: PyTorch's folder of headers.
    """
    names = {
        path.removeprefix(root)
        for path in ported
        for root in _ROOTS
        if path.endswith(_INCLUDED) and path.startswith(root)
    }
    listed = "\n".join(sorted(name for name in names if (installed / name).is_file()))
    return f"PORTER_HEADERS=0x{hashlib.sha256(listed.encode()).hexdigest()[:8]}"
