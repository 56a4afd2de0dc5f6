"""Operators of `torch.distributed.fsdp.fully_shard` on the device.

PyTorch defines these operators in Python, and registers them for the CPU and for the devices of a list. Without a
registration for this device, each of them would run on the CPU.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import torch

from ._imports import when_imported

_OPERATORS = {
    "all_gather_copy_in": "all_gather_copy_in_cuda",
    "split_with_sizes_copy": "split_with_sizes_copy",
    "chunk_cat": "chunk_cat",
    "copy_": "copy_",
}
"""Operators of the namespace `fsdp`, and the functions of PyTorch's modules that implement them."""
_PACKAGES = ("torch.distributed.fsdp._fully_shard", "torch.distributed._composable.fsdp")
"""Packages with the modules: that of PyTorch 2.6 and newer, and that of 2.4 and 2.5."""
_libraries: list[Any] = []
"""Registrations. PyTorch removes the kernels of a library object that is freed."""


def register() -> None:
    """Register the operators for the device when PyTorch's modules are imported."""
    for package in _PACKAGES:
        for module in ("_fsdp_collectives", "_fsdp_param"):
            when_imported(f"{package}.{module}", _register_operators)


def _register_operators(module: ModuleType) -> None:
    library = torch.library.Library("fsdp", "IMPL")
    for operator, function in _OPERATORS.items():
        if function in vars(module) and _needs_kernel(f"fsdp::{operator}"):
            library.impl(operator, vars(module)[function], "PrivateUse1")
    _libraries.append(library)


def _needs_kernel(operator: str) -> bool:
    """Test whether an operator is defined and has no kernel for the device."""
    known: Any = torch._C
    return bool(
        known._dispatch_has_kernel(operator)
        and not known._dispatch_has_kernel_for_dispatch_key(operator, "PrivateUse1")
    )
