"""Mixed precision: `torch.amp` with the device filled in, like `torch.cuda.amp`."""

from __future__ import annotations

import functools

import torch
from torch.amp.autocast_mode import autocast as _autocast

from ._build import DEVICE
from ._release import GradScaler as _GradScaler
from ._release import custom_bwd as _custom_bwd
from ._release import custom_fwd as _custom_fwd


def get_amp_supported_dtype() -> list[torch.dtype]:
    """Dtypes for `torch.autocast(device, dtype=...)`. torch.amp calls this function by its name."""
    return [torch.float16, torch.bfloat16]


class autocast(_autocast):
    """`torch.autocast` for this device; the default dtype is float16."""

    def __init__(
        self,
        enabled: bool = True,
        dtype: torch.dtype = torch.float16,
        cache_enabled: bool = True,
    ) -> None:
        super().__init__(DEVICE, dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


class GradScaler(_GradScaler):
    """`torch.amp.GradScaler` for this device."""

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        super().__init__(
            DEVICE, init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )


custom_fwd = functools.partial(_custom_fwd, device_type=DEVICE)
custom_bwd = functools.partial(_custom_bwd, device_type=DEVICE)
