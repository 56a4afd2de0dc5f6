"""How a device is named in arguments; torch.serialization asks for `_get_device_index` by this name."""

from __future__ import annotations

import torch
from torch.types import Device

from ._build import DEVICE


def _get_device_index(device: Device, optional: bool = False, allow_cpu: bool = False) -> int:
    """The index of a device given as index, string or torch.device.

    Where it has none (`None`, `'<device>'`) it is that of the current device if `optional`. -1 stands for the CPU if
    `allow_cpu`. Raises ValueError for anything else.
    """
    if isinstance(device, int):
        return device
    if isinstance(device, str):
        device = torch.device(device)
    if isinstance(device, torch.device):
        if allow_cpu and device.type == "cpu":
            return -1
        if device.type != DEVICE:
            raise ValueError(f"expected a device of type '{DEVICE}', got '{device}'")
        if device.index is not None:
            return device.index
    if not optional:
        raise ValueError(f"expected a device with an index, such as '{DEVICE}:0', got {device!r}")
    # Imported late: devices.py stands on this module.
    from .devices import current_device

    return current_device()
