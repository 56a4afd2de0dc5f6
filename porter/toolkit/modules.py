"""Modules of target `simt`: shared libraries that the driver API loads (`cuModuleLoad`)."""

from __future__ import annotations

import base64
from pathlib import Path

SYMBOLS = "{ local: _ZN6simtrt10Registered*; _ZGVN6simtrt10Registered*; };\n"
"""Version script of a module: a program that loads the module may have a kernel of the same name, so that the module
uses its own symbols that record the registration of kernels."""
_TEXT_OF_LIBRARY = b"// simt library in base64\n"
"""First line of a file of `-ptx`; runtime/simt/src/api/module_text.h has the same line."""


def make_text(library: Path) -> None:
    """Replace a shared library by a text that contains it: programs read PTX as a text that ends at the first zero."""
    encoded = base64.encodebytes(library.read_bytes())
    library.write_bytes(_TEXT_OF_LIBRARY + encoded)
