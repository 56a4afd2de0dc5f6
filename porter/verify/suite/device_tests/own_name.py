"""The device's own name, hidden from PyTorch's test modules, for which the device is CUDA."""

from __future__ import annotations

import importlib
from typing import Any


def hide() -> None:
    """Make PyTorch's tests treat the device as CUDA only, and not also as an out-of-tree device.

    With an out-of-tree device, `instantiate_device_type_tests(..., only_for="cuda")` creates no class, because it
    treats the text as a list of characters. Runs before other test modules of torch are imported.
    """
    common: Any = importlib.import_module("torch.testing._internal.common_utils")
    common.is_privateuse1_backend_available = lambda: False
