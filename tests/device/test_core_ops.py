"""The core operators give on the device what they give on the CPU, forward and backward, and none of them falls back.

Samples, dtypes and tolerances are those of PyTorch's own operator database.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from core_ops import (  # noqa: E402
    FLOAT_CONSTANTS,
    FOREACH,
    NAMES,
    NOT_HERE,
    SIXTEEN_BITS,
    TIES,
    VALUES_ONLY,
)
from torch.testing._internal.common_methods_invocations import (  # noqa: E402
    op_db,
)

DTYPES = (
    torch.float32,
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.bool,
    torch.complex64,
)
"""What the core set is held to, where CUDA supports it."""
SAMPLES = 6
"""Of each operator and dtype, spread over the list, whose last samples are the odd ones."""

WIDER = {torch.float16: torch.float32, torch.bfloat16: torch.float32}
"""16-bit types are compared with what the CPU gives in 32 bits: it rounds at other places than CUDA's kernels."""

OPS = [op for op in op_db if op.name in NAMES]


def cases() -> Iterator[Any]:
    for op in OPS:
        for dtype in DTYPES:
            if dtype in op.dtypesIfCUDA and dtype in op.dtypes:
                name = f"{op.name}{'.' + op.variant_test_name if op.variant_test_name else ''}"
                if name in NOT_HERE or (name, str(dtype).removeprefix("torch.")) in SIXTEEN_BITS:
                    continue
                yield pytest.param(op, dtype, id=f"{name}-{str(dtype).removeprefix('torch.')}")


def to(device: str, value: Any, wider: dict[Any, Any] | None = None) -> Any:
    """The value with its tensors on another device, as leaves of a graph of their own."""
    if isinstance(value, torch.Tensor):
        moved = value.detach().to(device)
        if wider and value.dtype in wider:
            moved = moved.to(wider[value.dtype])
        return moved.requires_grad_(value.requires_grad)
    if isinstance(value, (list, tuple)):
        return type(value)(to(device, item, wider) for item in value)
    if isinstance(value, dict):
        return {key: to(device, item, wider) for key, item in value.items()}
    if isinstance(value, torch.device):
        return torch.device(device)
    if wider and value in wider:
        return wider[value]
    return value


def tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors(item)


def spread(samples: list[Any]) -> list[Any]:
    step = max(1, len(samples) // SAMPLES)
    return samples[::step][:SAMPLES]


def run(op: Any, sample: Any, device: str, wider: dict[Any, Any] | None = None) -> tuple[Any, Any]:
    """What an operator gives on a device, and the gradients it gives its inputs, both on the CPU again."""
    parts = (sample.input, sample.args, sample.kwargs)
    first, args, kwargs = (to(device, part, wider) for part in parts)
    outputs = list(tensors(op.op(first, *args, **kwargs)))
    if op.name in TIES:
        del outputs[1:]
    leaves = [leaf for leaf in tensors([first, args, list(kwargs.values())]) if leaf.requires_grad]
    # Elements weigh differently, so that a transposed gradient shows.
    weighted = [(out * slope(out)).sum().abs() for out in outputs if out.requires_grad]
    gradients: Any = []
    if weighted and leaves and op.name not in VALUES_ONLY:
        gradients = torch.autograd.grad(sum(weighted), leaves, allow_unused=True)
    return [out.detach().cpu() for out in outputs], [
        None if gradient is None else gradient.cpu() for gradient in gradients
    ]


def slope(out: Any) -> Any:
    """A factor for each element, the same on every device."""
    factors = torch.linspace(0.5, 1.5, max(out.numel(), 1))[: out.numel()].reshape(out.shape)
    return factors.to(out.device).to(out.dtype)


def check(op: Any, sample: Any, dtype: Any) -> None:
    """Compare a sample, and the same in memory that is not contiguous."""
    expected = run(op, sample, "cpu", WIDER if dtype in WIDER else None)
    for form in (sample, sample.noncontiguous()):
        for found, right in zip(run(op, form, "simt"), expected, strict=True):
            for one, other in zip(found, right, strict=True):
                compare(one, other, 1e-7 if op.name in FLOAT_CONSTANTS else 0)


def compare(found: Any, right: Any, at_least: float) -> None:
    if found is None or right is None:
        assert found is None and right is None
        return
    if not (found.dtype.is_floating_point or found.dtype.is_complex):
        torch.testing.assert_close(found, right)
        return
    sizes = right[right.isfinite()].abs()
    largest = sizes.max().item() if sizes.numel() else 0.0
    units = 16 if found.element_size() == 2 else 128
    step = max(at_least, units * torch.finfo(found.dtype).eps)
    torch.testing.assert_close(
        found, right.to(found.dtype), equal_nan=True, rtol=step, atol=step * max(1.0, largest)
    )


def test_every_name_is_one_of_the_database() -> None:
    known = {op.name for op in op_db}
    assert known >= NAMES, NAMES - known


@pytest.mark.parametrize(("op", "dtype"), list(cases()))
def test_the_device_agrees_with_the_cpu(op: Any, dtype: Any) -> None:
    differentiable = dtype in op.backward_dtypesIfCUDA and dtype in op.backward_dtypes
    grad = op.supports_autograd and differentiable and (dtype.is_floating_point or dtype.is_complex)
    torch.simt.reset_metrics()
    for sample in spread(list(op.sample_inputs("cpu", dtype, requires_grad=grad))):
        check(op, sample, dtype)
    fallen = torch.simt.metrics()
    assert not fallen, f"fell back: {fallen}"


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex64])
def test_gradients_of_logcumsumexp(dtype: Any) -> None:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(4, 700, dtype=dtype, generator=generator)
    found = []
    for device in ("cpu", "simt"):
        leaf = x.to(device).requires_grad_()
        result = leaf.logcumsumexp(1)
        (gradient,) = torch.autograd.grad((result * slope(result)).sum().abs(), leaf)
        found.append((result.detach().cpu(), gradient.cpu()))
    for one, other in zip(*found, strict=True):
        compare(one, other, 0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int64, torch.bool])
