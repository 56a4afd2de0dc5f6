"""Units to check: all combinations of operator and dtype that PyTorch's operator database lists for CUDA."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch.testing._internal.common_methods_invocations import op_db

FORWARD, OUT, IN_PLACE, BACKWARD = "forward", "out", "in-place", "backward"
STRIDED, EMPTY, ERRORS = "non-contiguous", "empty", "errors"
CHECKS = (FORWARD, OUT, IN_PLACE, BACKWARD, STRIDED, EMPTY, ERRORS)


class OperatorUnit(NamedTuple):
    """Operator with one dtype. One process runs all checks of a unit."""

    op: Any
    """Entry of the operator database (`OpInfo` of torch.testing)."""
    dtype: torch.dtype

    @property
    def name(self) -> str:
        return name_of(self.op)

    @property
    def dtype_name(self) -> str:
        return str(self.dtype).removeprefix("torch.")

    def checks(self) -> list[str]:
        """Names of the checks that are possible for this operator and dtype. The function creates no samples."""
        op = self.op
        listed = [FORWARD, STRIDED, EMPTY]
        if op.supports_out:
            listed.append(OUT)
        if op.get_inplace() is not None:
            listed.append(IN_PLACE)
        if self.differentiable():
            listed.append(BACKWARD)
        if op.error_inputs_func is not None and self.dtype is first_dtype(op):
            # The error inputs have dtypes of their own, so only one unit of each operator checks them.
            listed.append(ERRORS)
        return [check for check in CHECKS if check in listed]

    def differentiable(self) -> bool:
        """Test whether CUDA's kernels compute gradients with this dtype."""
        continuous = self.dtype.is_floating_point or self.dtype.is_complex
        return bool(
            self.op.supports_autograd and continuous and self.dtype in self.op.backward_dtypesIfCUDA
        )


def name_of(op: Any) -> str:
    """Name of an operator with its variant: `norm.nuc`."""
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else str(op.name)


def first_dtype(op: Any) -> torch.dtype | None:
    """Dtype of `op` for checks that run with only one dtype; None if CUDA supports no dtype of `op`."""
    return min(op.dtypesIfCUDA, key=_rank, default=None)


def every() -> Iterator[OperatorUnit]:
    """All units, sorted by operator name. For each operator, common dtypes come first."""
    seen = set()
    for op in sorted(op_db, key=name_of):
        if name_of(op) in seen:
            continue
        seen.add(name_of(op))
        for dtype in sorted(op.dtypesIfCUDA, key=_rank):
            yield OperatorUnit(op, dtype)


_ORDER = (
    *("float32", "float64", "float16", "bfloat16", "complex64", "complex128", "int64", "int32"),
    *("int16", "int8", "uint8", "bool", "complex32"),
)


def _rank(dtype: torch.dtype) -> tuple[int, str]:
    name = str(dtype).removeprefix("torch.")
    return (_ORDER.index(name) if name in _ORDER else len(_ORDER), name)
