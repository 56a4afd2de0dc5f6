"""torch.compile on the device: Inductor with the device's own kernels, and captured graphs."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import process
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def made(*shape: int) -> Any:
    return torch.randn(shape).to("simt")


def sorted_into(x: Any, y: Any) -> Any:
    values, order = torch.sort(x, 1)
    y.copy_(values)
    return order


def put_into(x: Any, rows: Any, values: Any) -> Any:
    x.index_put_((rows,), values)
    return x + 1


ROWS = [0, 2]
GRAPHS: dict[str, tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = {
    "elements": (lambda x: torch.nn.functional.gelu(x) * 2 + x.sum(), lambda: (made(4, 5),)),
    "views": (lambda x: x.transpose(0, 1)[1:].reshape(-1) + 1, lambda: (made(4, 5),)),
    "products": (lambda x: x @ x.T, lambda: (made(4, 5),)),
    "several results": (lambda x: torch.max(x, 1), lambda: (made(4, 5),)),
    "a scalar of the CPU": (lambda x: x * torch.tensor(2.0), lambda: (made(4, 5),)),
    "part of it on the CPU": (lambda x: x.cpu().exp() + 1, lambda: (made(4, 5),)),
    "writes to its input": (sorted_into, lambda: (made(4, 5), made(4, 5))),
    "writes to rows": (
        put_into,
        lambda: (made(4, 5), torch.tensor(ROWS, device="simt"), made(2, 5)),
    ),
    "attention": (
        lambda q: torch.nn.functional.scaled_dot_product_attention(q, q, q),
        lambda: (made(2, 2, 4, 8),),
    ),
}


@pytest.fixture(autouse=True)
def fresh() -> None:
    """Remove all compiled graphs, including those on disk."""
    torch.manual_seed(0)
    torch._dynamo.reset()
    with torch._inductor.config.patch(force_disable_caches=True):
        yield


@pytest.mark.parametrize("name", GRAPHS)
def test_inductor_calls_the_devices_kernels(name: str) -> None:
    function, arguments = GRAPHS[name]
    given = arguments()
    again = [one.clone() for one in given]
    result = torch.compile(function, fullgraph=True)(*given)
    torch.testing.assert_close(result, function(*again))
    torch.testing.assert_close(given, tuple(again))


def test_shapes_may_change() -> None:
    compiled = torch.compile(lambda x: (x * x.size(0)).softmax(-1), dynamic=True, fullgraph=True)
    for rows in (3, 4, 7):
        x = made(rows, 5)
        torch.testing.assert_close(compiled(x), (x * rows).softmax(-1))


def net() -> Any:
    layers = torch.nn
    return layers.Sequential(
        layers.Conv2d(3, 4, 3), layers.BatchNorm2d(4), layers.ReLU(), layers.Flatten()
    ).to("simt")


@pytest.fixture
def recordings(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Captured graphs."""
    from torch_simt import _capture

    record, found = _capture._Captured._record, []
    monkeypatch.setattr(
        _capture._Captured,
        "_record",
        lambda self, inputs: (found.append(self), record(self, inputs))[1],
    )
    return found


@pytest.mark.parametrize("mode", [None, "reduce-overhead"])
def test_a_model_learns_the_same(mode: str | None, recordings: list[Any]) -> None:
    model = net()
    expected = copy.deepcopy(model)
    compiled = torch.compile(model, mode=mode)
    optimizers = [torch.optim.SGD(one.parameters(), lr=0.1) for one in (model, expected)]
    for _ in range(4):
        x = made(2, 3, 6, 6)
        for one, optimizer in zip((compiled, expected), optimizers, strict=True):
            optimizer.zero_grad()
            one(x).square().mean().backward()
            optimizer.step()
        for (name, one), other in zip(
            model.state_dict().items(), expected.state_dict().values(), strict=True
        ):
            torch.testing.assert_close(one, other, msg=name)
    # The forward and the backward pass, each once.
    assert len(recordings) == (2 if mode else 0)


def test_what_was_returned_stays_when_it_runs_again(recordings: list[Any]) -> None:
    compiled = torch.compile(lambda x: x * 2 + 1, mode="reduce-overhead")
    given = [made(5) for _ in range(4)]
    results = [compiled(x) for x in given]
    for x, result in zip(given, results, strict=True):
        torch.testing.assert_close(result, x * 2 + 1)
    assert len(recordings) == 1


