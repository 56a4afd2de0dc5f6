"""C sources that include CUDA's headers, which are headers of C. The headers of target `simt` need C++.

The driver compiles such a source as C++: a second source includes the headers, and then the port with C linkage, so
that objects of other C sources link. Sources that include no header of CUDA remain C.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

LANGUAGE = "c with cuda"
"""Language of a C source that includes a header of CUDA."""
_FOLDER = ".porter-c"
"""Name of the folder, beside the port, that contains the second source."""
_STANDARD = ("cmath", "complex", "cstdlib")
"""Headers of C++ to which libstdc++'s versions of C's headers lead; templates cannot have C linkage."""
_WORDS_OF_C = ("-D_Bool=bool", "-Drestrict=__restrict__")
_WITHOUT_CXX = ("-DMPICH_SKIP_MPICXX", "-DOMPI_SKIP_MPICXX")
"""Macros that make headers of MPI leave out their interface for C++, which contains templates."""


def cuda_headers(includes: Iterable[str], toolkit: str) -> list[str]:
    """Select the include paths that denote headers in the folder `include` of a toolkit."""
    return [path for path in includes if os.path.isfile(f"{toolkit}/include/{path}")]  # noqa: PTH113


def place(ported: str) -> str:
    """Path of the second source; its name gives the object's name in dependency files."""
    folder, name = os.path.split(ported)
    return f"{folder}/{_FOLDER}/{name.removesuffix('.c')}.cc"


def text(ported: str, source: str, headers: Iterable[str]) -> str:
    """Text of the second source: `ported` is the path of the port, `source` the path that messages name."""
    before = "".join(f"#include <{name}>\n" for name in (*_STANDARD, *headers))
    return f'{before}#line 1 "{_quoted(source)}"\nextern "C" {{\n#include "{ported}"\n}}\n'


def flags(toolkit: str) -> list[str]:
    """Flags for the second source. Its warnings are about code that is valid C: implicit conversions from `void*`."""
    return ["-fpermissive", "-w", *_WORDS_OF_C, *_WITHOUT_CXX, "-isystem", f"{toolkit}/include"]


def _quoted(path: str) -> str:
    return path.replace("\\", "\\\\").replace('"', '\\"')
