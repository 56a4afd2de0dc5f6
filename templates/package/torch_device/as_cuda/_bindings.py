"""Functions of `torch._C` for CUDA, which PyTorch's Python code, its tests and some programs call directly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .. import _C
from .._lazy import _is_in_bad_fork, _lazy_init
from .._sharing import ipc_collect
from ..streams import Event, Stream, _handle, current_stream
from . import _cudart
from ._names import BINDINGS, HOST_BINDINGS, REFUSED_BINDINGS
from ._refused import refusing_function

_PREFIX = "_cuda_"


def patch() -> None:
    """Replace the functions. A build of PyTorch without CUDA lacks some.

    Those without a counterpart raise CudaOnlyError: they would call CUDA's runtime, and some would end the process.
    """
    present = [
        name for name in dir(torch._C) if name.startswith(_PREFIX) and name not in HOST_BINDINGS
    ]
    functions: dict[str, Any] = {
        name: refusing_function(
            f"torch._C.{name}", REFUSED_BINDINGS.get(name, "it calls CUDA's runtime")
        )
        for name in {*present, *REFUSED_BINDINGS}
        if not isinstance(getattr(torch._C, name, None), type)
    }
    functions |= {name: getattr(_C, function) for name, function in BINDINGS.items()}
    torch._C.__dict__.update(functions | OWN)


def _raw_stream(index: int) -> int:
    return _handle(current_stream(index))


def _set_pool_state(
    index: int, state: _C.PoolState, dropped: Sequence[int], owners: Sequence[int] = ()
) -> None:
    """Put the pool of a graph back into a state. The sequences contain storages (`_cdata`)."""
    state.restore(list(dropped), list(owners))


def _tensor_of_storage(metadata: dict[str, Any], storage: torch.UntypedStorage) -> torch.Tensor:
    """Tensor with the metadata `dtype`, `size`, `stride` and `storage_offset` on a storage."""
    made = torch.empty([0], dtype=metadata["dtype"], device=storage.device)
    return made.set_(storage, metadata["storage_offset"], metadata["size"], metadata["stride"])


OWN: dict[str, Any] = {
    "_CUDAGraph": _C.Graph,
    "_CudaEventBase": Event,
    "_CudaStreamBase": Stream,
    "_MemPool": _C.MemPool,
    "_MemPoolContext": _C.MemPoolContext,
    "_construct_CUDA_Tensor_From_Storage_And_Metadata": _tensor_of_storage,
    "_cuda_clearCublasWorkspaces": lambda: None,
    "_cuda_getArchFlags": lambda: None,
    "_cuda_getCurrentRawStream": _raw_stream,
    "_cuda_init": _lazy_init,
    "_cuda_ipc_collect": ipc_collect,
    "_cuda_isInBadFork": _is_in_bad_fork,
    "_cuda_setCheckpointPoolState": _set_pool_state,
    "_cudart": _cudart,
}
"""Maps a name of `torch._C` to the class or function that replaces it."""
