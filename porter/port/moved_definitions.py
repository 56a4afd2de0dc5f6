"""Headers whose definitions upstream has moved, and the headers that now contain the definitions.

When upstream moves the definitions of a header, the old header often remains as a shim, which includes the new header
and otherwise contains only `using` declarations. Old and new header have the same stem: the shim `c10/util/Half.h`
includes `torch/headeronly/util/Half.h`.

>>> is_shim("#pragma once\\n#include <torch/headeronly/util/Half.h>\\n")
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from porter.rewrite.kinds.path import INCLUDE_ROOTS

LARGEST_SHIM = 2048
"""Largest size in bytes of a header that is examined as a possible shim. The largest known shim has 650 bytes."""
HEADERS = (".h", ".cuh", ".hpp")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([\w./-]+)[>"]', re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_EMPTY = re.compile(
    r"[ \t]*#[ \t]*(?:pragma|include|if|ifdef|ifndef|else|elif|endif|error)\b(?:\\\r?\n|[^\n])*"
    r"|\busing\s[^;={]*;"
    r"|\b(?:inline\s+)?namespace\b[\w:\s]*\{|\}"
)


def is_shim(text: str) -> bool:
    """Test whether a header is a shim: it contains only includes, namespaces, `using` and preprocessor directives."""
    code = _COMMENT.sub("", text)
    return not _EMPTY.sub("", code).strip() and bool(_INCLUDE.search(code))


def includes(text: str) -> Iterator[str]:
    """Paths in the `#include` lines of a text, in the spelling of the text."""
    return (match[1] for match in _INCLUDE.finditer(_COMMENT.sub("", text)))


def new_place(path: str, text: str, exists: Callable[[str], bool]) -> str | None:
    """Path, from the root of the tree, of the header that now contains the definitions of the shim at `path`.

    None if the shim includes no existing header with the same stem (file name without suffix). `exists` tests whether
    the tree has a file at a path from the root.
    """
    stem = _stem(path)
    for included in includes(text):
        if _stem(included) != stem:
            continue
        for root in INCLUDE_ROOTS:
            if (found := f"{root}{included}") != path and exists(found):
                return found
    return None


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].removesuffix("-inl")
