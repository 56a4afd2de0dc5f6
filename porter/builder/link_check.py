"""Check of linked libraries.

Every symbol that a library needs must have a definition, and no exported symbol may clash with libtorch_cuda.
"""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from porter.base.errors import Problem
from porter.builder.symbol_table import LinkSymbols, SymbolTable, demangled
from porter.toolchain.discovery import Compiler, Torch, plain

_SYSTEM = (
    "libstdc++.so.6",
    "libgcc_s.so.1",
    "libm.so.6",
    "libc.so.6",
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
)
_INTERPRETER = re.compile(r"_?Py[A-Z_]\w*")
"""Pattern of the Python interpreter's symbols."""
CUDA_LIBRARIES = ("libtorch_cuda.so", "libc10_cuda.so", "libtorch_cuda_linalg.so")
"""Libraries of a CUDA build of PyTorch. They define functions with the same names as a port."""


def torch_libraries(torch: Torch) -> list[Path]:
    """PyTorch's libraries whose symbols every library of a backend may need."""
    return [torch.lib / "libtorch_cpu.so", torch.lib / "libc10.so"]


def python_libraries(torch: Torch) -> list[Path]:
    """PyTorch's library whose symbols only the Python binding may need."""
    return [torch.lib / "libtorch_python.so"]


def system_libraries(compiler: Compiler) -> list[Path]:
    """C and C++ libraries of this system that the compiler links with."""
    return [Path(place) for name in _SYSTEM if (place := _place(compiler, name))]


def named_libraries(compiler: Compiler, link: Sequence[str]) -> list[Path]:
    """Shared libraries that linker arguments name (`-lfoo` or a path); names without a file are left out."""
    folders = [Path(word[2:]) for word in link if word.startswith("-L")]
    found = []
    for word in link:
        if word.startswith("-l"):
            name = f"lib{word[2:]}.so"
            here = [folder / name for folder in folders if (folder / name).is_file()]
            place = str(here[0]) if here else _place(compiler, name)
            found += [Path(place)] if place else []
        elif ".so" in word and Path(word).is_file():
            found.append(Path(word))
    return found


def check(
    libraries: Mapping[str, Path],
    external: frozenset[str],
    torch: Torch,
    table: SymbolTable,
    python: Sequence[str],
) -> list[Problem]:
    """Problems of linked libraries; empty when there are none. `libraries` maps a library's name to its path.

    Every undefined symbol must be in `external` or be defined by one of the libraries; a definition in libtorch_cuda
    does not count. libtorch_cuda must not export a symbol that a library exports, because the loader would use one
    definition for both. Libraries named in `python` may also need symbols of the Python interpreter.
    """
    own = dict(zip(libraries, table.of(list(libraries.values())), strict=True))
    cuda_files = [torch.lib / name for name in CUDA_LIBRARIES if (torch.lib / name).is_file()]
    cuda = dict(zip(cuda_files, table.of(cuda_files), strict=True))
    shown = frozenset().union(*(symbols.defined for symbols in own.values()))
    problems = []
    for name, symbols in own.items():
        lacks = symbols.undefined - external - shown
        if name in python:
            lacks = frozenset(one for one in lacks if not _INTERPRETER.fullmatch(one))
        problems += _missing(name, lacks, cuda)
        problems += _clashing(name, symbols, cuda)
    return problems


def _missing(
    library: str, lacks: frozenset[str], cuda: Mapping[Path, LinkSymbols]
) -> list[Problem]:
    names = demangled(sorted(lacks))
    found = []
    for symbol, name in names.items():
        holders = [place.name for place, symbols in cuda.items() if symbol in symbols.defined]
        if holders:
            text = f"needs '{name}', which only {holders[0]} defines"
            help = "port the source of this symbol: a CUDA build of PyTorch would provide CUDA's definition"
        else:
            text, help = f"needs '{name}', which no library defines", ""
        found.append(Problem(text, library, help))
    return found


def _clashing(
    library: str, symbols: LinkSymbols, cuda: Mapping[Path, LinkSymbols]
) -> list[Problem]:
    found = []
    for place, theirs in cuda.items():
        both = symbols.defined & theirs.defined
        for name in demangled(sorted(both)).values():
            text = f"exports '{name}', which {place.name} exports too"
            found.append(Problem(text, library, "hide the symbol, or rename its namespace"))
    return found


@functools.cache
def _place(compiler: Compiler, name: str) -> str:
    """Path of the shared library that the compiler finds for a file name; empty when it finds none."""
    command = [*compiler.command, f"-print-file-name={name}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=plain())
    place = done.stdout.strip()
    # g++ prints the path of a library that it finds, else the given name.
    return place if "/" in place and _is_library(Path(place)) else ""


def _is_library(place: Path) -> bool:
    """Test whether a file is a shared library. Some systems install a linker script under a library's name."""
    try:
        with place.open("rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False
