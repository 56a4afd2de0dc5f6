"""Use of this device's toolkit instead of CUDA's in builds of extensions.

With the environment variable TORCH_<UPPER>_AS_CUDA_TOOLKIT=1, the whole process uses the toolkit: the setup.py of an
unmodified package then builds the package for this device. The value may also be the absolute path of a toolkit folder.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any
from unittest import mock

import torch

from . import _built_for_cuda, _imports
from ._build import CUDA, TARGET, UPPER

VARIABLE = f"TORCH_{UPPER}_AS_CUDA_TOOLKIT"
_CPP_EXTENSION = "torch.utils.cpp_extension"
_ARCHITECTURE = "7.0"
"""Compute capability that build scripts see. The driver ignores options about architectures."""
_COMPILERS = (
    "compiler",
    "compiler_so",
    "compiler_so_cxx",
    "compiler_cxx",
    "linker_so",
    "linker_so_cxx",
    "linker_exe",
)
"""Attributes of setuptools' compiler object that contain commands. A command is a list of words."""


@functools.cache
def home() -> str:
    """Toolkit folder of this device, which porter makes at the first use.

    Raises RuntimeError if porter fails, or if the environment variable names a folder that is no toolkit.
    """
    given = os.environ.get(VARIABLE, "")
    if given.startswith("/"):
        if not os.path.isfile(f"{given}/bin/nvcc"):  # noqa: PTH113
            raise RuntimeError(
                f"{VARIABLE} names no toolkit: {given}/bin/nvcc is missing"
                f"\n  help: set {VARIABLE}=1, or the folder that 'porter toolkit --target {TARGET} --torch' prints"
            )
        return given
    command = [*_porter(), "toolkit", "--target", TARGET, "--torch", "--python", sys.executable]
    # porter must not use the toolkit that it makes.
    environment = {k: v for k, v in os.environ.items() if k not in (VARIABLE, "CXX", "CUDA_HOME")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        raise RuntimeError(
            f"porter cannot make the toolkit of target {TARGET}:\n{done.stderr.strip()}"
        )
    return done.stdout.strip()


def _porter() -> list[str]:
    if importlib.util.find_spec("porter.toolkit") if importlib.util.find_spec("porter") else None:
        return [sys.executable, "-m", "porter"]
    if program := shutil.which("porter"):
        return [program]
    raise RuntimeError(
        "extensions for this device need the program porter, which is not installed"
        "\n  help: install porter in this environment, or put its folder on PATH"
    )


@contextlib.contextmanager
def active() -> Iterator[str]:
    """Use this device's toolkit in place of CUDA's until the end of the block. Yields the toolkit folder."""
    from torch.utils import cpp_extension

    where = home()
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, variables(where)))
        stack.enter_context(mock.patch.object(cpp_extension, "CUDA_HOME", where))
        stack.enter_context(mock.patch.object(torch.version, "cuda", CUDA))
        yield where


def variables(where: str) -> dict[str, str]:
    """Environment variables by which build systems find the toolkit in the folder `where`."""
    return {
        "CUDA_HOME": where,
        "CUDA_PATH": where,
        "CUDACXX": f"{where}/bin/nvcc",
        "CXX": f"{where}/bin/c++",
        "TORCH_CUDA_ARCH_LIST": os.environ.get("TORCH_CUDA_ARCH_LIST") or _ARCHITECTURE,
        # PyTorch would compare the version of `c++` with the versions of g++ that CUDA's nvcc supports.
        "TORCH_DONT_CHECK_COMPILER_ABI": "1",
    }


def use_driver(compiler: Any, where: str) -> None:
    """Replace the programs in the commands of setuptools' compiler object by the driver. The options stay."""
    driver = f"{where}/bin/c++"
    for name in _COMPILERS:
        command = getattr(compiler, name, None)
        if isinstance(command, list) and command and command[0] != driver:
            setattr(compiler, name, [driver, *command[1:]])


def activate_if_asked() -> None:
    """Use the toolkit in the whole process if the environment variable asks for it."""
    if os.environ.get(VARIABLE, "0") in ("", "0"):
        return
    where = home()
    os.environ.update(variables(where))
    os.environ["PATH"] = f"{where}/bin{os.pathsep}{os.environ.get('PATH', '')}"
    torch.version.cuda = CUDA
    torch.cuda.is_available = lambda: True
    torch.cuda._is_compiled = lambda: True  # type: ignore[assignment]
    torch.cuda.device_count = lambda: 1
    torch.cuda.get_device_capability = lambda device=None: (7, 0)  # type: ignore[assignment]
    torch.cuda.get_arch_list = lambda: ["sm_70"]
    _built_for_cuda.report()
    _imports.when_imported(_CPP_EXTENSION, _replace)


def _replace(upstream: ModuleType) -> None:
    where = home()
    upstream.CUDA_HOME = where  # type: ignore[attr-defined]
    build_extension = upstream.BuildExtension
    begin, original = build_extension.__init__, build_extension.build_extensions

    @functools.wraps(begin)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        begin(self, *args, **kwargs)
        # Without ninja, the sources of a package are compiled one after another.
        self.use_ninja = upstream.is_ninja_available()

    @functools.wraps(original)
    def build_extensions(self: Any) -> None:
        for extension in self.extensions:
            # ninja compiles in another folder, also for a package that selects a build without ninja.
            extension.include_dirs = [os.path.abspath(one) for one in extension.include_dirs]  # noqa: PTH100
        use_driver(self.compiler, where)
        original(self)

    build_extension.__init__ = __init__
    build_extension.build_extensions = build_extensions
