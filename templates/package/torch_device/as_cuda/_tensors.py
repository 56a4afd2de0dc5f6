"""Methods and properties of tensors, modules and storages: `cuda()`, `is_cuda`, and those named after the device."""

from __future__ import annotations

from typing import Any, NoReturn

import torch
from torch.nn.utils.rnn import PackedSequence
from torch.overrides import handle_torch_function, has_torch_function_unary

from .. import _C
from .._build import DEVICE
from .._device_types import is_own
from ._refused import refusal, refusing_function

_SHARED = "CUDA's form of a shared storage; torch.multiprocessing sends tensors of the device"


def patch() -> None:
    """Replace the methods of torch.Tensor that PyTorch implements for CUDA in C++."""
    kind: Any = torch.Tensor
    kind.cuda = _cuda
    kind.is_cuda = _C.is_own_property("is_cuda")
    kind.__cuda_array_interface__ = property(_cuda_array_interface)
    # PyTorch's own methods for out-of-tree devices compare the device's name, which is now 'cuda'.
    setattr(kind, DEVICE, _cuda)
    setattr(kind, f"is_{DEVICE}", kind.is_cuda)
    others: tuple[Any, ...] = (torch.UntypedStorage, torch.TypedStorage, PackedSequence)
    for other in others:
        setattr(other, DEVICE, other.cuda)
        setattr(other, f"is_{DEVICE}", other.is_cuda)
    setattr(torch.nn.Module, DEVICE, torch.nn.Module.cuda)
    for method in ("_share_cuda_", "_new_shared_cuda"):
        setattr(
            torch.UntypedStorage, method, refusing_function(f"UntypedStorage.{method}", _SHARED)
        )


def _cuda(
    self: torch.Tensor,
    device: Any = None,
    non_blocking: bool = False,
    memory_format: torch.memory_format = torch.preserve_format,
) -> torch.Tensor:
    """Copy of this tensor on the device, or the tensor itself if it is there already.

    Args:
        device: index, name or torch.device; by default the current device.
        non_blocking: with pinned memory, do not wait for the copy.
        memory_format: memory format of the copy.
    """
    if has_torch_function_unary(self):
        copy: torch.Tensor = handle_torch_function(
            torch.Tensor.cuda,
            (self,),
            self,
            device=device,
            non_blocking=non_blocking,
            memory_format=memory_format,
        )
        return copy
    if device is None:
        target = _CURRENT
    elif isinstance(device, int):
        target = torch.device(DEVICE, device)
    else:
        target = torch.device(device)
        if not is_own(target):
            raise RuntimeError("Invalid device, must be cuda device")
    return self.to(target, non_blocking=non_blocking, memory_format=memory_format)


_cuda.__name__ = _cuda.__qualname__ = "cuda"
_CURRENT = torch.device(DEVICE)


def _cuda_array_interface(self: torch.Tensor) -> NoReturn:
    # hasattr must be False: other libraries would use the address as an address in CUDA's memory.
    raise AttributeError(
        str(
            refusal(
                "__cuda_array_interface__", "other libraries cannot read its memory; use DLPack"
            )
        )
    )
