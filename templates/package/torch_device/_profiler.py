"""Support for torch.profiler: makes the activity PrivateUse1 available.

PyTorch 2.6.0 lists the activity only in builds without CUDA (torch/csrc/autograd/init.cpp), although all builds contain
Kineto. An unlisted activity is not recorded.
"""

from __future__ import annotations

import torch
import torch.autograd.profiler
import torch.profiler
from torch.profiler import ProfilerActivity

from . import _C
from .devices import is_available


def register() -> None:
    """Add the device's activity to the activities that PyTorch reports."""
    known = torch._C._autograd._supported_activities

    def _supported_activities() -> set[ProfilerActivity]:
        found: set[ProfilerActivity] = known()
        if is_available():
            _C.prepare_profiler(not torch.cuda.is_available())
            found.add(ProfilerActivity.PrivateUse1)
        return found

    # These modules imported the function by name, so that each has a reference of its own to replace.
    for module in (torch.autograd, torch.autograd.profiler, torch.profiler):
        vars(module)["_supported_activities"] = _supported_activities
