"""Layers of simple models train on the device in the default build, without missing operators and fallbacks."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.fixture(autouse=True)
def _counted() -> Any:
    """Fail a test if operators ran on the CPU."""
    torch.simt.reset_metrics()
    yield
    assert torch.simt.metrics() == {}


def _gradients(model: Any, loss: Callable[[Any], Any], x: Any) -> list[Any]:
    model.zero_grad()
    loss(model(x)).backward()
    return [parameter.grad.cpu() for parameter in model.parameters()]


def _agrees(model: Any, loss: Callable[[Any], Any], x: Any) -> None:
    """Compare the gradients of all parameters on the device with the CPU's."""
    expected = _gradients(model, loss, x)
    # A copy, because `to` moves the parameters and their gradients in place.
    found = _gradients(copy.deepcopy(model).to("simt"), loss, x.to("simt"))
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_recurrent_layers(kind: str, bidirectional: bool) -> None:
    torch.manual_seed(0)
    layer = getattr(torch.nn, kind)(5, 7, num_layers=2, bidirectional=bidirectional)
    _agrees(layer, lambda y: y[0].square().sum(), torch.randn(6, 3, 5))


def test_recurrent_layers_take_packed_sequences() -> None:
    torch.manual_seed(0)
    layer = torch.nn.LSTM(5, 7)
    x, lengths = torch.randn(6, 3, 5), torch.tensor([6, 4, 1])
    packed = torch.nn.utils.rnn.pack_padded_sequence
    expected = layer(packed(x, lengths))[0].data
    found = layer.to("simt")(packed(x.to("simt"), lengths))[0].data
    torch.testing.assert_close(found.cpu(), expected, rtol=1e-4, atol=1e-5)


def test_attention() -> None:
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True)
    _agrees(layer, lambda y: y.square().sum(), torch.randn(2, 9, 16))


def test_sparse_times_dense() -> None:
    torch.manual_seed(0)
    sparse = torch.randn(8, 6).relu().to_sparse()
    dense = torch.randn(6, 4)
    for layout in (sparse, sparse.to_sparse_csr()):
        found = layout.to("simt") @ dense.to("simt")
        torch.testing.assert_close(found.cpu(), sparse @ dense)


def test_sparse_gradients_of_an_embedding() -> None:
    torch.manual_seed(0)
    layer = torch.nn.Embedding(10, 3, sparse=True)
    x = torch.tensor([1, 4, 4, 9])
    layer(x).sum().backward()
    expected = layer.weight.grad.to_dense()
    on_device = torch.nn.Embedding(10, 3, sparse=True, device="simt")
    on_device(x.to("simt")).sum().backward()
    torch.testing.assert_close(on_device.weight.grad.to_dense().cpu(), expected)


def test_quantised_tensors() -> None:
    x = torch.linspace(-1, 1, 50)
    expected = torch.quantize_per_tensor(x, 0.05, 3, torch.quint8)
    found = torch.quantize_per_tensor(x.to("simt"), 0.05, 3, torch.quint8)
    assert torch.equal(found.int_repr().cpu(), expected.int_repr())
    torch.testing.assert_close(found.dequantize().cpu(), expected.dequantize())


def test_nested_tensors() -> None:
    torch.manual_seed(0)
    parts = [torch.randn(length, 4) for length in (3, 5)]
    weight = torch.randn(2, 4)
    nested = torch.nested.nested_tensor([part.to("simt") for part in parts])
    found = torch.nn.functional.linear(nested, weight.to("simt"))
    for one, part in zip(found.unbind(), parts, strict=True):
        torch.testing.assert_close(one.cpu(), part @ weight.T)
