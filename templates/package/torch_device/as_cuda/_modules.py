"""`torch.cuda` and its submodules for the device. The modules stay the same objects; only their contents change."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch

from .. import _C, comm
from .._lazy import _lazy_call
from ..devices import get_device_capability
from ..memory import mem_get_info
from ..streams import Event, Stream, _handle
from . import _cudart, _nvtx
from ._names import ABSENT_LIBRARIES, PRIVATE, REFUSED, RENAMED, treatment
from ._refused import stand_in

_DEVICE = sys.modules[__package__.rpartition(".")[0]]

MODULES = (
    "",
    "amp",
    "comm",
    "graphs",
    "jiterator",
    "memory",
    "nccl",
    "nvtx",
    "profiler",
    "random",
    "sparse",
    "streams",
    "tunable",
)
"""Submodules of `torch.cuda` with public names; "" denotes `torch.cuda` itself."""


def public_names(module: ModuleType) -> list[str]:
    """Public names of `torch.cuda` or of a submodule; without `__all__`, the names that the module defines itself."""
    listed = getattr(module, "__all__", None)
    if listed:
        return list(listed)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
    ]


def patch() -> None:
    """Replace the contents of `torch.cuda` and of its submodules."""
    for name in MODULES:
        module = importlib.import_module(f"torch.cuda.{name}".rstrip("."))
        for public in public_names(module):
            if treatment(name, public) == "device":
                setattr(module, public, _counterpart(name, public, getattr(module, public)))
        for private in PRIVATE.get(name, ()):
            setattr(module, private, getattr(_package_module(name), private))
    for row in REFUSED:
        module = importlib.import_module(f"torch.cuda.{row.module}".rstrip("."))
        for refused in row.names:
            if hasattr(module, refused):
                original, full = getattr(module, refused), f"{module.__name__}.{refused}"
                setattr(module, refused, stand_in(full, original, row.reason))
    for path, function, value in ABSENT_LIBRARIES:
        answer_for_absent_library(path, function, value)
    _patch_root(torch.cuda)
    for function in ("broadcast", "broadcast_coalesced", "gather", "scatter"):
        for module in (torch.cuda.comm, torch.nn.parallel.comm):
            setattr(module, function, getattr(comm, function))
    for function in public_names(torch.cuda.nvtx):
        setattr(torch.cuda.nvtx, function, getattr(_nvtx, function))


def answer_for_absent_library(path: str, function: str, value: object) -> None:
    """Replace a function of a module by a function that returns `value`.

    No effect if the installed PyTorch lacks the module or the function.
    """
    try:
        module = importlib.import_module(path)
    except ImportError:
        return
    if not hasattr(module, function):
        return

    def answer(*args: Any, **options: Any) -> object:
        return value

    answer.__name__ = answer.__qualname__ = function
    answer.__doc__ = f"Return {value}: the device does not use this library."
    setattr(module, function, answer)
    # An object replaces each module of torch.backends in sys.modules. Functions of the module use the module's globals.
    if isinstance(inner := getattr(module, "m", None), ModuleType):
        setattr(inner, function, answer)


def _package_module(name: str) -> object:
    """Module of this package that corresponds to a submodule of `torch.cuda`."""
    return getattr(_DEVICE, name) if name and hasattr(_DEVICE, name) else _DEVICE


def _counterpart(module: str, name: str, original: object) -> object:
    own = RENAMED.get(name, name)
    for place in (_package_module(module), _DEVICE):
        if hasattr(place, own):
            return getattr(place, own)
    full = f"torch.cuda.{module}.{name}".replace("..", ".")
    return stand_in(full, original, f"{_DEVICE.__name__} has no counterpart")


def _patch_root(cuda: ModuleType) -> None:
    """Set the names of `torch.cuda` that are neither copies of this package's names nor refused."""

    def device_memory_used(device: Any = None) -> int:
        """Used memory of a device in bytes, by all processes."""
        free, total = mem_get_info(device)
        return total - free

    def get_arch_list() -> list[str]:
        """Compute capability of the device, in CUDA's notation: the device runs all code of this package."""
        major, minor = get_device_capability()
        return [f"sm_{major}{minor}"]

    def lazy_call(callable: Callable[[], object], **options: Any) -> None:
        _lazy_call(callable)

    def set_stream_by_id(stream_id: int, device_index: int, device_type: int) -> None:
        _C.set_stream(stream_id, device_index, device_type)

    def initialized() -> None:
        # Functions of torch.cuda read these globals. The values are constant after the initialisation.
        cuda.__dict__.update(default_generators=_C.default_generators(), _initialized=True)

    cuda.__dict__.update(
        device_memory_used=device_memory_used,
        get_arch_list=get_arch_list,
        has_magma=False,
        _cudart=_cudart,
        _lazy_call=lazy_call,
        _set_stream_by_id=set_stream_by_id,
        _is_compiled=lambda: True,
        default_generators=(),
    )
    _lazy_call(initialized)
    _patch_streams()


def _patch_streams() -> None:
    """Add the properties `cuda_stream` and `cuda_event`, and print streams and events as torch.cuda does."""

    def stream_text(self: Stream) -> str:
        return f"<torch.cuda.Stream device={self.device} cuda_stream={_handle(self):#x}>"

    def event_text(self: Event) -> str:
        handle = self.event_id
        return f"<torch.cuda.Event {f'{handle:#x}' if handle else 'uninitialized'}>"

    Stream.__repr__ = stream_text  # type: ignore[method-assign]
    Event.__repr__ = event_text  # type: ignore[method-assign]
    Stream.cuda_stream = property(_handle, doc="The vendor's handle of the stream.")  # type: ignore[attr-defined]
    Event.cuda_event = property(  # type: ignore[attr-defined]
        lambda event: event.event_id, doc="The vendor's handle of the event."
    )
