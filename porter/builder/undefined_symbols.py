"""Check before linking: find the objects that need a symbol which neither an object nor a library defines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import Problem
from porter.builder.symbol_table import LinkSymbols, demangled
from porter.model.build import BINDING, DISTRIBUTED, GLUE, HOST, CompileUnit, NotBuilt

_KEPT = (HOST, GLUE, DISTRIBUTED, *BINDING)
"""Sets whose units are never left out: the device does not work without them."""
_LINKER = frozenset(
    [
        *("_GLOBAL_OFFSET_TABLE_", "_DYNAMIC", "__ehdr_start", "__dso_handle", "__tls_get_addr"),
        *(
            "atexit",
            "at_quick_exit",
            "pthread_atfork",
            "stat",
            "fstat",
            "lstat",
            "fstatat",
            "mknod",
        ),
    ]
)
"""Symbols that the linker, the start files and glibc's libc_nonshared.a define."""


class Resolved(NamedTuple):
    """Objects that can be linked, and objects that cannot."""

    kept: tuple[CompileUnit, ...]
    left_out: Mapping[CompileUnit, frozenset[str]]
    """Maps a unit that is left out to the undefined symbols that the unit needs."""
    missing: Mapping[str, tuple[CompileUnit, ...]]
    """Maps an undefined symbol to the units that need the symbol and are not left out."""


def resolve(
    symbols: Mapping[CompileUnit, LinkSymbols], external: frozenset[str], *, shrink: bool
) -> Resolved:
    """Search the units and the libraries' symbols `external` for the definition of each symbol that a unit needs.

    With `shrink`, leave out kernels with undefined symbols, then kernels that need symbols of these kernels, until no
    kernel has an undefined symbol. Without `shrink`, keep all units and report the undefined symbols.
    """
    kept = dict(symbols)
    left_out: dict[CompileUnit, frozenset[str]] = {}
    outside = external | _LINKER
    while True:
        provided = outside.union(*(own.defined for own in kept.values()))
        needing = {unit: own.undefined - provided for unit, own in kept.items()}
        dropped = {
            unit: lacks for unit, lacks in needing.items() if shrink and lacks and can_go(unit)
        }
        if not dropped:
            break
        left_out |= dropped
        kept = {unit: own for unit, own in kept.items() if unit not in dropped}
    missing: dict[str, list[CompileUnit]] = {}
    for unit, lacks in needing.items():
        for symbol in sorted(lacks):
            missing.setdefault(symbol, []).append(unit)
    return Resolved(tuple(kept), left_out, {name: tuple(units) for name, units in missing.items()})


def problems(missing: Mapping[str, tuple[CompileUnit, ...]], where: DefinedIn) -> list[Problem]:
    """Problems, one for each undefined symbol: a source that needs the symbol, and the source that would define it."""
    names = demangled(missing)
    found = []
    for symbol, units in sorted(missing.items()):
        name = names[symbol]
        more = f", and by {len(units) - 1} more sources" if len(units) > 1 else ""
        text = f"no linked file defines '{name}', which is needed here{more}"
        found.append(Problem(text, units[0].path, where.help(name)))
    return found


def left_out_for(
    left_out: Mapping[CompileUnit, frozenset[str]], where: DefinedIn
) -> list[NotBuilt]:
    """`NotBuilt` entries for the units that are left out. The reason names a unit's first undefined symbol."""
    names = demangled(sorted(frozenset().union(*left_out.values())))
    found = []
    for unit, lacks in left_out.items():
        symbols = [names[symbol] for symbol in sorted(lacks)]
        more = f", and {len(symbols) - 1} more undefined symbols" if len(symbols) > 1 else ""
        source = where.of(symbols[0])
        which = f", which {source} defines" if source else ""
        found.append(NotBuilt(unit.path, f"needs '{symbols[0]}'{which}{more}"))
    return found


class DefinedIn:
    """Search, in the sources that are not linked, for the source that defines a function."""

    def __init__(self, sources: Mapping[Path, NotBuilt]) -> None:
        """`sources` maps a file to its upstream path and the reason why the file is not linked."""
        self.sources = sources
        self.texts: dict[Path, str] = {}

    def of(self, name: str) -> str | None:
        """Upstream path of the source whose text defines the function `name`; None when no source does."""
        found = self._find(name)
        return found.path if found else None

    def help(self, name: str) -> str:
        """Advice for an undefined symbol."""
        found = self._find(name)
        if found is None:
            return "check the mappings: no source of the port defines the function"
        return f"build {found.path}, which defines the function (not linked: {found.reason})"

    def _find(self, name: str) -> NotBuilt | None:
        """First source that contains the function's name at the start of a line or after a type, and then a body.

        None if there is no such source.
        """
        word = re.sub(r"\[abi:\w+\]", "", name.partition("(")[0]).rpartition("::")[2]
        word = word.partition("<")[0]
        if not word.isidentifier():
            return None
        pattern = re.compile(rf"^[^\n;/=]*\b{word}\s*\([^;{{]*\{{", re.M)
        for place, source in self.sources.items():
            text = self._text(place)
            if word in text and pattern.search(text):
                return source
        return None

    def _text(self, place: Path) -> str:
        if place not in self.texts:
            try:
                self.texts[place] = place.read_text(encoding="latin-1")
            except OSError:
                self.texts[place] = ""
        return self.texts[place]


def can_go(unit: CompileUnit) -> bool:
    """Test whether the backend works without the unit."""
    return unit.set not in _KEPT
