"""torch.distributed: the backend "nccl" denotes the device's own library for collectives."""

from __future__ import annotations

import sys
from typing import Any

import torch

from .._build import DEVICE
from ._refused import refusal

_PACKAGE = sys.modules[__package__.rpartition(".")[0]]
_MISSING = (
    "this package has no library for collectives; use the backend 'gloo' with tensors on the CPU"
)


def patch() -> None:
    """Replace the name "nccl" by the name of the device's backend.

    Inside torch.distributed, the backend keeps its own name, so that PyTorch does not run code for NCCL.
    """
    if not torch.distributed.is_available():
        return
    import torch.distributed.distributed_c10d as c10d

    backend_class: Any = c10d.Backend
    original = backend_class.__new__

    def __new__(cls: Any, name: str) -> Any:
        if isinstance(name, str) and name.lower() == "nccl":
            own = _own_backend(backend_class)
            if own is None:
                raise refusal("torch.distributed's backend 'nccl'", _MISSING)
            return own
        return original(cls, name)

    backend_class.__new__ = staticmethod(__new__)

    def get_backend(group: Any = None) -> str:
        """Name of a group's backend; "nccl" for the device's own library."""
        name = str(c10d.get_backend(group))
        return "nccl" if name == _own_backend(backend_class) else name

    def is_nccl_available() -> bool:
        """Return True if the device has a library for collectives."""
        return _own_backend(backend_class) is not None

    torch.distributed.get_backend = get_backend  # type: ignore[assignment]
    torch.distributed.is_nccl_available = is_nccl_available
    # Libraries ask for multicast over NVLink; PyTorch would open CUDA's driver.
    memory: Any = getattr(torch._C._distributed_c10d, "_SymmetricMemory", None)
    if hasattr(memory, "has_multicast_support"):
        memory.has_multicast_support = staticmethod(lambda *device: False)
    collectives: Any = getattr(_PACKAGE, "distributed", None)
    if collectives is not None and collectives.is_available():
        # Programs make options by `torch.distributed.ProcessGroupNCCL.Options`.
        torch.distributed.ProcessGroupNCCL = collectives.ProcessGroup
        # Code of torch.distributed that sets timeouts, aborts or splits groups tests their class.
        c10d.__dict__["ProcessGroupNCCL"] = collectives.ProcessGroup
        c10d.is_nccl_available = is_nccl_available
        _replace_flight_recorder(collectives)


def _replace_flight_recorder(collectives: Any) -> None:
    """Make PyTorch's functions that return traces of NCCL return those of the device's library."""
    compiled: Any = torch._C._distributed_c10d

    def dump(
        includeCollectives: bool = True, includeStackTraces: bool = True, onlyActive: bool = False
    ) -> bytes:
        traces: bytes = collectives.dump_trace(includeCollectives, includeStackTraces, onlyActive)
        return traces

    def dump_json(includeCollectives: bool = True, onlyActive: bool = False) -> bytes:
        traces: str = collectives.dump_trace_json(includeCollectives, onlyActive)
        return traces.encode()

    if hasattr(compiled, "_dump_nccl_trace"):
        compiled._dump_nccl_trace = dump
    if hasattr(compiled, "_dump_nccl_trace_json"):
        compiled._dump_nccl_trace_json = dump_json


def _own_backend(backend_class: Any) -> str | None:
    """Name of the backend that is registered for the device; None without one."""
    for name, devices in backend_class.backend_capability.items():
        if DEVICE in devices and name.upper() in backend_class._plugins:
            return str(name)
    return None
