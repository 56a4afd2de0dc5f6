"""Random numbers equal CUDA's, and generators behave like torch.cuda's."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def test_randn_is_cudas() -> None:
    """Expected values: printed by PyTorch on an NVIDIA GPU after torch.manual_seed(0)."""
    torch.manual_seed(0)
    numbers = torch.randn(4, device="simt").cpu()
    assert [f"{number:.4f}" for number in numbers.tolist()] == [
        "-0.9247",
        "-0.4253",
        "-2.6438",
        "0.1452",
    ]


def test_a_state_is_taken_up_again() -> None:
    torch.simt.manual_seed(3)
    torch.rand(7, device="simt")
    state = torch.simt.get_rng_state()
    first = torch.rand(100, device="simt")
    torch.simt.set_rng_state(state)
    assert torch.equal(torch.rand(100, device="simt"), first)
    assert not torch.equal(torch.rand(100, device="simt"), first)


def test_devices_have_generators_of_their_own() -> None:
    torch.simt.manual_seed_all(5)
    one, other = (torch.rand(10, device=f"simt:{index}").cpu() for index in range(2))
    assert torch.equal(one, other)
    torch.rand(1, device="simt:0")
    one, other = (torch.rand(10, device=f"simt:{index}").cpu() for index in range(2))
    assert not torch.equal(one, other)


@pytest.mark.parametrize(
    ("draw", "mean", "variance"),
    [
        (lambda empty: empty.uniform_(-1, 3), 1, 16 / 12),
        (lambda empty: empty.normal_(2, 3), 2, 9),
        (lambda empty: empty.exponential_(0.5), 2, 4),
        (lambda empty: empty.bernoulli_(0.25), 0.25, 0.1875),
        (lambda empty: empty.random_(0, 10), 4.5, 8.25),
        (lambda empty: empty.log_normal_(0, 0.5), 1.1331, 0.3647),
        (lambda empty: empty.geometric_(0.5), 2, 2),
    ],
)
def test_distributions_have_their_moments(draw, mean: float, variance: float) -> None:
    torch.manual_seed(1)
    numbers = draw(torch.empty(100_000, device="simt", dtype=torch.float64)).cpu()
    assert abs(numbers.mean().item() - mean) < 0.03 * max(1, variance**0.5)
    assert abs(numbers.var().item() - variance) < 0.05 * max(1, variance)


def test_randperm_is_a_permutation() -> None:
    for count in (0, 1, 7, 1000, 40_000):
        order = torch.randperm(count, device="simt").cpu()
        assert torch.equal(order.sort().values, torch.arange(count))


def test_multinomial_draws_by_weight() -> None:
    torch.manual_seed(2)
    drawn = torch.multinomial(
        torch.tensor([0.0, 1.0, 3.0], device="simt"), 20_000, replacement=True
    )
    counts = torch.bincount(drawn.cpu(), minlength=3)
    assert counts[0] == 0 and abs(counts[2].item() / 20_000 - 0.75) < 0.02
    alone = torch.multinomial(torch.ones(50, device="simt"), 50).cpu()
    assert torch.equal(alone.sort().values, torch.arange(50))
