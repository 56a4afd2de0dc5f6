"""Transfer of values between devices, and comparison of values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

WIDER = {
    torch.float16: torch.float32,
    torch.bfloat16: torch.float32,
    torch.complex32: torch.complex64,
}
"""Maps a dtype of 16-bit numbers to the dtype of 32-bit numbers in which the CPU computes the reference.

The CPU's 16-bit kernels and CUDA's kernels round at different points of the computation.
"""
_UNITS = {1: 2, 2: 16}
_UNITS_OF_OTHERS = 256
"""Accepted difference from the reference, as a number of rounding steps at the largest element of the reference.

This number is for real numbers of 4 and 8 bytes. `_UNITS` contains the numbers for 1 and 2 bytes.
"""


def to(device: str, value: Any, wider: bool = False) -> Any:
    """Copy of a nested value, with its tensors copied to a device as new leaves of the autograd graph.

    With `wider`, tensors of 16-bit numbers become tensors of 32-bit numbers.
    """
    if isinstance(value, torch.Tensor):
        moved = _moved(value.detach(), device)
        if wider and value.dtype in WIDER:
            moved = moved.to(WIDER[value.dtype])
        return moved.requires_grad_(value.requires_grad)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(to(device, item, wider) for item in value))
    if isinstance(value, (list, tuple)):
        return type(value)(to(device, item, wider) for item in value)
    if isinstance(value, dict):
        return {key: to(device, item, wider) for key, item in value.items()}
    if isinstance(value, torch.device) or (isinstance(value, str) and value == "cpu"):
        return type(value)(device)
    if wider and isinstance(value, torch.dtype):
        return WIDER.get(value, value)
    return value


def _moved(tensor: torch.Tensor, device: str) -> torch.Tensor:
    """Copy of a tensor on a device.

    For a view of a larger storage, the whole storage is copied, and the result is a view with the same sizes, strides
    and offset.
    """
    plain = tensor.layout == torch.strided and not (
        tensor.is_conj() or tensor.is_neg() or tensor.is_quantized or tensor.is_nested
    )
    if not plain or tensor.is_contiguous():
        return tensor.to(device, copy=True)
    storage = torch.empty(0, dtype=tensor.dtype).set_(tensor.untyped_storage())
    return storage.to(device, copy=True).as_strided(
        tensor.shape, tensor.stride(), tensor.storage_offset()
    )


def tensors(value: Any) -> Iterator[torch.Tensor]:
    """All tensors in a nested value of lists, tuples and dictionaries."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors(item)


def compare(found: Any, right: Any, step: float = 0.0) -> None:
    """Raise AssertionError unless the result `found` equals the reference `right` within a tolerance.

    The tolerance is a number of rounding steps of the dtype, or `step` if `step` is larger.
    """
    if isinstance(right, torch.Tensor):
        assert isinstance(found, torch.Tensor), f"{type(found).__name__} instead of a tensor"
        _compare_tensors(found.detach().cpu(), right.detach().cpu(), step)
    elif isinstance(right, (list, tuple)):
        assert isinstance(found, (list, tuple)), f"{type(found).__name__} instead of a tuple"
        assert len(found) == len(right), f"{len(found)} values instead of {len(right)}"
        for one, other in zip(found, right, strict=True):
            compare(one, other, step)
    elif isinstance(right, (int, float, complex)) and not isinstance(right, bool):
        compare(torch.tensor(found), torch.tensor(right), step)
    else:
        assert found == right, f"{found!r} instead of {right!r}"


def same_kind(found: Any, right: Any, step: float = 0.0) -> None:
    """Raise AssertionError unless shapes and dtypes of the tensors in `found` and `right` agree.

    Replaces `compare` for results whose values are not determined. `step` has no effect.
    """
    found, right = list(tensors(found)), list(tensors(right))
    assert len(found) == len(right), f"{len(found)} tensors instead of {len(right)}"
    for one, other in zip(found, right, strict=True):
        assert one.shape == other.shape, f"shape {tuple(one.shape)} instead of {tuple(other.shape)}"
        _check_dtype(one.dtype, other.dtype)


def _check_dtype(found: torch.dtype, right: torch.dtype) -> None:
    assert found == right or WIDER.get(found) == right, f"dtype {found} instead of {right}"


def rounding(value: Any) -> float:
    """Largest tolerance of the floating-point dtypes in a value, relative to the largest element.

    0.0 if the value has no tensor with such a dtype.
    """
    dtypes = {tensor.dtype for tensor in tensors(value)}
    return max(
        (_step(dtype) for dtype in dtypes if dtype.is_floating_point or dtype.is_complex),
        default=0.0,
    )


def _compare_tensors(found: torch.Tensor, right: torch.Tensor, at_least: float) -> None:
    assert found.shape == right.shape, f"shape {tuple(found.shape)} instead of {tuple(right.shape)}"
    _check_dtype(found.dtype, right.dtype)
    if found.layout != torch.strided or right.layout != torch.strided:
        assert found.layout == right.layout, f"layout {found.layout} instead of {right.layout}"
        found, right = found.to_dense(), right.to_dense()
    if found.is_quantized:
        found, right = found.dequantize(), right.dequantize()
    if not (found.dtype.is_floating_point or found.dtype.is_complex):
        torch.testing.assert_close(found, right.to(found.dtype))
        return
    step = max(at_least, _step(found.dtype))
    if torch.finfo(found.dtype).bits < 16:
        # Few operators support 8-bit floating-point types, even on the CPU; float32 represents all their values.
        found, right = found.float(), right.to(found.dtype).float()
    sizes = right[right.isfinite()].abs()
    largest = sizes.max().item() if sizes.numel() else 0.0
    kept = found if found.dtype in (torch.float64, torch.complex128) else found.to(right.dtype)
    # The reference is rounded to the result's dtype, so that a value that overflows is infinite in both.
    target = right.to(found.dtype).to(kept.dtype)
    torch.testing.assert_close(
        kept, target, equal_nan=True, rtol=step, atol=step * max(1.0, min(largest, 1e30))
    )


def _step(dtype: torch.dtype) -> float:
    real = torch.finfo(dtype)
    size = real.bits // 8
    return _UNITS.get(size, _UNITS_OF_OTHERS) * real.eps
