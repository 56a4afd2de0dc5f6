"""Which words of a source are CUDA's API, and of which area, by the inventory of CUDA's headers.

Most names of CUDA say so themselves (`cudaMalloc`, `__syncthreads`, `threadIdx`). The rest are
plain words in a namespace or in device code (`cub::Sum`, `sqrtf`), which count only where they
stand so.
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
"""What stands before a name of a header library, `cuda::std::atomic` included."""
_NAMESPACES = {"cub": "cub", "thrust": "thrust", "nvcuda": "intrinsics"}
_IN_NAMESPACES = frozenset(("cub", "thrust", "intrinsics"))
_BARE = re.compile(
    r"__\w+|(?:thread|block)Idx|(?:block|grid)Dim|warpSize|clock64|atomic[A-Z]\w*|half2?"
    r"|make_\w+|(?:surf|tex)(?:[123]D|Cubemap)\w*"
    r"|h2?(?:ceil|cos|exp|floor|log|rcp|rint|rsqrt|sin|sqrt)\d*",
    re.ASCII,
)
"""Intrinsics that are written without a namespace."""
_GENERIC = frozenset(
    ("MAJOR_VERSION", "MINOR_VERSION", "PATCH_LEVEL", "MAX_PLANES", "Header", "BufferInfo")
)
"""Names in CUDA's headers that say nothing of CUDA where they stand elsewhere."""
_CALL = re.compile(r"\s*\(")
# On the same line: the full stop of a comment above is none.
_MEMBER = re.compile(r"(?:\.|->|::)[ \t]*\Z")
_REACH = 120
"""How far before a name its namespace is looked for."""


class Apis:
    """Finds CUDA's API in sources."""

    def __init__(self, inventory: Inventory, vendor: re.Pattern[str]) -> None:
        self.areas = list(inventory.areas)
        self._area_of = inventory.area_of()
        self._vendor = vendor
        self._known: dict[str, str] = {}

    def sites(self, source: Source) -> Iterator[tuple[WordSite, str]]:
        """Each place of a vendor word or a CUDA name in code and conditions, with its area."""
        words = {word for word in source.words if self._area(word)}
        for site in source.sites(words):
            if site.where in (TokenClass.CODE, TokenClass.CONDITION):
                area = self._area(site.word)
                if self._vendor.search(site.word) or self._stands_for_cuda(area, site, source):
                    yield site, area

    def _area(self, word: str) -> str:
        """The area a word may belong to; empty when it has nothing to do with CUDA."""
        area = self._known.get(word)
        if area is None:
            area = "" if word in _GENERIC else self._area_of.get(word, _NAMESPACES.get(word, ""))
            if not area and self._vendor.search(word):
                area = OTHER
            self._known[word] = area
        return area

    def _stands_for_cuda(self, area: str, site: WordSite, source: Source) -> bool:
        """Whether a plain word is CUDA's where it stands."""
        before = source.text[max(0, site.start - _REACH) : site.start]
        if area == "math":
            # Elsewhere, and as std::exp, they are the C library's.
            device = source.path.endswith((".cu", ".cuh"))
            called = _CALL.match(source.text, site.start + len(site.word))
            return bool(device and called and not _MEMBER.search(before))
        if area in _IN_NAMESPACES:
            bare = area == "intrinsics" and _BARE.fullmatch(site.word)
            return bool(bare and not _MEMBER.search(before)) or bool(_NAMESPACED.search(before))
        return True
