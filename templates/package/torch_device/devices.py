"""Number of devices, current device, and properties of devices."""

from __future__ import annotations

import functools

import torch
from torch.types import Device

from . import _C
from ._build import DEVICE
from ._device_types import is_own, printed_type
from ._lazy import _lazy_init

_SYNC_MODES = ("default", "warn", "error")


def device_count() -> int:
    """Number of devices; 0 if there is no device or no driver.

    The function calls the vendor's runtime. As with CUDA, a process that is forked after the call cannot use the
    device.
    """
    return _C.device_count()


def is_available() -> bool:
    """Return True if there is a device. See `device_count` about processes forked later."""
    return device_count() > 0


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Return True if the device computes with bfloat16; with `including_emulation`, always.

    Ported kernels compute with bfloat16 in software if the hardware cannot.
    """
    return including_emulation or get_device_capability() >= (8, 0)


def current_device() -> int:
    """Index of this thread's current device."""
    _lazy_init()
    return _C.current_device()


def _get_device_index(device: Device, optional: bool = False, allow_cpu: bool = False) -> int:
    """Index of a device given as index, string, torch.device, or context manager `device`.

    A device without an index (`None`, `'<device>'`) means the current device if `optional`. The result for the CPU is
    -1 if `allow_cpu`. Raises ValueError for anything else.
    """
    if isinstance(device, int):
        return device
    if isinstance(device, _guard):
        return device.idx
    if isinstance(device, str):
        device = torch.device(device)
    if isinstance(device, torch.device):
        if allow_cpu and device.type == "cpu":
            return -1
        if not is_own(device):
            raise ValueError(f"Expected a {printed_type()} device, but got: {device}")
        if device.index is not None:
            return device.index
    if not optional:
        raise ValueError(f"expected a device with an index, such as '{DEVICE}:0', got {device!r}")
    return current_device()


def set_device(device: Device) -> None:
    """Set this thread's current device. Prefer the context manager `device`."""
    index = _get_device_index(device)
    if index >= 0:
        _lazy_init()
        _C.set_device(index)


def _exchange_device(index: int) -> int:
    """Set the current device and return the previous one. For a negative index, do nothing and return -1."""
    if index < 0:
        return -1
    _lazy_init()
    return _C.exchange_device(index)


def _maybe_exchange_device(index: int) -> int:
    """Set the current device like `_exchange_device`, but create no context on a device that was never used."""
    if index < 0:
        return -1
    _lazy_init()
    return _C.maybe_exchange_device(index)


class device:
    """Context manager that changes the current device and restores the previous one at the end.

    A negative index, or the CPU, changes nothing.
    """

    def __init__(self, device: Device) -> None:
        self.idx = _get_device_index(device, optional=True, allow_cpu=True)
        self.prev_idx = -1

    def __enter__(self) -> None:
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, *exception: object) -> None:
        _maybe_exchange_device(self.prev_idx)


class device_of(device):
    """Context manager that makes the device of a tensor or storage the current device.

    For a tensor or storage on a device of another type, it has no effect.
    """

    def __init__(self, obj: torch.Tensor | torch.UntypedStorage) -> None:
        super().__init__(obj.get_device() if is_own(obj.device) else -1)


def synchronize(device: Device = None) -> None:
    """Wait for all work in all streams of a device. Raises RuntimeError if a kernel failed."""
    _lazy_init()
    with _guard(_get_device_index(device, optional=True)):
        _C.synchronize()


def _sleep(cycles: int) -> None:
    """Launch a kernel on the current stream that spins for a number of the device's clock cycles."""
    _lazy_init()
    _C.sleep(cycles)


def get_device_properties(device: Device = None) -> _C.DeviceProperties:
    """Name, compute capability, memory (bytes), processors and limits of a device.

    As with CUDA, two calls for one device return the same object.
    """
    return _properties(_checked(device))


@functools.cache
def _properties(index: int) -> _C.DeviceProperties:
    return _C.get_device_properties(index)


def get_device_name(device: Device = None) -> str:
    """Name of a device."""
    return get_device_properties(device).name


def get_device_capability(device: Device = None) -> tuple[int, int]:
    """CUDA compute capability that the device reports, as (major, minor)."""
    found = get_device_properties(device)
    return found.major, found.minor


def can_device_access_peer(device: Device, peer_device: Device) -> bool:
    """Return True if the first device can read the memory of the second."""
    return _C.can_device_access_peer(_checked(device), _checked(peer_device))


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """Set the reaction to operators that wait for the device.

    The modes are 'default' or 0 (no reaction), 'warn' or 1 (a warning), and 'error' or 2 (an exception).
    """
    if isinstance(debug_mode, str):
        if debug_mode not in _SYNC_MODES:
            raise RuntimeError(f"debug_mode must be one of {_SYNC_MODES}, got {debug_mode!r}")
        debug_mode = _SYNC_MODES.index(debug_mode)
    _lazy_init()
    _C.set_sync_debug_mode(debug_mode)


def get_sync_debug_mode() -> int:
    """Value set by `set_sync_debug_mode`: 0, 1 or 2."""
    _lazy_init()
    return _C.get_sync_debug_mode()


_guard = device
"""Second name of the class `device`, for functions that have a parameter `device`."""


def _checked(given: Device) -> int:
    """Index of an existing device. Raises AssertionError for an index without a device, as torch.cuda does."""
    _lazy_init()
    index = _get_device_index(given, optional=True)
    if not 0 <= index < device_count():
        raise AssertionError(
            f"invalid device index {index}: there are {device_count()} devices of type '{DEVICE}'"
        )
    return index
