"""`torch.backends` and `torch.version`: which libraries and which CUDA programs find."""

from __future__ import annotations

import torch

from .._build import CUDA


def patch() -> None:
    """Answer that PyTorch is built for CUDA. Libraries that the device lacks are answered for in `_modules`."""
    torch.backends.cuda.is_built = lambda: True
    if torch.version.cuda is None:
        # Programs recognise a build for CUDA by this value.
        torch.version.cuda = CUDA or None
