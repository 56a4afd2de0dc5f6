"""Functions of `torch.cuda.cudart()`, which call the runtime of the device's vendor.

The names are CUDA's, and each call returns its status. A status other than 0 is a number of the vendor's runtime.
"""

from __future__ import annotations

from typing import ClassVar

from .. import _C
from ..memory import mem_get_info


class cudaError:
    """Status of a call. It equals its number, and is no `int`, as the type of `torch.cuda.cudart()` is none."""

    success: ClassVar[cudaError]

    def __init__(self, value: int | cudaError) -> None:
        self.value = int(value)

    def __int__(self) -> int:
        return self.value

    __index__ = __int__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | cudaError) and self.value == int(other)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"<cudaError {self.value}: {_C.error_string(self.value)}>"


cudaError.success = cudaError(0)


def cudaGetErrorString(error: int | cudaError) -> str:
    """Text of a status."""
    return _C.error_string(int(error))


def cudaProfilerStart() -> cudaError:
    """Start the recording of the vendor's profiler, in a program that runs under it."""
    return cudaError(_C.start_profiler())


def cudaProfilerStop() -> cudaError:
    """Stop the recording of the vendor's profiler."""
    return cudaError(_C.stop_profiler())


def cudaHostRegister(ptr: int, size: int, flags: int) -> cudaError:
    """Lock `size` bytes of the host's memory at address `ptr`, so that copies need no buffer."""
    return cudaError(_C.register_host(ptr, size, flags))


def cudaHostUnregister(ptr: int) -> cudaError:
    """Unlock memory of `cudaHostRegister`."""
    return cudaError(_C.unregister_host(ptr))


def cudaStreamCreate(ptr: int) -> cudaError:
    """Create a stream, and store its handle at address `ptr`."""
    return cudaError(_C.create_stream(ptr))


def cudaStreamDestroy(ptr: int) -> cudaError:
    """Destroy a stream of `cudaStreamCreate`; `ptr` is its handle."""
    return cudaError(_C.destroy_stream(ptr))


def cudaMemGetInfo(device: int) -> tuple[int, int]:
    """Free memory and total memory of a device in bytes."""
    return mem_get_info(device)
