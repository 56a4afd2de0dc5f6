"""Compilation of a translation unit that includes PyTorch's headers, to get debug information and macros.

Headers that a port replaces (`c10/cuda`, `ATen/cuda`) are not examined: the backend is built with the port's versions
on every release.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from porter.abi import debug_sections, dwarf
from porter.abi.dwarf import DebugInfo
from porter.base.errors import BuildError
from porter.builder import flags
from porter.toolchain.discovery import Compiler, Torch, plain

_SOURCE = "abi_probe.cpp"
_DEBUG = (
    "-O0",
    "-g",
    "-gdwarf-4",
    "-gz=none",
    # Also describe types of which this unit has no variable.
    "-fno-eliminate-unused-debug-types",
    "-fmax-errors=1",
    "-w",
)
_GCC = (
    # Also describe classes whose key function (Itanium C++ ABI) is in another unit: at::TensorImpl.
    "-femit-class-debug-always",
    # Do not instantiate function templates, which halves the time. Class templates are instantiated.
    "-fno-implicit-templates",
    "-fno-implicit-inline-templates",
)
_CLANG = ("-fstandalone-debug",)
_DEFINED = re.compile(r"#define (\w+)(?:\([^)]*\))? (.*)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_INCLUDED_BY = re.compile(rf"{re.escape(_SOURCE)}:(\d+)[:,]")


class Probe(NamedTuple):
    """Debug information and macros of the headers."""

    info: DebugInfo
    macros: dict[str, tuple[str, ...]]
    """Maps a macro to the identifiers in its replacement."""
    left_out: tuple[str, ...]
    """Headers that do not compile on their own, each with the compiler's message."""


def compile_headers(headers: Sequence[str], torch: Torch, compiler: Compiler) -> Probe:
    """Compile the headers, and return their debug information and macros. Headers that the release lacks are skipped.

    Raises BuildError when no header compiles or the debug information cannot be read.
    """
    left_out: list[str] = []
    kept = [name for name in headers if any((place / name).is_file() for place in torch.includes)]
    command = _command(torch, compiler)
    with tempfile.TemporaryDirectory(prefix="porter-abi-") as folder:
        source, made = Path(folder, _SOURCE), Path(folder, "abi_probe.o")
        while kept:
            source.write_text("".join(f"#include <{name}>\n" for name in kept), encoding="utf-8")
            with ThreadPoolExecutor(2) as pool:
                macros = pool.submit(_run, [*command, "-dM", "-E", str(source)])
                object_ = pool.submit(_run, [*command, *_DEBUG, "-c", str(source), "-o", str(made)])
            done = object_.result()
            if done.returncode == 0:
                info = _debug_info(made)
                return Probe(info, _macros(macros.result().stdout), tuple(left_out))
            line = _INCLUDED_BY.search(done.stderr)
            if not line:
                raise BuildError(f"PyTorch's headers do not compile\n{done.stderr.strip()}")
            broken = kept.pop(int(line[1]) - 1)
            left_out.append(f"{broken}: {_message(done.stderr)}")
    raise BuildError("\n".join(["no header of PyTorch compiles", *left_out]), str(torch.root))


def _command(torch: Torch, compiler: Compiler) -> list[str]:
    return [
        *compiler.command,
        f"-std=c++{torch.cxx}",
        *(_GCC if compiler.name.startswith("g++") else _CLANG),
        *(f"-D{macro}" for macro in flags.abi_macros(torch)),
        *(f"-I{place}" for place in torch.includes),
        f"-I{torch.python_include}",
    ]


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, env=plain())


def _debug_info(made: Path) -> DebugInfo:
    try:
        return dwarf.read(debug_sections.read(made.read_bytes()))
    except ValueError as error:
        raise BuildError(f"the compiler's debug information cannot be read: {error}") from None


def _macros(text: str) -> dict[str, tuple[str, ...]]:
    found = (_DEFINED.match(line) for line in text.splitlines())
    return {match[1]: tuple(_WORD.findall(match[2])) for match in found if match}


def _message(stderr: str) -> str:
    """First error in a compiler's output, without file and line."""
    found = re.search(r"error: (.*)", stderr)
    return found[1] if found else "it does not compile"
