"""torch.simt.make_graphed_callables: modules and functions whose passes are replayed graphs."""

from __future__ import annotations

import copy
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def model() -> Any:
    torch.manual_seed(0)
    return torch.nn.Sequential(
        torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 4)
    ).simt()


def steps(network: Any, count: int = 4) -> list[float]:
    torch.manual_seed(1)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    losses = []
    for _ in range(count):
        x, y = torch.randn(5, 8, device="simt"), torch.randn(5, 4, device="simt")
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(network(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def test_a_module_trains_as_it_would_by_itself() -> None:
    plain = model()
    recorded = copy.deepcopy(plain)
    made = torch.simt.make_graphed_callables(recorded, (torch.randn(5, 8, device="simt"),))
    assert made is recorded
    assert steps(made) == pytest.approx(steps(plain), rel=1e-6)
    for ours, theirs in zip(made.parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_the_other_mode_runs_the_module_itself() -> None:
    network = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5)).simt()
    made = torch.simt.make_graphed_callables(network, (torch.randn(3, 4, device="simt"),))
    made.eval()
    x = torch.randn(7, 4, device="simt")  # another size than was recorded
    torch.testing.assert_close(made(x), network[0](x))


def test_functions_and_gradients_of_their_inputs() -> None:
    def f(a: Any, b: Any) -> dict[str, Any]:
        return {"product": a * b, "sum": (a + b).sum()}

    sample = tuple(torch.ones(3, device="simt", requires_grad=True) for _ in range(2))
    made = torch.simt.make_graphed_callables(f, sample)
    a = torch.tensor([1.0, 2.0, 3.0], device="simt", requires_grad=True)
    b = torch.tensor([4.0, 5.0, 6.0], device="simt", requires_grad=True)
    result = made(a, b)
    assert result["product"].tolist() == [4, 10, 18] and result["sum"].item() == 21
    (result["product"].sum() + result["sum"]).backward()
    assert a.grad.tolist() == [5, 6, 7] and b.grad.tolist() == [2, 3, 4]


def test_several_callables_share_memory() -> None:
    first, second = torch.nn.Linear(4, 4).simt(), torch.nn.Linear(4, 4).simt()
    x = torch.randn(2, 4, device="simt")
    with torch.no_grad():
        want = second(first(x).relu())
    sample = torch.randn(2, 4, device="simt")
    samples = ((sample,), (torch.randn_like(sample, requires_grad=True),))
    one, two = torch.simt.make_graphed_callables((first, second), samples)
    torch.testing.assert_close(two(one(x).relu()), want)
    two(one(x).relu()).sum().backward()
    assert first.weight.grad is not None and second.bias.grad.tolist() == [2, 2, 2, 2]


def test_without_gradients() -> None:
    made = torch.simt.make_graphed_callables(lambda x: x * 2, (torch.ones(3, device="simt"),))
    assert made(torch.full((3,), 4.0, device="simt")).tolist() == [8, 8, 8]


def test_unused_inputs_are_allowed_where_it_is_said() -> None:
    def f(a: Any, b: Any) -> Any:
        return a * 2

    sample = tuple(torch.ones(2, device="simt", requires_grad=True) for _ in range(2))
    with pytest.raises(RuntimeError, match="not have been used"):
        torch.simt.make_graphed_callables(f, sample)
    made = torch.simt.make_graphed_callables(f, sample, allow_unused_input=True)
    a, b = (torch.ones(2, device="simt", requires_grad=True) for _ in range(2))
    made(a, b).sum().backward()
    assert a.grad.tolist() == [2, 2] and b.grad is None


def test_what_cannot_be_recorded() -> None:
    x = torch.ones(2, 4, device="simt")
    hooked = torch.nn.Linear(4, 4).simt()
    hooked.register_forward_hook(lambda *_: None)
    with pytest.raises(RuntimeError, match="hooks"):
        torch.simt.make_graphed_callables(hooked, (x,))
    with pytest.raises(RuntimeError, match="must be tensors"):
        torch.simt.make_graphed_callables(lambda x, by: x * by, (x, 2))
    buffered = torch.nn.Linear(4, 4).simt()
    buffered.register_buffer("trained", torch.ones(1, device="simt", requires_grad=True))
    with pytest.raises(RuntimeError, match="buffers"):
        torch.simt.make_graphed_callables(buffered, (x,))