@pytest.mark.parametrize("length", [1, 31, 600, 5000])
def test_mode_is_a_value_that_is_as_frequent_as_any(length: int, dtype: Any) -> None:
    generator = torch.Generator().manual_seed(length)
    rows = torch.randint(0, 12, (3, length), generator=generator).to(dtype)
    values, places = rows.to("simt").mode(1)
    assert rows.gather(1, places.cpu()[:, None])[:, 0].equal(values.cpu())
    for row, value in zip(rows, values.cpu(), strict=True):
        assert (row == value).sum() == row.unique(return_counts=True)[1].max()


def lists(dtype: Any, count: int) -> list[list[Any]]:
    """Lists of tensors of several shapes: large and small, empty, without dimensions, not contiguous."""
    generator = torch.Generator().manual_seed(count)
    shapes = [(3,), (0,), (), (70_000,), (5, 7), (2, 3, 4)]
    made = [
        [torch.rand(shape, generator=generator).mul(3).add(1).to(dtype) for shape in shapes]
        for _ in range(count)
    ]
    return [[*tensors[:4], tensors[4].t(), tensors[5]] for tensors in made]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
@pytest.mark.parametrize(("name", "count", "more"), FOREACH)
def test_operators_of_lists_agree(name: str, count: int, more: tuple[Any, ...], dtype: Any) -> None:
    torch.simt.reset_metrics()
    given = lists(dtype, count)
    function = getattr(torch, name)
    expected = function(*to("cpu", given, WIDER), *more)
    for one, other in zip(function(*to("simt", given), *more), expected, strict=True):
        compare(one.cpu(), other, 0)
    change = getattr(torch, f"{name}_", None)
    if change is not None:
        changed = to("simt", given)
        change(*changed, *more)
        for one, other in zip(changed[0], expected, strict=True):
            compare(one.cpu(), other, 0)
    assert not torch.simt.metrics()


def test_strides_beyond_two_gigabytes() -> None:
    """Of memory that is asked for and, but for a few pages, never touched."""
    far = (1 << 31) + 5
    wide = torch.empty(far + 16, dtype=torch.int8, device="simt")
    rows = wide.as_strided((2, 3), (far, 2))
    rows.copy_(torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=torch.int8))
    assert rows.cpu().tolist() == [[1, 2, 3], [4, 5, 6]]
    assert (rows * 2).cpu().tolist() == [[2, 4, 6], [8, 10, 12]]
    assert rows.sum(0).cpu().tolist() == [5, 7, 9]
    assert rows.t().contiguous().cpu().tolist() == [[1, 4], [2, 5], [3, 6]]
    assert torch.cat([rows, rows]).cpu().tolist() == [[1, 2, 3], [4, 5, 6]] * 2
