"""What PyTorch's tests say of CUDA holds for the device: its kernels are CUDA's.

Of an out-of-tree device the tests know nothing, and hold it to the dtypes and tolerances of the CPU's kernels. Which
dtypes CUDA's have, how they round, and which of their tests PyTorch has switched off is written beside each test and
each operator, under `cuda`.
"""

from __future__ import annotations

from typing import Any

from torch.testing._internal.opinfo import core


def apply(base: Any, device: str) -> None:
    """Make the test base and the database of operators take the device for CUDA. `base`: PrivateUse1TestBase."""

    def named(device_type: object) -> object:
        kind = str(device_type).partition(":")[0]
        return "cuda" if kind in (device, "privateuse1") else device_type

    _dtypes_of_tests(base)
    for method in ("supported_dtypes", "supported_backward_dtypes"):
        _dtypes_of_operators(method, named)
    _decorators(named)


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
    """Tolerances and skips of operators."""
    plain: Any = core.DecorateInfo.is_active

    def is_active(self: Any, cls: Any, test: Any, device_type: Any, *more: Any) -> Any:
        return plain(self, cls, test, named(device_type), *more)

    core.DecorateInfo.is_active = is_active  # type: ignore[method-assign]
