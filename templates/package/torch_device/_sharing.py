"""Tensors and events of the device for `torch.multiprocessing`: queues, pipes and arguments of processes.

A tensor travels as a handle of its memory, which both processes then use. PyTorch 2.6.0 does the same for CUDA only.
"""

from __future__ import annotations

from multiprocessing.reduction import ForkingPickler
from typing import Any

import torch
from torch.multiprocessing import reductions

from . import _C
from ._build import DEVICE
from ._device_types import is_own
from ._lazy import _lazy_init, is_initialized
from .streams import Event

_Shared = tuple[int, bytes, int, int, bytes, bytes]
"""Device, handle of the memory, size and offset in bytes, counter of uses, handle of an event."""


def ipc_collect() -> None:
    """Free the memory of tensors that this process has dropped and other processes have released.

    This also happens whenever a shared tensor is dropped, and before the device runs out of memory.
    """
    if is_initialized():
        _C.collect_shared_storages()


def register() -> None:
    """Let `torch.multiprocessing` send the device's tensors and events.

    For everything else, the new functions call the original ones.
    """
    original_tensor = reductions.reduce_tensor
    original_storage = reductions.reduce_storage
    original_is_shared = torch.UntypedStorage.is_shared

    def reduce_tensor(tensor: torch.Tensor) -> Any:
        if tensor.layout is torch.strided and not tensor.is_nested and is_own(tensor.device):
            return _reduce_tensor(tensor)
        return original_tensor(tensor)  # type: ignore[no-untyped-call]

    def reduce_storage(storage: Any) -> Any:
        if is_own(storage.device):
            raise RuntimeError(
                f"Cannot pickle {storage.device.type.upper()} storage; try pickling a tensor instead"
            )
        return original_storage(storage)  # type: ignore[no-untyped-call]

    def is_shared(self: torch.UntypedStorage) -> bool:
        # As on CUDA: any tensor can be sent without a copy.
        return is_own(self.device) or original_is_shared(self)

    # Sparse and nested tensors call the first function for their parts.
    reductions.reduce_tensor = reduce_tensor
    reductions.reduce_storage = reduce_storage
    kinds: tuple[Any, ...] = (*torch._tensor_classes, torch.Tensor, torch.nn.Parameter)
    for kind in kinds:
        ForkingPickler.register(kind, reduce_tensor)
    ForkingPickler.register(torch.UntypedStorage, reduce_storage)
    ForkingPickler.register(Event, _reduce_event)
    storage_class: Any = torch.UntypedStorage
    storage_class.is_shared = is_shared


def _reduce_tensor(tensor: torch.Tensor) -> Any:
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError(
            "a tensor that is the result of an operation with gradients cannot be sent to another process, "
            "because gradients do not flow between processes. Send tensor.detach()"
        )
    if tensor.has_names():
        raise RuntimeError(
            "a tensor with names cannot be sent to another process. Send tensor.rename(None)"
        )
    torch.utils.hooks.warn_if_has_hooks(tensor)  # type: ignore[no-untyped-call]
    plain = tensor.detach().resolve_conj().resolve_neg()
    storage = plain.untyped_storage()
    shared = _C.share_storage(storage)
    _remember(shared, storage)
    view = (plain.storage_offset(), tuple(plain.size()), plain.stride())
    return _rebuild_tensor, (type(tensor), plain.dtype, tensor.requires_grad, view, shared)


def _rebuild_tensor(
    kind: type[torch.Tensor],
    dtype: torch.dtype,
    requires_grad: bool,
    view: tuple[int, tuple[int, ...], tuple[int, ...]],
    shared: _Shared,
) -> torch.Tensor:
    typed: Any = torch.TypedStorage
    storage = typed(wrap_storage=_open(shared), dtype=dtype, _internal=True)
    tensor: torch.Tensor = torch._utils._rebuild_tensor(storage, *view)  # type: ignore[no-untyped-call]
    if kind is torch.nn.Parameter:
        return torch.nn.Parameter(tensor, requires_grad=requires_grad)
    return tensor.requires_grad_(requires_grad)


def _open(shared: _Shared) -> torch.UntypedStorage:
    """Storage of a description. The same storage is opened once, however often it arrives."""
    _lazy_init()
    device, memory, _, offset, uses, _ = shared
    if not memory:
        return torch.empty(0, device=torch.device(DEVICE, device)).untyped_storage()
    key = (memory, offset)
    known = reductions.storage_from_cache(torch.UntypedStorage, key)  # type: ignore[no-untyped-call]
    if known is not None:
        _C.release_shared_storage(uses)
        return known  # type: ignore[no-any-return]
    try:
        storage = _C.open_shared_storage(*shared)
    except RuntimeError as error:
        raise RuntimeError(
            "a tensor of another process cannot be opened. A process that shares a tensor must not end before the "
            f"other process has received the tensor ({str(error).splitlines()[0]})"
        ) from error
    reductions.shared_cache[key] = reductions.StorageWeakRef(storage)  # type: ignore[no-untyped-call]
    return storage


def _remember(shared: _Shared, storage: torch.UntypedStorage) -> None:
    """Let this process recognise its own storage if another process sends the description back."""
    _, memory, _, offset, _, _ = shared
    if memory:
        reductions.shared_cache[(memory, offset)] = reductions.StorageWeakRef(storage)  # type: ignore[no-untyped-call]


def _reduce_event(event: Event) -> Any:
    handle = event.ipc_handle()
    return _rebuild_event, (event._index, handle)


def _rebuild_event(index: int, handle: bytes) -> Event:
    return Event.from_ipc_handle(torch.device(DEVICE, index), handle)
