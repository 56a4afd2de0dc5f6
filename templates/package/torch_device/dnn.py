"""Selection of the library that computes neural network layers, among the implementations in the backend."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from . import _C


def libraries() -> list[str]:
    """Names of the implementations that the backend contains."""
    return _C.dnn_libraries()


def groups(name: str) -> list[str]:
    """Kinds of layers that an implementation computes. Raises ValueError for an unknown name.

    `convolution`, `batch_norm`, `attention` and `recurrent`. PyTorch's kernels compute the other kinds; the first
    implementation with convolutions computes convolutions.
    """
    return _C.dnn_groups(name)


def calls() -> dict[str, dict[str, int]]:
    """Number of layers that each implementation has computed, forward, in this process.

    Maps the kind of layer to a dict from the implementation's name to the number. The name `pytorch` denotes
    PyTorch's own kernels.
    """
    return _C.dnn_calls()


def library() -> str:
    """Name of the selected implementation."""
    return _C.dnn_library()


def set_library(name: str) -> None:
    """Select an implementation, for all threads. Raises ValueError for an unknown name."""
    _C.set_dnn_library(name)


@contextlib.contextmanager
def use(name: str) -> Iterator[None]:
    """Context manager in which all threads use another implementation. Raises ValueError for an unknown name."""
    before = library()
    set_library(name)
    try:
        yield
    finally:
        set_library(before)
