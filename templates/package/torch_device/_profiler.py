"""The device in torch.profiler: the activity PrivateUse1 is supported wherever the device is.

PyTorch 2.6.0 lists the activity in builds without CUDA only (torch/csrc/autograd/init.cpp), although Kineto is in all
of them. An activity that is not listed is not recorded.
"""

from __future__ import annotations

import torch
import torch.autograd.profiler
import torch.profiler
from torch.profiler import ProfilerActivity

from . import _C
from .devices import is_available


def register() -> None:
    """Let all that asks PyTorch for its activities see the device's."""
    known = torch._C._autograd._supported_activities

    def _supported_activities() -> set[ProfilerActivity]:
        found: set[ProfilerActivity] = known()
        if is_available():
            _C.prepare_profiler(not torch.cuda.is_available())
            found.add(ProfilerActivity.PrivateUse1)
        return found

    # Each of them has the name from torch._C._autograd, and calls it by its own.
    for module in (torch.autograd, torch.autograd.profiler, torch.profiler):
        vars(module)["_supported_activities"] = _supported_activities
