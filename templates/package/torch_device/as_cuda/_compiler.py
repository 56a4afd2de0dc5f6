"""torch.compile: the device's interface and code generation under the name 'cuda'. Triton is not used."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import torch

from .._build import DEVICE
from .._imports import when_imported


def patch() -> None:
    """Register the device as 'cuda' when the program loads Dynamo or Inductor."""
    when_imported("torch.utils._triton", _without_triton)
    when_imported("torch._dynamo.device_interface", _register_interface)
    when_imported("torch._inductor.utils", _without_generated_code)
    when_imported("torch._inductor.graph", _register_inductor)


def _without_triton(module: ModuleType) -> None:
    # A test for Triton would load CUDA's driver.
    def has_triton() -> bool:
        """Return False: there is no compiler of Triton for the device."""
        return False

    module.has_triton = has_triton  # type: ignore[attr-defined]


def _register_interface(dynamo: ModuleType) -> None:
    """Replace Dynamo's interface to CUDA. Dynamo registers it later, for each index."""
    interface = dynamo.device_interfaces[DEVICE]
    dynamo.CudaInterface = interface  # type: ignore[attr-defined]
    dynamo.register_interface_for_device("cuda", interface)


def _without_generated_code(utils: ModuleType) -> None:
    """Remove 'cuda' from the devices for which Inductor generates code."""
    if "cuda" in utils.GPU_TYPES:
        utils.GPU_TYPES.remove("cuda")


def _register_inductor(graph: ModuleType) -> None:
    """Register Inductor's code generation for the device as the one for 'cuda'."""
    from torch._inductor.codegen import common

    codegen: Any = common.device_codegens[DEVICE]
    common.register_backend_for_device("cuda", codegen.scheduling, codegen.wrapper_codegen)
    common.register_device_op_overrides("cuda", common.get_device_op_overrides(DEVICE))

    def empty_strided(size: Any, stride: Any, dtype: torch.dtype) -> torch.Tensor:
        return torch.empty_strided(size, stride, dtype=dtype, device=DEVICE)

    # Generated programs allocate tensors by this function.
    torch._C._dynamo.guards._empty_strided_cuda = empty_strided  # type: ignore[attr-defined]
