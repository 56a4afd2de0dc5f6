"""Detection of CUDA API names in sources. The inventory of CUDA's headers gives the API area of each name.

Most names of CUDA are unmistakable (`cudaMalloc`, `__syncthreads`, `threadIdx`). The other names are ordinary words. An
ordinary word counts as CUDA's name only in a namespace of CUDA (`cub::Sum`) or in device code (`sqrtf`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.mapping.inventory import Inventory
from porter.model.rules import TokenClass
from porter.model.scan import OTHER
from porter.rewrite.source import Source, WordSite

_NAMESPACED = re.compile(
    r"\b(?:cub|thrust|cooperative_groups|cg|nvcuda|wmma|cuda)\s*::\s*(?:\w+\s*::\s*){0,3}\Z",
    re.ASCII,
)
"""Qualification before a name of a header library, for example `cuda::std::` in `cuda::std::atomic`."""
_NAMESPACES = {"cub": "cub", "thrust": "thrust", "nvcuda": "intrinsics"}
_IN_NAMESPACES = frozenset(("cub", "thrust", "intrinsics"))
_BARE = re.compile(
    r"__\w+|(?:thread|block)Idx|(?:block|grid)Dim|warpSize|clock64|atomic[A-Z]\w*|half2?"
    r"|make_\w+|(?:surf|tex)(?:[123]D|Cubemap)\w*"
    r"|h2?(?:ceil|cos|exp|floor|log|rcp|rint|rsqrt|sin|sqrt)\d*",
    re.ASCII,
)
"""Names of intrinsics that are used without a namespace."""
_GENERIC = frozenset(
    ("MAJOR_VERSION", "MINOR_VERSION", "PATCH_LEVEL", "MAX_PLANES", "Header", "BufferInfo")
)
"""Names that CUDA's headers declare, but that mean something unrelated in most code."""
_CALL = re.compile(r"\s*\(")
# The operator must be on the same line, because a full stop at the end of a comment above is not a member access.
_MEMBER = re.compile(r"(?:\.|->|::)[ \t]*\Z")
_REACH = 120
"""Number of characters before a name in which its namespace is searched."""


class ApiDetector:
    """Detector of CUDA API names in sources."""

    def __init__(self, inventory: Inventory, vendor: re.Pattern[str]) -> None:
        self.areas = list(inventory.areas)
        self._area_of = inventory.area_of()
        self._vendor = vendor
        self._known: dict[str, str] = {}

    def sites(self, source: Source) -> Iterator[tuple[WordSite, str]]:
        """Vendor words and CUDA API names in code and preprocessor conditions, each with its location and API area."""
        words = {word for word in source.words if self._area(word)}
        for site in source.sites(words):
            if site.where in (TokenClass.CODE, TokenClass.CONDITION):
                area = self._area(site.word)
                if self._vendor.search(site.word) or self._stands_for_cuda(area, site, source):
                    yield site, area

    def _area(self, word: str) -> str:
        """API area of a word, if the word is a name of CUDA; empty when the word is unrelated to CUDA."""
        area = self._known.get(word)
        if area is None:
            area = "" if word in _GENERIC else self._area_of.get(word, _NAMESPACES.get(word, ""))
            if not area and self._vendor.search(word):
                area = OTHER
            self._known[word] = area
        return area

    def _stands_for_cuda(self, area: str, site: WordSite, source: Source) -> bool:
        """Test whether the word at `site`, which belongs to the API area `area`, is a CUDA name in its context."""
        before = source.text[max(0, site.start - _REACH) : site.start]
        if area == "math":
            # In host files, and after a qualifier as in std::exp, these names are functions of the C or C++ library.
            device = source.path.endswith((".cu", ".cuh"))
            called = _CALL.match(source.text, site.start + len(site.word))
            return bool(device and called and not _MEMBER.search(before))
        if area in _IN_NAMESPACES:
            bare = area == "intrinsics" and _BARE.fullmatch(site.word)
            return bool(bare and not _MEMBER.search(before)) or bool(_NAMESPACED.search(before))
        return True
