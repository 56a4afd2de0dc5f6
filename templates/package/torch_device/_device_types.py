"""Values of `torch.device.type` for this package's device."""

from __future__ import annotations

import torch

from ._build import DEVICE

NAMES = {DEVICE}
"""Names of the device type. The module `as_cuda` adds 'cuda'."""


def printed_type() -> str:
    """Type of this package's device as PyTorch prints it: 'cuda' after the import of the module `as_cuda`."""
    return torch.device(DEVICE).type


def is_own(device: torch.device) -> bool:
    """Return True for a device of this package."""
    return device.type in NAMES
