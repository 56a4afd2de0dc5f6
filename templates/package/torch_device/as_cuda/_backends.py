"""Values of `torch.backends` and `torch.version` by which programs recognise a build of PyTorch for CUDA."""

from __future__ import annotations

import torch

from .. import _built_for_cuda
from .._build import CUDA


def patch() -> None:
    """Report PyTorch as built for CUDA. The module `_modules` reports the libraries that the device lacks."""
    _built_for_cuda.report()
    if torch.version.cuda is None:
        # Programs recognise a build for CUDA by this value.
        torch.version.cuda = CUDA or None
