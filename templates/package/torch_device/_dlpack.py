"""DLPack for tensors of the device. PyTorch 2.6.0 supports DLPack only for devices named `privateuse1`, but every
backend renames its device.

In DLPack, the device has the type `kDLExtDev`. `__dlpack__` takes the array API's `dl_device` and `copy` as well, so
that `numpy.from_dlpack(x, device="cpu")` gets a copy.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import torch
from torch.overrides import handle_torch_function, has_torch_function_unary
from torch.utils.dlpack import DLDeviceType

from ._build import DEVICE
from ._device_types import is_own
from .streams import ExternalStream, current_stream, default_stream

_CPU = (DLDeviceType.kDLCPU, 0)


def register() -> None:
    """Replace `torch.Tensor.__dlpack__` and `__dlpack_device__`.

    For tensors of other devices, the new methods call the original methods.
    """
    original_capsule = torch.Tensor.__dlpack__
    original_device = torch.Tensor.__dlpack_device__

    def __dlpack__(self: torch.Tensor, stream: Any = None, **request: Any) -> object:
        if has_torch_function_unary(self):
            call = torch.Tensor.__dlpack__
            return handle_torch_function(call, (self,), self, stream, **request)
        if not is_own(self.device):
            return original_capsule(self, stream=stream, **request)  # type: ignore[no-untyped-call]
        return original_capsule(_prepared(self, stream, **request))  # type: ignore[no-untyped-call]

    def __dlpack_device__(self: torch.Tensor) -> tuple[IntEnum, int]:
        if has_torch_function_unary(self):
            found: tuple[IntEnum, int] = handle_torch_function(
                torch.Tensor.__dlpack_device__, (self,), self
            )
            return found
        return _device_of(self) if is_own(self.device) else original_device(self)

    __dlpack__.__doc__ = original_capsule.__doc__
    __dlpack_device__.__doc__ = original_device.__doc__
    torch.Tensor.__dlpack__ = __dlpack__  # type: ignore[method-assign]
    torch.Tensor.__dlpack_device__ = __dlpack_device__  # type: ignore[method-assign]


def _device_of(tensor: torch.Tensor) -> tuple[DLDeviceType, int]:
    return DLDeviceType.kDLExtDev, tensor.device.index


def _prepared(
    tensor: torch.Tensor,
    stream: Any,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> torch.Tensor:
    """Tensor for the consumer: `tensor` itself, or a copy if requested.

    The capsule's format is older than DLPack 1.0. Every consumer accepts it, so that `max_version` has no effect.
    Raises BufferError for a request that cannot be fulfilled.
    """
    if stream is not None and type(stream) is not int:
        raise TypeError("stream must be ``int`` or ``none``")
    if dl_device is not None and tuple(dl_device) == _CPU:
        if copy is False:
            raise BufferError(
                f"a tensor of device '{DEVICE}' can be exported to the CPU only as a copy"
            )
        return tensor.cpu()
    if dl_device is not None and tuple(dl_device) != _device_of(tensor):
        raise BufferError(
            f"a tensor of device '{tensor.device}' can be exported only to its own device or the CPU"
        )
    if copy:
        tensor = tensor.clone()
    if stream is not None and stream != -1:
        _await_current(stream, tensor.device)
    return tensor


def _await_current(handle: int, device: torch.device) -> None:
    """Make the consumer's stream wait for the current stream, which may still compute the tensor."""
    # CUDA's handle of the legacy default stream is 1, and the array API uses the same number.
    consumer = default_stream(device) if handle in (0, 1) else ExternalStream(handle, device)
    producer = current_stream(device)
    if consumer != producer:
        consumer.wait_stream(producer)
