"""Batch normalization by PyTorch's kernels and by a library of seam `dnn`: results, gradients, running statistics."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from dnn_layers import LIBRARIES, PRECISION, agree, check, computed_by, gradients

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

DTYPES = [torch.float32, torch.float64, torch.bfloat16, torch.float16]
SHAPES = {"vectors": (6, 4), "1d": (3, 4, 7), "2d": (2, 4, 5, 3), "3d": (2, 4, 2, 3, 3)}
NORMS = {
    2: torch.nn.BatchNorm1d,
    3: torch.nn.BatchNorm1d,
    4: torch.nn.BatchNorm2d,
    5: torch.nn.BatchNorm3d,
}


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Any:
    return request.param


def made(shape: tuple[int, ...], dtype: Any, **options: Any) -> tuple[Any, Any]:
    """A layer with arbitrary parameters and statistics, and an input."""
    torch.manual_seed(0)
    layer = NORMS[len(shape)](shape[1], dtype=dtype, **options)
    for parameter in layer.parameters():
        torch.nn.init.uniform_(parameter, 0.5, 1.5)
    if layer.running_mean is not None:
        layer.running_mean.uniform_(-1, 1)
        layer.running_var.uniform_(0.5, 2)
    return layer, torch.randn(shape, dtype=dtype)


def results(layer: Any, given: Any, device: str, steps: int = 1) -> list[Any]:
    """Results, gradients and statistics after some steps of training, or of evaluation."""
    layer = layer.to(device)
    given = given.detach().to(device).requires_grad_()
    found: list[Any] = []
    for _ in range(steps):
        result = layer(given)
        found += [result, *gradients([result], [given, *layer.parameters()])]
    return [*found, *(buffer.double() for buffer in layer.buffers())]


def compare(library: str, layer: Any, given: Any, steps: int = 1) -> None:
    expected = results(copy.deepcopy(layer), given, "cpu", steps)
    with computed_by("batch_norm", library, steps):
        found = results(layer, given, "simt", steps)
    agree(found, expected, given.dtype)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_results_agree_with_the_cpu(library: str, shape: str, dtype: Any, training: bool) -> None:
    layer, given = made(SHAPES[shape], dtype)
    compare(library, layer.train(training), given)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(
    "options",
    [
        {"momentum": None},
        {"momentum": 0.3},
        {"affine": False},
        {"track_running_stats": False},
        {"affine": False, "track_running_stats": False},
        {"eps": 0.1},
    ],
    ids=str,
)
def test_layers_without_some_parameters(
    library: str, options: dict[str, Any], training: bool
) -> None:
    layer, given = made((3, 4, 5, 2), torch.float32, **options)
    compare(library, layer.train(training), given, steps=3)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
def test_parameters_in_float(library: str, dtype: Any, training: bool) -> None:
    layer, given = made((3, 4, 5, 2), torch.float32)
    compare(library, layer.train(training), given.to(dtype))


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("shape", ["2d", "3d"])
def test_channels_last_stays(library: str, shape: str, training: bool) -> None:
    last = torch.channels_last if shape == "2d" else torch.channels_last_3d
    layer, given = made(SHAPES[shape], torch.float32)
    layer.train(training)
    compare(library, layer, given.contiguous(memory_format=last))
    given = given.to("simt").contiguous(memory_format=last).requires_grad_()
    with torch.simt.dnn.use(library):
        result = layer(given)
        result.sum().backward()
    assert result.is_contiguous(memory_format=last)
    assert given.grad.is_contiguous(memory_format=last)


def test_strides_of_a_transposed_input(library: str) -> None:
    layer, given = made((4, 3, 5), torch.float32)
    weight, bias = layer.weight.detach(), layer.bias.detach()

    def norm(x: Any, weight: Any, bias: Any) -> list[Any]:
        # The third dimension becomes the channel, and every second element is read.
        chosen = x.transpose(1, 2)[:, :3, ::2]
        return [
            torch.nn.functional.batch_norm(chosen, None, None, weight, bias, training=True),
        ]

    given.requires_grad_(), weight.requires_grad_(), bias.requires_grad_()
    check("batch_norm", library, norm, [given, weight, bias], torch.float32)


@pytest.mark.parametrize("training", [True, False])
def test_an_empty_batch(library: str, training: bool) -> None:
    layer, _ = made((2, 4, 5, 3), torch.float32)
    layer = layer.to("simt").train(training)
    given = torch.empty(0, 4, 5, 3, device="simt", requires_grad=True)
    with torch.simt.dnn.use(library):
        result = layer(given)
        result.sum().backward()
    assert result.shape == given.grad.shape == given.shape
    assert layer.weight.grad.tolist() == layer.bias.grad.tolist() == [0.0] * 4


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(("first", "second"), [("columns", "host"), ("host", "columns")])
def test_another_library_computes_the_gradients(first: str, second: str, training: bool) -> None:
    layer, given = made((3, 4, 5, 2), torch.float32)
    layer.train(training)
    expected_input = given.clone().requires_grad_()
    expected = gradients([layer(expected_input)], [expected_input, *layer.parameters()])
    layer, given = made((3, 4, 5, 2), torch.float32)
    layer, given = layer.train(training).to("simt"), given.to("simt").requires_grad_()
    with torch.simt.dnn.use(first):
        result = layer(given)
    with torch.simt.dnn.use(second):
        found = gradients([result], [given, *layer.parameters()])
    agree(found, expected, torch.float32)


def test_second_derivatives(library: str) -> None:
    def layer(x: Any, weight: Any, bias: Any) -> Any:
        return torch.nn.functional.batch_norm(x, None, None, weight, bias, training=True)

    torch.manual_seed(0)
    given = [
        torch.randn(shape, dtype=torch.float64, device="simt", requires_grad=True)
        for shape in ((3, 2, 2), (2,), (2,))
    ]
    with torch.simt.dnn.use(library):
        assert torch.autograd.gradgradcheck(layer, given)


def test_saved_statistics_have_the_type_of_sums(library: str) -> None:
    for dtype in DTYPES:
        layer, given = made((3, 4, 5), dtype)
        layer = layer.to("simt")
        with torch.simt.dnn.use(library):
            _, mean, invstd = torch.native_batch_norm(
                given.to("simt"), layer.weight, layer.bias, None, None, True, 0.1, 1e-5
            )
        saved = torch.float64 if dtype == torch.float64 else torch.float32
        assert mean.dtype == invstd.dtype == saved
        values = given.double().transpose(0, 1).flatten(1)
        scale = PRECISION[dtype]
        torch.testing.assert_close(mean.cpu().double(), values.mean(1), rtol=scale, atol=scale)
        expected = (values.var(1, unbiased=False) + 1e-5).rsqrt()
        torch.testing.assert_close(invstd.cpu().double(), expected, rtol=scale, atol=scale)


def test_graphs_use_the_library() -> None:
    layer, given = made((3, 4, 5, 2), torch.float32)
    expected = results(made((3, 4, 5, 2), torch.float32)[0], given, "cpu")
    compiled = torch.compile(layer.to("simt"), backend="aot_eager")
    given = given.to("simt").requires_grad_()
    with computed_by("batch_norm", "host"):
        result = compiled(given)
        found = gradients([result], [given, *layer.parameters()])
    agree([result, *found], expected[:4], torch.float32)


def test_a_layer_on_the_second_device(library: str) -> None:
    layer, given = made((3, 4, 5, 2), torch.float32)
    expected = layer(given)
    layer, _ = made((3, 4, 5, 2), torch.float32)
    with computed_by("batch_norm", library):
        found = layer.to("simt:1")(given.to("simt:1"))
    assert found.device == torch.device("simt:1")
    agree([found], [expected], torch.float32)
    assert torch.simt.current_device() == 0


def test_wrong_sizes_are_pytorchs_errors(library: str) -> None:
    given = torch.ones(3, 4, 5, device="simt")
    with (
        torch.simt.dnn.use(library),
        pytest.raises(RuntimeError, match="running_mean should contain 4"),
    ):
        torch.nn.functional.batch_norm(
            given, torch.ones(3, device="simt"), torch.ones(3, device="simt")
        )
