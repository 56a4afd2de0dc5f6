"""What libtorch_cpu does for CUDA by name is done for the device, and what upstream's kernels get wrong is right."""

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
    """Places that are named several times: the last write stays, as in a loop over the elements."""
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
    """Upstream's kernel divides by the number of its blocks, which is 0."""
    places = torch.nonzero_static(torch.zeros(0, 3, device="simt"), size=2, fill_value=-1)
    assert places.tolist() == [[-1, -1], [-1, -1]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex128])
def test_the_exponential_of_a_rotation(dtype: torch.dtype) -> None:
    """exp of [[0, -t], [t, 0]] turns by t; large norms are halved and squared."""
    turns = [0.0, 1e-3, 1.0, 30.0]
    generators = torch.tensor([[[0.0, -t], [t, 0.0]] for t in turns], dtype=dtype)
    rotations = [[[math.cos(t), -math.sin(t)], [math.sin(t), math.cos(t)]] for t in turns]
    found = torch.linalg.matrix_exp(generators.to("simt")).cpu()
    expected = torch.tensor(rotations, dtype=dtype)
    assert (found - expected).abs().max() < 200 * torch.finfo(dtype).eps
