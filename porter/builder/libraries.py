"""Libraries of a backend: kernels, Python binding, and the module that an interpreter imports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from porter.base.fs import write_if_changed
from porter.builder import flags
from porter.model.build import (
    BINDING,
    DISTRIBUTED,
    PYTHON,
    STUB,
    CompileUnit,
    SharedLibrary,
)
from porter.model.rules import Profile
from porter.toolchain.discovery import Torch

INIT = "torch_backend_init_module"
"""Name of the function in the binding that creates the Python module."""


def libraries_of(
    units: Sequence[CompileUnit], profile: Profile, torch: Torch
) -> tuple[SharedLibrary, ...]:
    """Libraries to link from compile units: kernels, collectives, binding and module.

    Without sources of collectives or of the binding, their libraries are missing.
    """
    binding = tuple(unit for unit in units if unit.set == PYTHON)
    stub = tuple(unit for unit in units if unit.set == STUB)
    collectives = tuple(unit for unit in units if unit.set == DISTRIBUTED)
    rest = tuple(unit for unit in units if unit.set not in (*BINDING, DISTRIBUTED))
    kernels = SharedLibrary(
        name=f"lib/libtorch_{profile.lower}_kernels.so",
        units=rest,
        exports=flags.exports(profile),
        link=(*flags.torch_link(torch), "-Llib", *flags.runtime_link(profile)),
    )
    libraries = [kernels]
    if collectives:
        libraries.append(
            SharedLibrary(
                name=f"lib/libtorch_{profile.lower}_distributed.so",
                units=collectives,
                exports=flags.exports(profile),
                link=kernels.link,
                needs=(kernels.name,),
            )
        )
    if binding:
        libraries.append(
            SharedLibrary(
                name=f"lib/libtorch_{profile.lower}_python.so",
                units=binding,
                exports=(INIT,),
                link=(
                    *flags.torch_link(torch, "torch_python"),
                    "-Llib",
                    *flags.runtime_link(profile),
                ),
                needs=tuple(library.name for library in libraries),
                # The interpreter defines the symbols that begin with Py.
                complete=False,
            )
        )
    if binding and stub:
        libraries.append(
            SharedLibrary(
                name=f"lib/_C{torch.suffix}",
                units=stub,
                exports=("PyInit__C",),
                needs=(libraries[-1].name,),
                link=("-Wl,--allow-shlib-undefined",),
            )
        )
    return tuple(libraries)


def write_version_scripts(libraries: Sequence[SharedLibrary], out: Path) -> dict[str, Path]:
    """Write a version script for each library below `out`. The result maps a library's name to the script's path."""
    scripts = {}
    for library in libraries:
        scripts[library.name] = out / "exports" / f"{Path(library.name).stem}.map"
        write_if_changed(scripts[library.name], flags.version_script(library.exports))
    return scripts
