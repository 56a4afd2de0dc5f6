"""Values of `torch.device.type` for this package's device."""

from __future__ import annotations

import torch

from ._build import DEVICE

NAMES = {DEVICE}
"""Names of the device type. The module `as_cuda` adds 'cuda'."""


def is_own(device: torch.device) -> bool:
    """Return True for a device of this package."""
    return device.type in NAMES
