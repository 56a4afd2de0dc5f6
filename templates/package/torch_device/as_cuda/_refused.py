"""Stand-ins for names of CUDA without a counterpart on the device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from .._build import DEVICE


class CudaOnlyError(NotImplementedError):
    """Exception for a name of CUDA without a counterpart on the device. The message states the name and the reason."""


def refusal(name: str, reason: str) -> CudaOnlyError:
    """Exception for the full name of a function, class or property."""
    return CudaOnlyError(f"{name} does not exist on device '{DEVICE}': {reason}")


def refusing_function(name: str, reason: str) -> Callable[..., NoReturn]:
    """Function that raises CudaOnlyError."""

    def refused(*args: Any, **options: Any) -> NoReturn:
        raise refusal(name, reason)

    refused.__name__ = refused.__qualname__ = name.rpartition(".")[2]
    refused.__doc__ = f"Raise CudaOnlyError: {reason}."
    return refused


def refusing_class(name: str, reason: str) -> type:
    """Class whose constructor raises CudaOnlyError. `isinstance` works, and is False for every object."""

    def __new__(cls: type, *args: Any, **options: Any) -> NoReturn:
        raise refusal(name, reason)

    module, _, short = name.rpartition(".")
    return type(short, (), {"__new__": __new__, "__module__": module})


def stand_in(name: str, original: object, reason: str) -> object:
    """Class or function that raises CudaOnlyError: a class if `original` is a class, else a function."""
    make = refusing_class if isinstance(original, type) else refusing_function
    return make(name, reason)
