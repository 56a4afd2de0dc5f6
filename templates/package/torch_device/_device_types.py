"""Names of the device's type, as `torch.device.type` gives them."""

from __future__ import annotations

import torch

from ._build import DEVICE

NAMES = {DEVICE}
"""The module `as_cuda` adds 'cuda'."""


def is_own(device: torch.device) -> bool:
    """Return True for a device of this package."""
    return device.type in NAMES
