"""LSTM, GRU and RNN by PyTorch's kernels and by a library of seam `dnn`: results, states and gradients."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from dnn_layers import LIBRARIES, agree, computed_by, gradients

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

rnn = torch.nn.utils.rnn
CELLS = {
    "lstm": torch.nn.LSTM,
    "gru": torch.nn.GRU,
    "tanh": torch.nn.RNN,
    "relu": lambda *sizes, **options: torch.nn.RNN(*sizes, nonlinearity="relu", **options),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "one layer": {},
    "two layers": {"num_layers": 2},
    "bidirectional": {"num_layers": 2, "bidirectional": True},
    "batch first": {"batch_first": True},
    "no biases": {"num_layers": 2, "bias": False},
}


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Any:
    return request.param


def made(cell: str, dtype: Any = torch.float32, **options: Any) -> Any:
    torch.manual_seed(0)
    return CELLS[cell](4, 3, dtype=dtype, **options)


def states_of(layer: Any, batch: int, dtype: Any) -> list[Any]:
    """Initial states with arbitrary values."""
    count = layer.num_layers * (2 if layer.bidirectional else 1)
    sizes = [layer.proj_size or layer.hidden_size]
    if isinstance(layer, torch.nn.LSTM):
        sizes.append(layer.hidden_size)
    return [torch.randn(count, batch, size, dtype=dtype) for size in sizes]


def run(layer: Any, given: Any, states: list[Any], device: str) -> list[Any]:
    """Results, final states, and the gradients of input, states and parameters."""
    layer = layer.to(device)
    states = [state.to(device).requires_grad_() for state in states]
    packed = isinstance(given, rnn.PackedSequence)
    leaf = (given.data if packed else given).detach().to(device).requires_grad_()
    if packed:
        given = given._replace(
            data=leaf,
            sorted_indices=_to(given.sorted_indices, device),
            unsorted_indices=_to(given.unsorted_indices, device),
        )
    else:
        given = leaf
    output, final = layer(given, tuple(states) if isinstance(layer, torch.nn.LSTM) else states[0])
    results = [output.data if packed else output, *(final if isinstance(final, tuple) else [final])]
    return [*results, *gradients(results, [leaf, *states, *layer.parameters()])]


def _to(tensor: Any, device: str) -> Any:
    return None if tensor is None else tensor.to(device)


def compare(library: str, layer: Any, given: Any, states: list[Any], dtype: Any) -> None:
    expected = run(copy.deepcopy(layer), given, states, "cpu")
    with computed_by("recurrent", library):
        found = run(layer, given, states, "simt")
    agree(found, expected, dtype)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("cell", CELLS)
def test_results_agree_with_the_cpu(library: str, cell: str, options: str) -> None:
    layer = made(cell, **OPTIONS[options])
    given = torch.randn(2, 5, 4) if layer.batch_first else torch.randn(5, 2, 4)
    compare(library, layer, given, states_of(layer, 2, torch.float32), torch.float32)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("cell", CELLS)
def test_other_types(library: str, cell: str, dtype: Any) -> None:
    layer = made(cell, dtype)
    compare(library, layer, torch.randn(3, 2, 4, dtype=dtype), states_of(layer, 2, dtype), dtype)


@pytest.mark.parametrize("options", ["one layer", "bidirectional", "no biases"])
@pytest.mark.parametrize("cell", CELLS)
def test_packed_sequences(library: str, cell: str, options: str) -> None:
    layer = made(cell, **OPTIONS[options])
    given = rnn.pack_sequence([torch.randn(length, 4) for length in (5, 3, 3, 1)])
    compare(library, layer, given, states_of(layer, 4, torch.float32), torch.float32)


def test_packed_sequences_in_any_order(library: str) -> None:
    layer = made("gru", bidirectional=True)
    given = rnn.pack_padded_sequence(torch.randn(5, 3, 4), [2, 5, 3], enforce_sorted=False)
    compare(library, layer, given, states_of(layer, 3, torch.float32), torch.float32)


@pytest.mark.parametrize("packed", [False, True])
def test_projections(library: str, packed: bool) -> None:
    layer = made("lstm", proj_size=2, num_layers=2, bidirectional=True)
    given = (
        rnn.pack_sequence([torch.randn(n, 4) for n in (4, 2)]) if packed else torch.randn(4, 2, 4)
    )
    compare(library, layer, given, states_of(layer, 2, torch.float32), torch.float32)


@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_one_sequence_without_states(library: str, cell: str) -> None:
    layer = made(cell)
    given = torch.randn(5, 4)
    expected = layer(given)[0]
    with computed_by("recurrent", library):
        found = layer.to("simt")(given.to("simt"))[0]
    agree([found], [expected], torch.float32)


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_without_gradients(library: str, cell: str, mode: Any) -> None:
    layer, given = made(cell, num_layers=2, dropout=0.5).eval(), torch.randn(5, 2, 4)
    with mode():
        expected = layer(given)[0]
        layer, given = layer.to("simt"), given.to("simt")
        with computed_by("recurrent", library):
            found = layer(given)[0]
    assert not found.requires_grad
    agree([found], [expected], torch.float32)


def test_some_gradients(library: str) -> None:
    layer, given = made("lstm"), torch.randn(5, 2, 4)
    layer.weight_ih_l0.requires_grad_(False)
    layer.bias_hh_l0.requires_grad_(False)
    wanted = [p for p in layer.parameters() if p.requires_grad]
    expected = gradients([layer(given)[0]], wanted)
    layer, given = layer.to("simt"), given.to("simt")
    wanted = [p for p in layer.parameters() if p.requires_grad]
    with computed_by("recurrent", library):
        found = gradients([layer(given)[0]], wanted)
    agree(found, expected, torch.float32)


def test_the_gradient_of_one_state_only(library: str) -> None:
    layer, given = made("lstm"), torch.randn(5, 2, 4)
    expected = gradients([layer(given)[1][1]], list(layer.parameters()))
    layer, given = layer.to("simt"), given.to("simt")
    with computed_by("recurrent", library):
        found = gradients([layer(given)[1][1]], list(layer.parameters()))
    agree(found, expected, torch.float32)


@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_dropout_of_everything(library: str, cell: str) -> None:
    layer, given = made(cell, num_layers=2, dropout=1.0), torch.randn(5, 2, 4)
    compare(library, layer, given, states_of(layer, 2, torch.float32), torch.float32)


def test_the_gradients_belong_to_the_dropout_of_the_result(library: str) -> None:
    layer = made("gru", torch.float64, num_layers=3, dropout=0.5, bidirectional=True).to("simt")
    given = torch.randn(4, 2, 4, dtype=torch.float64, device="simt", requires_grad=True)
    direction = torch.randn_like(given)
    step = 1e-6

    def value(moved: float) -> Any:
        torch.manual_seed(5)
        return layer(given + moved * direction)[0].sum()

    with computed_by("recurrent", library, 3):
        (gradient,) = torch.autograd.grad(value(0), [given])
        torch.manual_seed(6)  # the backward function must not read the current state
        slope = (value(step) - value(-step)) / (2 * step)
    torch.testing.assert_close((gradient * direction).sum(), slope, rtol=1e-5, atol=1e-7)


def test_dropout_is_random_in_training_only(library: str) -> None:
    layer = made("tanh", num_layers=2, dropout=0.5).to("simt")
    given = torch.randn(6, 2, 4, device="simt")
    with torch.simt.dnn.use(library):
        first, second = layer(given)[0], layer(given)[0]
        layer.eval()
        third, fourth = layer(given)[0], layer(given)[0]
    assert not first.equal(second)
    assert third.equal(fourth)


def test_gradients_twice_from_one_graph(library: str) -> None:
    layer = made("lstm", num_layers=2).to("simt")
    given = torch.randn(5, 2, 4, device="simt")
    parameters = list(layer.parameters())
    with torch.simt.dnn.use(library):
        total = layer(given)[0].sum()
        first = torch.autograd.grad(total, parameters, retain_graph=True)
        second = torch.autograd.grad(total, parameters)
        for one, other in zip(first, second, strict=True):
            torch.testing.assert_close(one, other)
        with pytest.raises(RuntimeError, match="second time"):
            torch.autograd.grad(total, parameters)


def test_a_library_computes_its_own_gradients() -> None:
    layer, given = made("gru"), torch.randn(5, 2, 4)
    expected = gradients([layer(given)[0]], list(layer.parameters()))
    layer = layer.to("simt")
    with torch.simt.dnn.use("host"):
        result = layer(given.to("simt"))[0]
    agree(gradients([result], list(layer.parameters())), expected, torch.float32)


def test_a_changed_weight_is_an_error(library: str) -> None:
    layer = made("lstm").to("simt")
    with torch.simt.dnn.use(library):
        result = layer(torch.randn(5, 2, 4, device="simt", requires_grad=True))[0]
        with torch.no_grad():
            layer.weight_hh_l0.mul_(2)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            result.sum().backward()


def test_second_derivatives() -> None:
    layer = made("gru", torch.float64).to("simt")
    given = torch.randn(3, 2, 4, dtype=torch.float64, device="simt", requires_grad=True)
    with torch.simt.dnn.use("host"):
        (gradient,) = torch.autograd.grad(layer(given)[0].sum(), [given], create_graph=True)
        with pytest.raises(RuntimeError, match="library 'host' have no second derivative"):
            gradient.sum().backward()


def test_checkpoints_compute_the_layer_again(library: str) -> None:
    from torch.utils.checkpoint import checkpoint

    layer, given = made("lstm"), torch.randn(5, 2, 4)
    expected = gradients([layer(given)[0]], list(layer.parameters()))
    layer, given = layer.to("simt"), given.to("simt").requires_grad_()
    with torch.simt.dnn.use(library):
        result = checkpoint(lambda x: layer(x)[0], given, use_reentrant=False)
        found = gradients([result], list(layer.parameters()))
    agree(found, expected, torch.float32)


def test_mixed_precision(library: str) -> None:
    layer, given = made("lstm"), torch.randn(5, 2, 4)
    expected = layer(given)[0]
    expected_gradients = gradients([expected], list(layer.parameters()))
    layer = layer.to("simt")
    with computed_by("recurrent", library), torch.autocast("simt", dtype=torch.bfloat16):
        found = layer(given.to("simt"))[0]
    found_gradients = gradients([found], list(layer.parameters()))
    assert found.dtype == torch.bfloat16
    agree([found.float(), *found_gradients], [expected, *expected_gradients], torch.bfloat16)


def test_wrong_sizes_are_pytorchs_errors(library: str) -> None:
    layer = made("lstm").to("simt")
    given, state = torch.randn(5, 2, 4, device="simt"), torch.zeros(1, 2, 3, device="simt")
    weights = [parameter.detach() for parameter in layer.parameters()]
    with torch.simt.dnn.use(library):
        with pytest.raises(RuntimeError, match="lstm expects two hidden states"):
            torch.lstm(given, [state], weights, True, 1, 0.0, False, False, False)
        with pytest.raises(RuntimeError, match="cannot be multiplied"):
            torch.lstm(given[..., :3], [state] * 2, weights, True, 1, 0.0, False, False, False)


def test_empty_batches_are_left_to_pytorch() -> None:
    layer = made("gru").to("simt")
    before = torch.simt.dnn.calls()["recurrent"]
    with torch.simt.dnn.use("host"):
        output, state = layer(torch.empty(5, 0, 4, device="simt"))
    assert torch.simt.dnn.calls()["recurrent"]["host"] == before["host"]
    assert output.shape == (5, 0, 3)
    assert state.shape == (1, 0, 3)


def test_a_layer_on_the_second_device(library: str) -> None:
    layer, given = made("gru"), torch.randn(5, 2, 4)
    expected = layer(given)[0]
    expected_gradients = gradients([expected], list(layer.parameters()))
    layer = layer.to("simt:1")
    with computed_by("recurrent", library):
        found = layer(given.to("simt:1"))[0]
        found_gradients = gradients([found], list(layer.parameters()))
    assert found.device == found_gradients[0].device == torch.device("simt:1")
    agree([found, *found_gradients], [expected, *expected_gradients], torch.float32)


@pytest.mark.parametrize("cell", CELLS)
def test_traces_decompose_the_layer(library: str, cell: str) -> None:
    from torch.fx.experimental.proxy_tensor import make_fx

    operator = {
        "lstm": torch.lstm,
        "gru": torch.gru,
        "tanh": torch.rnn_tanh,
        "relu": torch.rnn_relu,
    }
    layer, count = made(cell, num_layers=2).to("simt"), 2 if cell == "lstm" else 1
    states = [torch.randn(2, 2, 3, device="simt") for _ in range(count)]
    given = [torch.randn(5, 2, 4, device="simt"), *states, *layer.parameters()]

    def call(given: list[Any]) -> Any:
        hx = given[1:3] if cell == "lstm" else given[1]
        weights = given[1 + count :]
        return operator[cell](given[0], hx, weights, True, 2, 0.0, False, False, False)[0]

    with torch.simt.dnn.use(library):
        graph = make_fx(call, tracing_mode="symbolic")(given)
        names = {str(node.target) for node in graph.graph.nodes}
        assert "aten.mm.default" in names or "aten.addmm.default" in names
        assert not any("fused" in name or "lstm" in name or "gru" in name for name in names)
        torch.testing.assert_close(graph(given), call(given), rtol=1e-4, atol=1e-5)
