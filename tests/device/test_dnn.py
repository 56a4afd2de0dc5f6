"""Implementations of seam `dnn` compute the CPU's convolutions, forward and backward, and keep the memory format."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

LAYERS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "1d": (lambda: torch.nn.Conv1d(4, 6, 3, stride=2, padding=1), (2, 4, 15)),
    "2d": (lambda: torch.nn.Conv2d(3, 5, (3, 2), stride=(1, 2), padding=(2, 1)), (2, 3, 9, 8)),
    "2d, groups and dilation": (
        lambda: torch.nn.Conv2d(4, 8, 3, groups=4, dilation=2, bias=False),
        (2, 4, 9, 9),
    ),
    "2d, depthwise": (
        lambda: torch.nn.Conv2d(6, 12, 5, stride=(1, 2), padding=(2, 1), groups=6),
        (2, 6, 9, 8),
    ),
    "3d, depthwise": (
        lambda: torch.nn.Conv3d(4, 4, 3, padding=1, dilation=(1, 1, 2), groups=4),
        (2, 4, 5, 4, 6),
    ),
    "3d": (lambda: torch.nn.Conv3d(2, 4, 2, padding=1), (1, 2, 5, 4, 3)),
    "2d, transposed": (
        lambda: torch.nn.ConvTranspose2d(4, 6, 3, stride=2, output_padding=1, groups=2),
        (2, 4, 5, 6),
    ),
    "no samples": (lambda: torch.nn.Conv2d(3, 5, 3), (0, 3, 8, 8)),
}


@pytest.fixture(params=["columns", "host"])
def library(request: pytest.FixtureRequest) -> Any:
    with torch.simt.dnn.use(request.param):
        assert torch.simt.dnn.library() == request.param
        yield request.param
    assert torch.simt.dnn.library() == "columns"


def results(layer: Any, given: Any, device: str) -> list[Any]:
    """Result, and the gradients of input and parameters, on the CPU."""
    layer = layer.to(device)
    given = given.detach().to(device).requires_grad_()
    with torch.no_grad():
        weight = torch.linspace(0.5, 1.5, layer(given).numel(), dtype=torch.float64)
    result = layer(given)
    result.backward(weight.to(device, result.dtype).reshape(result.shape))
    grads = [given.grad, *(parameter.grad for parameter in layer.parameters())]
    return [tensor.detach().cpu() for tensor in (result, *grads)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", LAYERS)
def test_convolutions_agree_with_the_cpu(library: str, name: str, dtype: Any) -> None:
    make, shape = LAYERS[name]
    torch.manual_seed(0)
    layer, given = make().to(dtype), torch.randn(shape, dtype=dtype)
    expected = results(layer, given, "cpu")
    layer.zero_grad()
    found = results(layer, given, "simt")
    # The sums of a gradient of the weight have another order; bfloat16 has 8 bits.
    bound = {torch.bfloat16: 0.05, torch.float32: 1e-4, torch.float64: 1e-10}[dtype]
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        scale = other.abs().max().item() if other.numel() else 1.0
        torch.testing.assert_close(one, other, rtol=bound, atol=bound * max(scale, 1.0))


@pytest.mark.parametrize("which", ["input", "weight", "neither"])
def test_channels_last_stays(library: str, which: str) -> None:
    last = torch.channels_last
    given = torch.randn(2, 3, 8, 8, device="simt")
    layer = torch.nn.Conv2d(3, 4, 3).to("simt")
    given = (given.to(memory_format=last) if which == "input" else given).requires_grad_()
    if which == "weight":
        layer = layer.to(memory_format=last)
    result = layer(given)
    assert result.is_contiguous(memory_format=last) == (which != "neither")
    result.sum().backward()
    # Autograd gives each gradient the strides of its tensor.
    assert given.grad.is_contiguous(memory_format=last) == (which == "input")
    assert layer.weight.grad.is_contiguous(memory_format=last) == (which == "weight")


def test_work_of_kernels_is_complete_before_the_host_reads(library: str) -> None:
    given = torch.zeros(4, 3, 32, 32, device="simt")
    weight = torch.ones(1, 3, 1, 1, device="simt")
    for step in range(20):
        given.fill_(step)
        result = torch.nn.functional.conv2d(given, weight)
        given.zero_()
        assert result.unique().tolist() == [3.0 * step]


@pytest.mark.parametrize("frozen", ["input", "weight", "bias"])
def test_gradients_of_a_depthwise_convolution_that_nobody_needs(library: str, frozen: str) -> None:
    given = torch.randn(2, 4, 7, 7, requires_grad=frozen != "input")
    layer = torch.nn.Conv2d(4, 4, 3, groups=4)
    if frozen != "input":
        getattr(layer, frozen).requires_grad_(False)
    needed = [one for one in (given, layer.weight, layer.bias) if one.requires_grad]
    expected = torch.autograd.grad(layer(given).square().sum(), needed)
    for one in (given, *layer.parameters()):
        one.data = one.data.to("simt")
    found = torch.autograd.grad(layer(given).square().sum(), needed)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one.cpu(), other, rtol=1e-4, atol=1e-4)


def test_depthwise_convolutions_call_the_kernels_of_pytorch() -> None:
    layer = torch.nn.Conv2d(4, 4, 3, groups=4, device="simt")
    with torch.profiler.profile() as profile:
        layer(torch.ones(1, 4, 8, 8, device="simt")).sum().backward()
    names = {event.key for event in profile.key_averages()}
    assert "aten::_conv_depthwise2d" in names
    assert not names & {"aten::im2col", "aten::bmm"}


def test_an_unknown_library() -> None:
    assert torch.simt.dnn.libraries() == ["columns", "host"]
    with pytest.raises(ValueError, match=r"'nope' is not a library.*columns.*host"):
        torch.simt.dnn.set_library("nope")
    assert torch.simt.dnn.library() == "columns"


def test_the_groups_of_a_library() -> None:
    assert torch.simt.dnn.groups("columns") == ["convolution"]
    assert torch.simt.dnn.groups("host") == ["convolution", "batch_norm", "attention", "recurrent"]
    with pytest.raises(ValueError, match=r"'nope' is not a library.*columns.*host"):
        torch.simt.dnn.groups("nope")


def test_layers_are_counted_by_library(library: str) -> None:
    before = torch.simt.dnn.calls()["convolution"]
    torch.nn.functional.conv1d(
        torch.ones(1, 1, 4, device="simt"), torch.ones(1, 1, 2, device="simt")
    )
    assert torch.simt.dnn.calls()["convolution"] == {**before, library: before[library] + 1}


def test_a_convolution_on_the_second_device(library: str) -> None:
    given, weight = torch.randn(1, 2, 5, 5), torch.randn(3, 2, 3, 3)
    found = torch.nn.functional.conv2d(given.to("simt:1"), weight.to("simt:1"))
    assert found.device == torch.device("simt:1")
    torch.testing.assert_close(found.cpu(), torch.nn.functional.conv2d(given, weight))
