"""Profiler: `ProfilerActivity.CUDA` and `use_device="cuda"` select the device."""

from __future__ import annotations

import functools
from typing import Any

import torch
import torch.autograd.profiler as autograd_profiler
import torch.profiler.profiler as profiler
from torch.profiler import ProfilerActivity

from .._build import DEVICE
from ._refused import refusing_class


def patch() -> None:
    """Replace the constructors of the profilers."""
    _patch_activities()
    _patch_autograd()
    nvtx = refusing_class(
        "torch.autograd.profiler.emit_nvtx",
        "it annotates the traces of NVIDIA's profilers; use torch.profiler",
    )
    autograd_profiler.emit_nvtx = nvtx  # type: ignore[misc]


def _patch_activities() -> None:
    original = profiler._KinetoProfile.__init__

    @functools.wraps(original)
    def __init__(self: Any, *, activities: Any = None, **options: Any) -> None:
        if activities is not None:
            activities = {
                ProfilerActivity.PrivateUse1 if each == ProfilerActivity.CUDA else each
                for each in activities
            }
        original(self, activities=activities, **options)

    profiler._KinetoProfile.__init__ = __init__  # type: ignore[method-assign]


def _patch_autograd() -> None:
    original = torch.autograd.profiler.profile.__init__

    @functools.wraps(original)
    def __init__(
        self: Any,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        use_device: str | None = None,
        **options: Any,
    ) -> None:
        # Kineto expects the device's own name.
        if use_cuda or use_device == "cuda":
            use_device = DEVICE
        original(self, enabled, use_device=use_device, **options)

    torch.autograd.profiler.profile.__init__ = __init__  # type: ignore[method-assign]
