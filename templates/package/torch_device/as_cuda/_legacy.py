"""Legacy tensor types, such as `torch.cuda.FloatTensor`, and the functions that accept these types or their names."""

from __future__ import annotations

import warnings
from typing import Any

import torch

from .._build import DEVICE
from .._device_types import is_own
from ._names import LEGACY_TENSORS
from ._refused import refusal

_warned: set[str] = set()


def _warn_once(message: str) -> None:
    """Emit a UserWarning at the first call, or at each call after `torch.set_warn_always(True)`, as PyTorch does."""
    if message not in _warned or torch.is_warn_always_enabled():
        _warned.add(message)
        warnings.warn(message, stacklevel=3)


class LegacyTensorType(type):
    """Metaclass of the types. `isinstance` tests device, dtype and layout; a call makes a tensor on the device."""

    dtype: torch.dtype
    is_cuda = True
    is_sparse = False
    layout = torch.strided

    def __instancecheck__(cls, instance: object) -> bool:
        return (
            isinstance(instance, torch.Tensor)
            and instance.dtype == cls.dtype
            and instance.layout == torch.strided
            and is_own(instance.device)
        )

    def __call__(cls, *args: Any, device: Any = None) -> torch.Tensor:
        _warn_once(
            "The torch.cuda.*DtypeTensor constructors are no longer recommended. "
            "Use torch.tensor(data, dtype=..., device='cuda')."
        )
        target = torch.device(DEVICE if device is None else device)
        if not is_own(target):
            raise RuntimeError(
                f"torch.cuda.{cls.__name__} makes tensors on device 'cuda', not on '{target}'"
            )
        if len(args) == 1 and isinstance(args[0], torch.Tensor):
            if not isinstance(args[0], cls):
                raise TypeError(f"expected {cls} (got {args[0].type()})")
            return args[0].alias() if hasattr(args[0], "alias") else args[0].view(args[0].shape)
        if args and all(isinstance(each, int) for each in args):
            return torch.empty(args, dtype=cls.dtype, device=target)
        if len(args) == 1 and isinstance(args[0], torch.Size):
            return torch.empty(args[0], dtype=cls.dtype, device=target)
        if not args:
            return torch.empty(0, dtype=cls.dtype, device=target)
        return torch.tensor(*args, dtype=cls.dtype, device=target)

    def __repr__(cls) -> str:
        return f"<class 'torch.cuda.{cls.__name__}'>"


TYPES = {
    f"torch.cuda.{name}": LegacyTensorType(
        name, (), {"__module__": "torch.cuda", "dtype": getattr(torch, dtype)}
    )
    for name, dtype in LEGACY_TENSORS.items()
}
"""Maps the full name of a type to the type."""


def type_of(given: object) -> LegacyTensorType | None:
    """Type of `torch.cuda` for a type or a type's name; None for all other values.

    Raises CudaOnlyError for the name of a type of `torch.cuda` without a counterpart.
    """
    if isinstance(given, LegacyTensorType):
        return given
    if isinstance(given, str) and given.startswith("torch.cuda."):
        if given not in TYPES:
            raise refusal(given, "the type is deprecated; use a dtype and a device")
        return TYPES[given]
    return None


def patch() -> None:
    """Set the types in `torch.cuda`, and make `Tensor.type` and `torch.set_default_tensor_type` accept them."""
    for name, kind in TYPES.items():
        setattr(torch.cuda, name.rpartition(".")[2], kind)
    _patch_tensor_type()
    _patch_default_type()


def _patch_tensor_type() -> None:
    original: Any = torch.Tensor.type

    def type(
        self: torch.Tensor, dtype: Any = None, non_blocking: bool = False, **options: Any
    ) -> Any:
        if dtype is None:
            name = original(self)
            if isinstance(name, str) and name.startswith(f"torch.{DEVICE}."):
                return "torch.cuda." + name.removeprefix(f"torch.{DEVICE}.")
            return name
        kind = type_of(dtype)
        if kind is None:
            return original(self, dtype, non_blocking, **options)
        target = self.device if is_own(self.device) else torch.device(DEVICE)
        return self.to(target, kind.dtype, non_blocking=non_blocking)

    type.__doc__ = original.__doc__
    torch.Tensor.type = type  # type: ignore[method-assign,assignment]


def _patch_default_type() -> None:
    original = torch.set_default_tensor_type

    def set_default_tensor_type(t: Any, /) -> None:
        """Set the default dtype and device of new tensors. Deprecated: use set_default_dtype and set_default_device."""
        kind = type_of(t)
        if kind is None:
            torch.set_default_device(None)
            original(t)
        else:
            _warn_once(
                "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, "
                "please use torch.set_default_dtype() and torch.set_default_device()."
            )
            torch.set_default_dtype(kind.dtype)
            torch.set_default_device(DEVICE)

    torch.set_default_tensor_type = set_default_tensor_type
