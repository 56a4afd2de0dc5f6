"""Names that a header defines. They show to which header upstream has moved definitions.

>>> sorted(defined_names("#define A 1\\nstruct B { int c; };\\nusing D = B;\\ninline int e() { return 0; }"))
['A', 'B', 'D', 'e']

Upstream moved the definitions of an old header to the header of a new release that defines most of the same names.
"""

from __future__ import annotations

import re

from porter.cpp.functions import functions

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_USING = re.compile(r"\busing\s+(\w+)\s*=")
_TYPE = re.compile(
    r"^[ \t]*(?:class|struct|union|enum(?:\s+class)?)\s+(?:[A-Z][A-Z0-9_]*\s+)?(\w+)[^;{}()]*\{",
    re.MULTILINE,
)
_WORD = re.compile(r"\w+")


def defined_names(text: str) -> frozenset[str]:
    """Macros, types, aliases and functions that a header defines."""
    found = {name for pattern in (_DEFINE, _USING, _TYPE) for name in pattern.findall(text)}
    found.update(one.name for one in functions(text) if _WORD.fullmatch(one.name))
    return frozenset(found)
