"""Builds of C++ and CUDA extensions for this device: the functions and classes of `torch.utils.cpp_extension`.

    from torch_<target>.utils.cpp_extension import BuildExtension, CUDAExtension

The sources of an extension stay unchanged. The compiler driver of a toolkit folder (`CUDA_HOME`) ports them while it
compiles, and links the libraries of this device instead of CUDA's. porter provides the toolkit: it must be installed in
the same environment, or the program `porter` must be on PATH.
"""

from __future__ import annotations

from typing import Any

import setuptools
from torch.utils import cpp_extension as _upstream

from .. import _cuda_toolkit


class BuildExtension(_upstream.BuildExtension):
    """`torch.utils.cpp_extension.BuildExtension`, with the compiler driver of this device."""

    def finalize_options(self) -> None:
        """See `torch.utils.cpp_extension.BuildExtension`."""
        with _cuda_toolkit.active():
            super().finalize_options()

    def build_extensions(self) -> None:
        """Build all extensions. Raises RuntimeError if porter is not installed."""
        with _cuda_toolkit.active() as home:
            _cuda_toolkit.use_driver(self.compiler, home)
            super().build_extensions()  # type: ignore[no-untyped-call]


def CUDAExtension(name: str, sources: list[str], *args: Any, **kwargs: Any) -> setuptools.Extension:
    """See `torch.utils.cpp_extension.CUDAExtension`."""
    with _cuda_toolkit.active():
        return _upstream.CUDAExtension(name, sources, *args, **kwargs)  # type: ignore[no-untyped-call]


def CppExtension(name: str, sources: list[str], *args: Any, **kwargs: Any) -> setuptools.Extension:
    """See `torch.utils.cpp_extension.CppExtension`."""
    with _cuda_toolkit.active():
        return _upstream.CppExtension(name, sources, *args, **kwargs)  # type: ignore[no-untyped-call]


def load(*args: Any, **kwargs: Any) -> Any:
    """See `torch.utils.cpp_extension.load`."""
    with _cuda_toolkit.active():
        return _upstream.load(*args, **kwargs)  # type: ignore[no-untyped-call]


def load_inline(*args: Any, **kwargs: Any) -> Any:
    """See `torch.utils.cpp_extension.load_inline`."""
    with _cuda_toolkit.active():
        return _upstream.load_inline(*args, **kwargs)  # type: ignore[no-untyped-call]


def include_paths(*args: Any, **kwargs: Any) -> list[str]:
    """See `torch.utils.cpp_extension.include_paths`."""
    with _cuda_toolkit.active():
        return list(_upstream.include_paths(*args, **kwargs))


def library_paths(*args: Any, **kwargs: Any) -> list[str]:
    """See `torch.utils.cpp_extension.library_paths`."""
    with _cuda_toolkit.active():
        return list(_upstream.library_paths(*args, **kwargs))


def __getattr__(name: str) -> Any:
    # The first access makes the toolkit. The import of this module alone does not need porter.
    if name == "CUDA_HOME":
        return _cuda_toolkit.home()
    return getattr(_upstream, name)
