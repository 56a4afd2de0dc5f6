"""Makes PyTorch's tests treat the device like CUDA, because the device's kernels are ports of CUDA's kernels.

For an unknown out-of-tree device, PyTorch's tests require the dtypes and tolerances of the CPU's kernels. Each
test and each operator states the properties of CUDA's kernels (dtypes, tolerances, disabled tests) separately, under
`cuda`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.testing import _utils
from torch.testing._internal.opinfo import core


def apply(base: Any, device: str) -> None:
    """Make the test base and the operator database treat the device like CUDA.

    `base`: class PrivateUse1TestBase of PyTorch. `device`: name of the device type.
    """

    def named(device_type: object) -> object:
        kind = str(device_type).partition(":")[0]
        return "cuda" if kind in (device, "privateuse1") else device_type

    _random_numbers(device)
    _dtypes_of_tests(base)
    for method in ("supported_dtypes", "supported_backward_dtypes"):
        _dtypes_of_operators(method, named)
    _decorators(named)


def _random_numbers(device: str) -> None:
    """Make `torch.testing._utils.freeze_rng_state` also save and restore the device's random generator."""
    plain = _utils.freeze_rng_state
    module = torch.get_device_module(device)

    @contextmanager
    def freeze_rng_state(*args: Any, **kwargs: Any) -> Iterator[None]:
        state = module.get_rng_state()
        with plain(*args, **kwargs):
            try:
                yield
            finally:
                module.set_rng_state(state)

    _utils.freeze_rng_state = freeze_rng_state


def _dtypes_of_tests(base: Any) -> None:
    plain = base._get_dtypes.__func__

    def dtypes(cls: Any, test: Any) -> Any:
        given = getattr(test, "dtypes", {})
        return given["cuda"] if "cuda" in given else plain(cls, test)

    base._get_dtypes = classmethod(dtypes)


def _dtypes_of_operators(method: str, named: Any) -> None:
    plain = getattr(core.OpInfo, method)
    setattr(core.OpInfo, method, lambda self, device_type: plain(self, named(device_type)))


def _decorators(named: Any) -> None:
    """Apply to the device the tolerances and skips that the operator database states for CUDA."""
    plain: Any = core.DecorateInfo.is_active

    def is_active(self: Any, cls: Any, test: Any, device_type: Any, *more: Any) -> Any:
        return plain(self, cls, test, named(device_type), *more)

    core.DecorateInfo.is_active = is_active  # type: ignore[method-assign]
