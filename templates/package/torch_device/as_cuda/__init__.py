"""Programs written for CUDA run unchanged on this package's device: importing this module makes the device 'cuda'.

Start a program with `python -m torch_<target>.as_cuda script.py`, write `import torch_<target>.as_cuda` into it, or set
the environment variable `TORCH_<UPPER>_AS_CUDA=1`. The change cannot be undone within the process, and applies to
processes that the process starts. docs/as-cuda.md of porter describes the effects and the limits.
"""

from __future__ import annotations

import os as _os

import torch as _torch

from .. import _C, _device_types
from .._build import DEVICE as _DEVICE
from .._build import UPPER as _UPPER
from . import (
    _backends,
    _bindings,
    _compiler,
    _distributed,
    _extensions,
    _legacy,
    _modules,
    _profiling,
    _scripting,
    _tensors,
)
from ._refused import CudaOnlyError as CudaOnlyError


def _activate() -> None:
    """Make the device 'cuda'.

    Raises ImportError for PyTorch before 2.6, and RuntimeError if PyTorch's libraries do not import the functions that
    read and print devices.
    """
    if not hasattr(_torch, "accelerator"):
        raise ImportError(
            f"the name 'cuda' for device '{_DEVICE}' needs PyTorch 2.6 or newer, this is {_torch.__version__}"
        )
    _see_devices_of_cuda()
    _C.adopt_name("cuda")
    _device_types.NAMES.add("cuda")
    _os.environ[f"TORCH_{_UPPER}_AS_CUDA"] = "1"  # for processes that this process starts
    _modules.patch()
    _bindings.patch()
    _legacy.patch()
    _tensors.patch()
    _backends.patch()
    _profiling.patch()
    _scripting.patch()
    _compiler.patch()
    _distributed.patch()
    _extensions.patch()


def _see_devices_of_cuda() -> None:
    """Make the vendor's runtime see the devices that CUDA_VISIBLE_DEVICES lists.

    The variable precedes the target's own variable, which a parent process may have set for its own devices.
    """
    if (visible := _os.environ.get("CUDA_VISIBLE_DEVICES")) is not None:
        _os.environ[f"{_UPPER}_VISIBLE_DEVICES"] = visible


_activate()
