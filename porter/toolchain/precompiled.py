"""Precompiled header: a header that includes the headers with which most kernels begin.

If the option `-include` names a header, g++ loads `<header>.gch`, provided that the flags are those with which the
`.gch` file was compiled. Otherwise g++ reads the header as text.

Two compilations of a header never give equal `.gch` files. ccache therefore compares `<header>.gch.sum`, a checksum of
the preprocessed header (ccache's manual, "Precompiled headers").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from porter.model.build import CompileUnit
from porter.model.manifest import PortedFile
from porter.toolchain import ccache
from porter.toolchain.discovery import Compiler

HEADER = "precompiled/kernels.h"
"""Path of the header below the build folder. g++ requires the compiled header in the same folder."""
_ROOT = "aten/src/"
_FIRST_GXX = 12
"""First version of g++ for which a precompiled header is used.

Older versions cannot load a compiled header at an address other than its original one (GCC bug 71934).
"""


def header(
    paths: Iterable[str],
    ported: Mapping[str, PortedFile],
    compiler: Compiler,
    launcher: Sequence[str],
) -> str | None:
    """Text of a header that includes the port's versions of the upstream headers `paths`.

    None if `paths` is empty, if the compiler is not g++ 12 or newer, or if a launcher other than ccache is used
    (distcc needs complete sources).
    """
    names = [_included(path, ported) for path in paths]
    if not names or not _keeps_headers(compiler) or (launcher and not ccache.is_used(launcher)):
        return None
    # A release may lack some of the headers.
    return "".join(f"#if __has_include(<{name}>)\n#include <{name}>\n#endif\n" for name in names)


def uses_header(unit: CompileUnit) -> bool:
    """Test whether a unit includes the precompiled header first.

    Host sources and units with flags of their own do not, because the flags must be those of the header.
    """
    return not unit.on_host and not unit.flags


def launched(launcher: Sequence[str]) -> tuple[str, ...]:
    """Launcher command, with the settings that ccache needs for precompiled headers if the launcher is ccache."""
    if not ccache.is_used(launcher):
        return tuple(launcher)
    told = ("CCACHE_SLOPPINESS=pch_defines,time_macros", "CCACHE_PCH_EXTSUM=true")
    return ("env", *told, *launcher)


def compiled(place: Path) -> Path:
    """Path at which g++ looks for the compiled form of a header."""
    return Path(f"{place}.gch")


def _included(path: str, ported: Mapping[str, PortedFile]) -> str:
    file = ported.get(path)
    return (file.to if file else path).removeprefix(_ROOT)


def _keeps_headers(compiler: Compiler) -> bool:
    name, _, version = compiler.name.partition(" ")
    return name == "g++" and int(version.partition(".")[0]) >= _FIRST_GXX
