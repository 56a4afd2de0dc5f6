"""Operators that libtorch_cpu restricts to CUDA work on the device, and errors of upstream's kernels are
corrected.
"""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.fixture
def deterministic():
    torch.use_deterministic_algorithms(True)
    yield
    torch.use_deterministic_algorithms(False)


@pytest.mark.parametrize("accumulate", [False, True])
@pytest.mark.parametrize("dim", [0, 1])
def test_scatter_in_deterministic_mode(deterministic, dim: int, accumulate: bool) -> None:
    """Duplicate indices: the last write remains, as in a loop over the elements."""
    length = 3
    index = torch.arange(20).view(4, 5) * 7 % length
    source = torch.arange(20.0).view(4, 5)
    shape = (length, 5) if dim == 0 else (4, length)
    expected = torch.zeros(shape)
    for row in range(4):
        for column in range(5):
            place = (index[row, column], column) if dim == 0 else (row, index[row, column])
            old = expected[place] if accumulate else 0
            expected[place] = old + source[row, column]
    target = torch.zeros(shape, device="simt")
    scatter = target.scatter_add_ if accumulate else target.scatter_
    scatter(dim, index.to("simt"), source.to("simt"))
    assert torch.equal(target.cpu(), expected)


def test_a_quantized_tensor_is_copied() -> None:
    quantized = torch.quantize_per_tensor(torch.arange(6.0).view(2, 3), 0.5, 1, torch.quint8)
    torch.simt.reset_metrics()
    flipped = quantized.to("simt").flip(0)
    assert torch.simt.metrics() == {}
    rows = [[3.0, 4.0, 5.0], [0.0, 1.0, 2.0]]
    assert flipped.cpu().dequantize().tolist() == rows


def test_an_index_on_another_device_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="indices should be either on cpu or on the same device"):
        torch.zeros(3, device="simt:0")[torch.zeros(1, dtype=torch.long, device="simt:1")]


def test_places_of_nothing_are_filled() -> None:
    """Upstream's kernel divides by its number of blocks, which is 0."""
    places = torch.nonzero_static(torch.zeros(0, 3, device="simt"), size=2, fill_value=-1)
    assert places.tolist() == [[-1, -1], [-1, -1]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex128])
def test_the_exponential_of_a_rotation(dtype: torch.dtype) -> None:
    """exp of [[0, -t], [t, 0]] is a rotation by t; matrices with large norms are halved, and the results squared."""
    turns = [0.0, 1e-3, 1.0, 30.0]
    generators = torch.tensor([[[0.0, -t], [t, 0.0]] for t in turns], dtype=dtype)
    rotations = [[[math.cos(t), -math.sin(t)], [math.sin(t), math.cos(t)]] for t in turns]
    found = torch.linalg.matrix_exp(generators.to("simt")).cpu()
    expected = torch.tensor(rotations, dtype=dtype)
    assert (found - expected).abs().max() < 200 * torch.finfo(dtype).eps


# -- nested tensors: layer norm by the device's kernel, not by the CPU's


def test_layer_norm_of_nested_tensors() -> None:
    generator = torch.Generator().manual_seed(0)
    parts = [torch.randn(rows, 2, 5, generator=generator) for rows in (1, 2, 3)]
    weight, bias = torch.randn(5, generator=generator), torch.randn(5, generator=generator)

    def results(device: str) -> list[torch.Tensor]:
        given = [tensor.to(device).detach().requires_grad_() for tensor in (*parts, weight, bias)]
        nested = torch.nested.as_nested_tensor(given[:3])
        done = torch.nn.functional.layer_norm(nested, (5,), *given[3:]).unbind()
        sum((one**2).sum() for one in done).backward()
        return [one.detach().cpu() for one in (*done, *(tensor.grad for tensor in given))]

    for found, expected in zip(results("simt"), results("cpu"), strict=True):
        torch.testing.assert_close(found, expected)


def test_a_nested_and_a_dense_tensor_of_other_shapes_are_refused() -> None:
    nested = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], device="simt")
    with pytest.raises(RuntimeError, match="Expected both self and other to be nested"):
        nested + torch.ones(7, 7, 7, device="simt")


def test_outputs_of_another_type_are_told_as_upstream_tells_them() -> None:
    x = torch.ones(10, dtype=torch.uint8, device="simt")
    values, indices = torch.ones_like(x), torch.ones_like(x, dtype=torch.long)
    with pytest.raises(RuntimeError, match=r"expected scalar type .* but got .* for values"):
        torch.mode(x, -1, True, out=(values.to(torch.int8), indices))
    with pytest.raises(RuntimeError, match=r"expected scalar type .* but got .* for indices"):
        torch.mode(x, -1, True, out=(values, indices.to(torch.int8)))


# -- compressed sparse tensors, with their parts checked


def test_parts_of_compressed_tensors_are_checked() -> None:
    columns = torch.tensor([0, 1], device="simt")
    values = torch.ones(2, device="simt")
    with torch.sparse.check_sparse_tensor_invariants():
        rows = torch.tensor([0, 1, 2], device="simt")
        made = torch.sparse_csr_tensor(rows, columns, values, (2, 2))
        assert made.values().device.type == "simt"
        made.requires_grad_().values().sum().backward()
        assert made.grad.values().tolist() == [1.0, 1.0]
        with pytest.raises(RuntimeError, match="0 <= col_indices < ncols"):
            torch.sparse_csr_tensor(rows, columns + 5, values, (2, 2))
        with pytest.raises(RuntimeError, match="must be equal to the number of rows"):
            torch.sparse_csr_tensor(rows[:2], columns, values, (2, 2))
        # The rows of a matrix that lie in one another: their strides are checked as they are.
        with pytest.raises(RuntimeError, match="contiguous"):
            torch.sparse_csr_tensor(rows.repeat(2).view(3, 2)[:, 0], columns, values, (2, 2))
        assert torch.sparse.check_sparse_tensor_invariants.is_enabled()
    torch.sparse_csr_tensor(rows, columns + 5, values, (2, 2))


def test_parts_of_compressed_tensors_can_be_checked_by_themselves() -> None:
    compressed = torch.tensor([0, 1, 2], device="simt")
    plain = torch.tensor([0, 1], device="simt")
    # Of a layout with blocks, each value is a block.
    values = {1: torch.ones(2, device="simt"), 3: torch.ones(2, 1, 1, device="simt")}
    aten = torch.ops.aten
    for check, dim in (
        (aten._validate_sparse_csr_tensor_args, 1),
        (aten._validate_sparse_csc_tensor_args, 1),
        (aten._validate_sparse_bsr_tensor_args, 3),
        (aten._validate_sparse_bsc_tensor_args, 3),
    ):
        check(compressed, plain, values[dim], (2, 2))
        with pytest.raises(RuntimeError, match="0 <= "):
            check(compressed, plain + 5, values[dim], (2, 2))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_the_exponent_of_what_is_not_finite_is_zero(dtype: torch.dtype) -> None:
    """Many elements, so that threads reuse the memory of earlier threads' exponents."""
    numbers = torch.tensor([1000.0, math.inf, 3.0, math.nan, -math.inf], dtype=dtype).repeat(1000)
    exponents = torch.frexp(numbers.to("simt")).exponent.cpu()
    assert exponents.view(1000, 5).unique(dim=0).tolist() == [[10, 0, 2, 0, 0]]
