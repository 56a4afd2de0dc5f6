"""Before linking: which objects need symbols that nothing provides, so that they can be left out or told about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import Problem
from porter.builder.symbol_table import LinkSymbols, demangled
from porter.model.build import BINDING, GLUE, HOST, CompileUnit, NotBuilt

_KEPT = (HOST, GLUE, *BINDING)
"""Sets whose units cannot be left out: without them there is no device."""
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
"""What the linker, the start files and the static part of the C library provide (glibc's libc_nonshared.a)."""
_SHOWN = 5


class Resolved(NamedTuple):
    """Objects that link, and those that do not."""

    kept: tuple[CompileUnit, ...]
    left_out: Mapping[CompileUnit, frozenset[str]]
    """Unit -> the symbols that it needs and nothing provides."""
    missing: Mapping[str, tuple[CompileUnit, ...]]
    """Symbol that nothing provides -> the units that need it and cannot be left out."""


def resolve(
    symbols: Mapping[CompileUnit, LinkSymbols], external: frozenset[str], *, shrink: bool
) -> Resolved:
    """Which units find all that they need in one another and in the libraries' symbols `external`.

    With `shrink`, kernels that do not are left out, and those that need them in turn, until the rest is whole;
    else everything is kept and what is missing is told.
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
    """One problem for each symbol: the sources that need it, and the one that would define it."""
    names = demangled(missing)
    found = []
    for symbol, units in sorted(missing.items()):
        name = names[symbol]
        more = f" and {len(units) - 1} more" if len(units) > 1 else ""
        text = f"'{name}' is defined in nothing that is linked, and needed here{more}"
        found.append(Problem(text, units[0].path, where.help(name)))
    return found


def left_out_for(
    left_out: Mapping[CompileUnit, frozenset[str]], where: DefinedIn
) -> list[NotBuilt]:
    """The units that were left out, each with what it lacks."""
    names = demangled(sorted(frozenset().union(*left_out.values())))
    found = []
    for unit, lacks in left_out.items():
        symbols = [names[symbol] for symbol in sorted(lacks)]
        more = f" and {len(symbols) - 1} more" if len(symbols) > 1 else ""
        source = where.of(symbols[0])
        which = f", of {source}" if source else ""
        found.append(NotBuilt(unit.path, f"needs '{symbols[0]}'{which}{more}"))
    return found


class DefinedIn:
    """Finds, in sources that are not linked, the one that defines a function."""

    def __init__(self, sources: Mapping[Path, NotBuilt]) -> None:
        """`sources`: file -> its upstream path, and why it is not linked."""
        self.sources = sources
        self.texts: dict[Path, str] = {}

    def of(self, name: str) -> str | None:
        """Upstream path of the source that looks as if it defined the function; None if none does."""
        found = self._find(name)
        return found.path if found else None

    def help(self, name: str) -> str:
        """What to do about the symbol."""
        found = self._find(name)
        if found is None:
            return "the port declares it and defines it nowhere: a mapping may have missed it"
        return f"it is in {found.path} ({found.reason})"

    def _find(self, name: str) -> NotBuilt | None:
        """The word before the arguments is what a definition has, at the start of a line or after a type."""
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
    """Whether the libraries are of use without the unit."""
    return unit.set not in _KEPT
