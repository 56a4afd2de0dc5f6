"""Differences between releases of PyTorch. This package offers the names of the newest release.

Each check tests the installed torch for a function or class, and not for a version. If an older release lacks a
function, its replacement here does nothing, or raises NotImplementedError when it is called; importing the package
always works.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from abc import ABCMeta
from collections.abc import Callable
from typing import Any

import torch
import torch.utils.backend_registration as _registration
from torch.utils import _pytree

if hasattr(torch, "OutOfMemoryError"):
    OutOfMemoryError = torch.OutOfMemoryError
else:  # PyTorch before 2.5
    OutOfMemoryError = torch.cuda.OutOfMemoryError

try:
    from torch.amp.autocast_mode import custom_bwd, custom_fwd
except ImportError:  # PyTorch before 2.4, which has no autocast for the device either

    def custom_fwd(
        fwd: Callable[..., Any] | None = None, *, device_type: str, cast_inputs: Any = None
    ) -> Any:
        """Decorator without effect: in newer releases it affects only functions under autocast."""
        if fwd is None:
            return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)
        return fwd

    def custom_bwd(bwd: Callable[..., Any] | None = None, *, device_type: str) -> Any:
        """Decorator without effect: in newer releases it affects only functions under autocast."""
        return functools.partial(custom_bwd, device_type=device_type) if bwd is None else bwd


try:
    from torch.amp.grad_scaler import GradScaler
except ImportError:  # PyTorch before 2.3

    class GradScaler:  # type: ignore[no-redef]
        """Placeholder of `torch.amp.GradScaler`."""

        def __init__(self, *args: Any, **options: Any) -> None:
            raise NotImplementedError(
                f"GradScaler for this device needs PyTorch 2.3 or newer, this is {torch.__version__}"
            )


def current_autocast(device: str) -> Callable[[], Any]:
    """Function that returns a context with this thread's state of autocast, for use on other threads."""
    if not hasattr(torch, "get_autocast_dtype"):  # PyTorch before 2.4
        return contextlib.nullcontext
    enabled, dtype = torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)
    return functools.partial(torch.autocast, device, dtype, enabled)


def tree_leaves(tree: Any) -> list[Any]:
    """Leaves of a nested container."""
    return list(_pytree.tree_flatten(tree)[0])


def generate_methods() -> None:
    """Add the device's methods to tensors, modules, packed sequences and storages, as far as the release can."""
    generate = _registration.generate_methods_for_privateuse1_backend
    wanted = ("for_tensor", "for_module", "for_packed_sequence", "for_storage")
    known = inspect.signature(generate).parameters
    generate(**{name: True for name in wanted if name in known})


def count_as_streams(stream: type, event: type) -> None:
    """Register classes as subclasses of PyTorch's abstract streams and events, which Dynamo requires before 2.5."""
    try:
        from torch._streambase import _EventBase, _StreamBase
    except ImportError:
        return
    for base, own in ((_StreamBase, stream), (_EventBase, event)):
        if isinstance(base, ABCMeta):
            base.register(own)
