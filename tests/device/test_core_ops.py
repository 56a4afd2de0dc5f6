"""Core operators have the CPU's results on the device, forward and backward, without a fallback. Samples, dtypes
and tolerances are those of PyTorch's operator database, as in `porter verify`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from core_ops import DTYPES, FOREACH, NAMES, is_core, units  # noqa: E402

from porter.mapping import expected_failures  # noqa: E402
from porter.mapping.library import shipped  # noqa: E402
from porter.model.verify import FALLBACK, CheckUnit  # noqa: E402
from porter.report.verification import grouped  # noqa: E402
from porter.verify.operators import OperatorSelection, verify  # noqa: E402
from porter.verify.suite.operators.values import compare, to  # noqa: E402
from porter.verify.worker_process import BackendLocation  # noqa: E402

WHERE = BackendLocation(sys.executable, "torch_simt", "simt")
PARTS = 6
"""Number of test cases, so that progress is visible."""


@pytest.fixture(scope="session")
def every() -> list[CheckUnit]:
    """All units to check."""
    return units(WHERE)


def test_every_name_is_one_of_the_database(every: list[CheckUnit]) -> None:
    names = {unit.op for unit in every}
    known_names = names | {name.rpartition(".")[0] for name in names}
    assert known_names >= NAMES, NAMES - known_names


@pytest.mark.parametrize("part", range(1, PARTS + 1))
def test_the_device_agrees_with_the_cpu(part: int, every: list[CheckUnit], tmp_path: Path) -> None:
    ops = tuple(sorted({unit.op for unit in every if is_core(unit.op)}))
    jobs = len(os.sched_getaffinity(0))
    asked = OperatorSelection(ops=ops, dtypes=DTYPES, samples=4, shard=(part, PARTS), jobs=jobs)
    done = verify(WHERE, tmp_path, asked)
    results = done.results.values()
    assert sum(result.status == "pass" for result in results) > 100
    listed = expected_failures.read(shipped() / "simt" / expected_failures.FILE).operators
    explained = expected_failures.explain(results, listed)
    fallen = [result for result in results if result.status == FALLBACK]
    wrong = [*explained.unknown, *fallen]
    assert not wrong, "\n".join(
        f"{group[0].case.op} {group[0].case.check} {group[0].status}: {group[0].note}"
        for group in grouped(wrong)
    )


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2])
def test_results_of_eight_bits_are_compared(dtype: Any) -> None:
    """8-bit results are rare: PyTorch 2.7 has them in its database for eye."""
    right = torch.tensor([0.0, 1.0]).to(dtype)
    compare(right.clone(), right)
    with pytest.raises(AssertionError):
        compare(torch.tensor([0.0, 64.0]).to(dtype), right)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex64])
def test_gradients_of_logcumsumexp(dtype: Any) -> None:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(4, 700, dtype=dtype, generator=generator)
    slope = torch.linspace(0.5, 1.5, 700).to(dtype)
    found = []
    for device in ("cpu", "simt"):
        leaf = x.to(device).requires_grad_()
        result = leaf.logcumsumexp(1)
        (gradient,) = torch.autograd.grad((result * slope.to(device)).sum().abs(), leaf)
        found.append((result.detach().cpu(), gradient.cpu()))
    for one, other in zip(*found, strict=True):
        compare(one, other)


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
    """Lists of tensors with several shapes: large and small, empty, zero-dimensional, not contiguous."""
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
    expected = function(*to("cpu", given, wider=True), *more)
    for one, other in zip(function(*to("simt", given), *more), expected, strict=True):
        compare(one, other)
    change = getattr(torch, f"{name}_", None)
    if change is not None:
        changed = to("simt", given)
        change(*changed, *more)
        for one, other in zip(changed[0], expected, strict=True):
            compare(one, other)
    assert not torch.simt.metrics()


def test_strides_beyond_two_gigabytes() -> None:
    """Strides over reserved memory, of which only a few pages are accessed."""
    far = (1 << 31) + 5
    wide = torch.empty(far + 16, dtype=torch.int8, device="simt")
    rows = wide.as_strided((2, 3), (far, 2))
    rows.copy_(torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=torch.int8))
    assert rows.cpu().tolist() == [[1, 2, 3], [4, 5, 6]]
    assert (rows * 2).cpu().tolist() == [[2, 4, 6], [8, 10, 12]]
    assert rows.sum(0).cpu().tolist() == [5, 7, 9]
    assert rows.t().contiguous().cpu().tolist() == [[1, 4], [2, 5], [3, 6]]
    assert torch.cat([rows, rows]).cpu().tolist() == [[1, 2, 3], [4, 5, 6]] * 2
