"""Flags for compiling and linking a ported extension of PyTorch without setuptools."""

from __future__ import annotations

from pathlib import Path

from porter.builder import flags
from porter.toolchain.discovery import Torch
from porter.toolkit import settings
from porter.toolkit.cached_folder import made
from porter.toolkit.inputs import Wanted


def extension_flags(target: str, torch: Torch) -> tuple[list[str], list[str]]:
    """Compiler flags of sources with device code, and linker flags, for the installed backend of a target.

    Raises BuildError if the backend is not installed.
    """
    folder = made(Wanted(target, release=torch.release, torch=torch))
    toolkit = settings.read(Path(folder))
    abi = f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.cxx11_abi)}"
    standard = f"-std=c++{torch.cxx}"
    includes = [word for place in torch.includes for word in ("-isystem", str(place))]
    compiling = [*toolkit.flags, *toolkit.device_flags, *toolkit.optimise, standard, "-fPIC", abi]
    compiling += [word for word in flags.python_flags(torch) if word not in compiling]
    compiling += includes
    linking = [
        "-shared",
        *toolkit.torch_link,
        *toolkit.link,
        *flags.torch_link(torch, "torch_python", "torch"),
    ]
    return compiling, list(dict.fromkeys(linking))