def test_results_share_memory_and_lie_as_they_do_without_recording(recordings: list[Any]) -> None:
    def model(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = x * 2
        return y, y.t(), y[1:], (x + 1)[:, ::2], (x - 1)[:1].expand(4, -1)

    compiled = torch.compile(model, mode="reduce-overhead")
    for _ in range(3):
        x = made(3, 4)
        found, expected = compiled(x), model(x)
        torch.testing.assert_close(found, expected)
        for one, other in zip(found, expected, strict=True):
            assert (one.stride(), one.storage_offset()) == (other.stride(), other.storage_offset())
        whole, turned, part, *_ = found
        whole.zero_()
        assert not turned.any()
        assert not part.any()
    assert len(recordings) == 1


def test_on_a_device_that_is_not_the_current_one(recordings: list[Any]) -> None:
    compiled = torch.compile(lambda x: x * 2 + 1, mode="reduce-overhead")
    for _ in range(3):
        x = torch.randn(5).to("simt:1")
        torch.testing.assert_close(compiled(x), x * 2 + 1)
    assert len(recordings) == 1


def test_an_input_that_shares_its_memory() -> None:
    compiled = torch.compile(lambda x: x * 2 + 1, mode="reduce-overhead")
    x = made(1, 4).expand(3, 4)
    torch.testing.assert_close(compiled(x), x * 2 + 1)
    with pytest.warns(UserWarning, match="elements of an input share their memory"):
        torch.testing.assert_close(compiled(x), x * 2 + 1)
    torch.testing.assert_close(compiled(x), x * 2 + 1)


def test_what_cannot_be_recorded_runs_as_it_is(recordings: list[Any]) -> None:
    """The model writes to an input, which may be another tensor in the next call."""

    def add_one(x: Any) -> Any:
        x.add_(1)
        return x * 2

    compiled = torch.compile(add_one, mode="reduce-overhead")
    for _ in range(3):
        x = made(5)
        expected = x + 1
        torch.testing.assert_close(compiled(x), expected * 2)
        torch.testing.assert_close(x, expected)
    assert recordings == []


def test_what_is_kept_on_disk_is_of_this_version() -> None:
    torch.compile(lambda x: x + 1)(made(2))
    import torch_simt

    assert f"torch_simt {torch_simt.__version__} " in torch.compiler.config.cache_key_tag


def test_nothing_of_it_is_loaded_before_it_is_used() -> None:
    said = process.run(
        """
        import sys, torch
        print(torch.ones(2, device="simt").sum().item())
        print([name for name in ("torch._dynamo", "torch._inductor") if name in sys.modules])
        """
    )
    assert said.split() == ["2.0", "[]"]


def test_dynamo_compiles_no_function_of_the_package_that_runs_outside_a_graph() -> None:
    """FSDP's forward, which Dynamo skips, calls functions of streams and devices."""

    @torch._dynamo.disable(recursive=False)
    def skipped(x: Any) -> Any:
        before, side = torch.simt.current_stream(), torch.simt.Stream()
        side.wait_stream(before)
        with torch.simt.stream(side), torch.simt.device(torch.simt.current_device()):
            result = x + 1
        before.wait_stream(side)
        return result

    def outside(x: Any) -> Any:
        return skipped(x) * 2

    def inside(x: Any) -> Any:
        return x * torch.simt.device_count()

    assert frames(outside) == ["outside"]
    assert frames(inside) == ["inside"]


def frames(function: Callable[[Any], Any]) -> list[str]:
    """Names of the functions that Dynamo compiles during a call, except those that continue after a graph break."""
    from torch._dynamo import convert_frame

    names: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        upstream = convert_frame.ConvertFrameAssert.__call__

        def recorded(self: Any, frame: Any, *more: Any, **options: Any) -> Any:
            names.append(frame.f_code.co_name)
            return upstream(self, frame, *more, **options)

        patch.setattr(convert_frame.ConvertFrameAssert, "__call__", recorded)
        value = made(3)
        compiled = torch.compile(function, backend="eager")
        assert torch.equal(compiled(value).cpu(), function(value).cpu())
    return [name for name in names if not name.startswith("torch_dynamo_resume")]
