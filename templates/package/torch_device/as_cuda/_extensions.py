"""torch.utils.cpp_extension builds extensions for this device, with the toolkit that porter makes instead of CUDA's."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any
from unittest import mock

from .. import _cuda_toolkit, _imports

_BUILDING = ("load", "load_inline", "CUDAExtension", "CppExtension")
_PATHS = ("include_paths", "library_paths")
"""Inductor calls these functions for the CPU, which must not need porter."""


def patch() -> None:
    """Replace the functions when the program imports the module."""
    _imports.when_imported("torch.utils.cpp_extension", _replace)


def _replace(upstream: ModuleType) -> None:
    for name in _BUILDING:
        setattr(upstream, name, _with_toolkit(upstream, getattr(upstream, name)))
    for name in _PATHS:
        original = getattr(upstream, name)
        setattr(upstream, name, _for_cuda(original, _with_toolkit(upstream, original)))
    builder = upstream.BuildExtension
    builder.build_extensions = _with_driver(builder.build_extensions)
    upstream.__class__ = _Module


class _Module(ModuleType):
    """torch.utils.cpp_extension with a CUDA_HOME that is made at the first access."""

    @property
    def CUDA_HOME(self) -> str | None:
        """Toolkit folder of this device; PyTorch's value if porter is not installed."""
        with contextlib.suppress(RuntimeError):
            return _cuda_toolkit.home()
        found: str | None = self.__dict__["CUDA_HOME"]
        return found

    @CUDA_HOME.setter
    def CUDA_HOME(self, value: str | None) -> None:
        # PyTorch's functions read the variable of the module directly.
        self.__dict__["CUDA_HOME"] = value


def _with_toolkit(upstream: ModuleType, original: Callable[..., Any]) -> Callable[..., Any]:
    """Function that uses this device's toolkit.

    Without porter, extensions for the CPU are built as before, and others raise the error of the toolkit.
    """

    @functools.wraps(original)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            _cuda_toolkit.home()
        except RuntimeError as missing:
            try:
                with mock.patch.object(upstream, "CUDA_HOME", None):
                    return original(*args, **kwargs)
            except OSError as error:
                if "CUDA_HOME" not in str(error):
                    raise
                raise missing from None
        with _cuda_toolkit.active():
            return original(*args, **kwargs)

    return run


def _for_cuda(original: Callable[..., Any], replaced: Callable[..., Any]) -> Callable[..., Any]:
    """Function that uses the toolkit only if its first argument asks for CUDA: True or, since PyTorch 2.6, 'cuda'."""

    @functools.wraps(original)
    def run(*args: Any, **kwargs: Any) -> Any:
        asked = [*args, *kwargs.values()][:1]
        return (replaced if asked and asked[0] in (True, "cuda") else original)(*args, **kwargs)

    return run


def _with_driver(original: Callable[[Any], None]) -> Callable[[Any], None]:
    @functools.wraps(original)
    def build_extensions(self: Any) -> None:
        with _cuda_toolkit.active() as home:
            _cuda_toolkit.use_driver(self.compiler, home)
            original(self)

    return build_extensions
