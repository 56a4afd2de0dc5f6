"""Shared libraries with the file names and functions of CUDA's libraries, for programs that load them: dlopen, ctypes.

libcudart.so.12: cudaMalloc  ->  jumps to simtMalloc in libsimt.so

All file names are links to one library.
"""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from porter.base import elf
from porter.base.errors import BuildError
from porter.model.rules import RuleSet

FILES = (
    "libcuda.so.1",
    "libcudart.so.12",
    "libcublas.so.12",
    "libcublasLt.so.12",
    "libcufft.so.11",
    "libcurand.so.10",
    "libcusolver.so.11",
    "libcusparse.so.12",
    "libnccl.so.2",
    "libnvidia-ml.so.1",
    "libnvrtc.so.12",
    "libnvToolsExt.so.1",
)
"""File names (SONAME) of CUDA 12's libraries."""
NAME = "libcuda_names.so"
_JUMPS = {"x86_64": "jmp {}@PLT", "aarch64": "b {}"}
"""Instruction that calls a function of another library in place of this one."""
_OTHER_ARGUMENTS = frozenset(
    ["cuGraphInstantiate", "cuGraphInstantiate_v2", "cuMemAdvise_v2", "cuMemPrefetchAsync_v2"]
)
"""Functions whose arguments in CUDA's library differ from those that CUDA 12.4's headers give to the plain name."""


def functions(rules: RuleSet, exported: frozenset[str]) -> dict[str, str]:
    """Maps CUDA's functions to the target's functions, of those that `exported` lists.

    In CUDA's headers, the plain name of a driver function means its second version: `cuMemAlloc` is `cuMemAlloc_v2`.
    """
    found: dict[str, str] = {}
    for name, resolutions in rules.exact.items():
        new = next((one.replace for one in resolutions if one.replace in exported), None)
        if new and new != name:
            found[name] = new
    for name in rules.exact:
        plain = found.get(name.removesuffix("_v2"))
        if plain and name.startswith("cu"):
            found.setdefault(name, plain)
    return {name: found[name] for name in sorted(found.keys() - _OTHER_ARGUMENTS)}


def assembly(names: Mapping[str, str], machine: str) -> str:
    """Text for the assembler: each function jumps to its counterpart. Empty for an unknown machine."""
    if machine not in _JUMPS:
        return ""
    lines = [".text"]
    for name, new in names.items():
        lines += [
            f".globl {name}",
            f".type {name}, %function",
            f"{name}: {_JUMPS[machine].format(new)}",
        ]
    return "\n".join([*lines, '.section .note.GNU-stack, "", %progbits', ""])


def write(folder: Path, rules: RuleSet, runtime: Path, compiler: Sequence[str]) -> None:
    """Write the library and its links to a folder. No files are written for an unknown machine.

    `runtime` is the target's library, by absolute path. Raises BuildError if the library cannot be linked.
    """
    exported = frozenset(elf.read(runtime).defined)
    text = assembly(functions(rules, exported), platform.machine())
    if not text:
        return
    source = folder / "cuda_names.s"
    source.write_text(text, encoding="utf-8")
    paths = [
        f"-L{runtime.parent}",
        f"-l{runtime.stem.removeprefix('lib')}",
        f"-Wl,-rpath,{runtime.parent}",
    ]
    command = [*compiler, "-shared", f"-Wl,-soname,{NAME}", str(source), "-o", str(folder / NAME)]
    done = subprocess.run([*command, *paths], check=False, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"cannot be linked: {done.stderr.strip()}", str(folder / NAME))
    source.unlink()
    for file in FILES:
        (folder / file).symlink_to(NAME)
