"""Operators that PyTorch's modules define in Python: those of `fully_shard` and of symmetric memory.

PyTorch registers them for devices of a list. Without a registration for this device, each of them would run on the CPU,
or not at all.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import torch

from ._imports import when_imported

_FULLY_SHARD = {
    "all_gather_copy_in": "all_gather_copy_in_cuda",
    "split_with_sizes_copy": "split_with_sizes_copy",
    "chunk_cat": "chunk_cat",
    "copy_": "copy_",
}
_SYMMETRIC_MEMORY = {
    "fused_all_gather_matmul": "_fused_all_gather_matmul",
    "fused_all_gather_scaled_matmul": "_fused_all_gather_scaled_matmul",
    "fused_matmul_reduce_scatter": "_fused_matmul_reduce_scatter",
    "fused_scaled_matmul_reduce_scatter": "_fused_scaled_matmul_reduce_scatter",
    "_low_contention_all_gather": "_low_contention_all_gather",
    "_low_contention_reduce_scatter": "_low_contention_reduce_scatter",
}
_MODULES = {
    # PyTorch 2.6 and newer; 2.4 and 2.5
    "torch.distributed.fsdp._fully_shard._fsdp_collectives": ("fsdp", _FULLY_SHARD),
    "torch.distributed.fsdp._fully_shard._fsdp_param": ("fsdp", _FULLY_SHARD),
    "torch.distributed._composable.fsdp._fsdp_collectives": ("fsdp", _FULLY_SHARD),
    "torch.distributed._composable.fsdp._fsdp_param": ("fsdp", _FULLY_SHARD),
    # Most of these functions allocate on the device named cuda (as_cuda).
    "torch.distributed._symmetric_memory": ("symm_mem", _SYMMETRIC_MEMORY),
}
"""Modules of PyTorch, each with the namespace of its operators, and the functions that implement them."""
_libraries: list[Any] = []
"""Registrations. PyTorch removes the kernels of a library object that is freed."""


def register() -> None:
    """Register the operators for the device when PyTorch's modules are imported."""
    for module in _MODULES:
        when_imported(module, _register_operators)


def _register_operators(module: ModuleType) -> None:
    namespace, operators = _MODULES[module.__name__]
    library = torch.library.Library(namespace, "IMPL")
    for operator, function in operators.items():
        if function in vars(module) and _needs_kernel(f"{namespace}::{operator}"):
            library.impl(operator, vars(module)[function], "PrivateUse1")
    _libraries.append(library)


def _needs_kernel(operator: str) -> bool:
    """Test whether an operator is defined and has no kernel for the device."""
    known: Any = torch._C
    return bool(
        known._dispatch_has_kernel(operator)
        and not known._dispatch_has_kernel_for_dispatch_key(operator, "PrivateUse1")
    )
