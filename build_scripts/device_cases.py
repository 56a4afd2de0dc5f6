"""Operators that `bench_device` measures: maps the name of a case to its goal and to its work on a device.

A goal is the largest ratio of the device's time to the CPU's, with one worker and one thread.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

Work = Callable[[], Any]

ELEMENTWISE, REDUCTION, SOFTMAX, NORM, OPTIMISER, INDEXING = 3, 10, 6, 10, 4, 6
NO_GOAL = 0


class Case(NamedTuple):
    """Operator with its goal; 0 if there is none."""

    goal: float
    on: Callable[[str], Work]
    """Creates the work for a device."""


def cases(torch: Any) -> dict[str, Case]:
    """All cases by name; the inputs are the same in every run."""
    return {
        **_elementwise(torch),
        **_reductions(torch),
        **_networks(torch),
        **_indexing(torch),
        **_optimisers(torch),
        **_products(torch),
        **_training(torch),
    }


def _inputs(torch: Any, shapes: tuple[tuple[int, ...], ...]) -> list[Any]:
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(shape, generator=generator) for shape in shapes]


def _forward(
    torch: Any,
    goal: float,
    work: Callable[..., Any],
    *shapes: tuple[int, ...],
    dtype: Any = None,
) -> Case:
    """The forward pass, on floats or on elements of another type."""

    def on(device: str) -> Work:
        here = [tensor.to(device, dtype) for tensor in _inputs(torch, shapes)]
        return lambda: work(*here)

    return Case(goal, on)


def _backward(torch: Any, goal: float, work: Callable[..., Any], *shapes: tuple[int, ...]) -> Case:
    """The backward pass alone: the graph is made once."""

    def on(device: str) -> Work:
        here = [tensor.to(device).requires_grad_() for tensor in _inputs(torch, shapes)]
        result = work(*here)
        gradient = torch.ones_like(result)
        return lambda: torch.autograd.grad(result, here, gradient, retain_graph=True)

    return Case(goal, on)


def _elementwise(torch: Any) -> dict[str, Case]:
    million, small = (1024, 1024), (4096,)
    f = torch.nn.functional
    found = {
        "abs, 1M floats": _forward(torch, ELEMENTWISE, torch.abs, million),
        "add, 1M floats": _forward(torch, ELEMENTWISE, torch.add, million, million),
        "add, 4K floats": _forward(torch, ELEMENTWISE, torch.add, small, small),
        "add of a row, 1M floats": _forward(torch, ELEMENTWISE, torch.add, million, (1024,)),
        "mul, 1M floats": _forward(torch, ELEMENTWISE, torch.mul, million, million),
        "div, 1M floats": _forward(torch, ELEMENTWISE, torch.div, million, million),
        "relu, 1M floats": _forward(torch, ELEMENTWISE, torch.relu, million),
        "where, 1M floats": _forward(
            torch, ELEMENTWISE, lambda x: torch.where(x > 0, x, 0.5), million
        ),
        "eq, 1M floats": _forward(torch, ELEMENTWISE, torch.eq, million, million),
        "copy of a transposed matrix, 1M floats": _forward(
            torch, ELEMENTWISE, lambda x: x.t().contiguous(), million
        ),
        "gelu of a transposed matrix, 1M floats": _forward(
            torch, ELEMENTWISE, lambda x: f.gelu(x.t()), million
        ),
        "float to half, 1M floats": _forward(torch, NO_GOAL, torch.Tensor.half, million),
        "float to bool, 1M floats": _forward(torch, NO_GOAL, torch.Tensor.bool, million),
        "mul, 1M halves": _forward(torch, NO_GOAL, torch.mul, million, million, dtype=torch.half),
        "add of ints and a float, 1M": _forward(
            torch, NO_GOAL, lambda x: x + 0.5, million, dtype=torch.int32
        ),
    }
    for name in ("gelu", "silu"):
        work = getattr(f, name)
        found[f"{name}, 1M floats"] = _forward(torch, ELEMENTWISE, work, million)
        found[f"{name} backward, 1M floats"] = _backward(torch, ELEMENTWISE, work, million)
    for name in ("exp", "tanh", "sigmoid"):
        found[f"{name}, 1M floats"] = _forward(torch, ELEMENTWISE, getattr(torch, name), million)
    return found


def _reductions(torch: Any) -> dict[str, Case]:
    million = (1024, 1024)
    return {
        "sum, 1M floats": _forward(torch, REDUCTION, torch.sum, million),
        "sum, 4K floats": _forward(torch, REDUCTION, torch.sum, (4096,)),
        "mean, 1M floats": _forward(torch, REDUCTION, torch.mean, million),
        "max, 1M floats": _forward(torch, REDUCTION, torch.max, million),
        "sum of rows, 1024 x 1024": _forward(torch, REDUCTION, lambda x: x.sum(1), million),
        "sum of columns, 1024 x 1024": _forward(torch, REDUCTION, lambda x: x.sum(0), million),
        "argmax of rows, 1024 x 1024": _forward(torch, REDUCTION, lambda x: x.argmax(1), million),
        "std of rows, 1024 x 1024": _forward(torch, REDUCTION, lambda x: x.std(1), million),
        "norm, 1M floats": _forward(torch, REDUCTION, torch.linalg.vector_norm, million),
    }


def _networks(torch: Any) -> dict[str, Case]:
    f = torch.nn.functional
    rows, images, heads = (512, 1024), (32, 64, 16, 16), (2, 8, 128, 64)

    def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
        return f.layer_norm(x, (1024,), weight, bias)

    def batch_norm(x: Any, weight: Any, bias: Any) -> Any:
        return f.batch_norm(x, None, None, weight, bias, training=True)

    def cross_entropy(x: Any) -> Any:
        return f.cross_entropy(x, torch.arange(512, device=x.device))

    def convolution(library: str) -> Callable[..., Any]:
        def work(image: Any, weight: Any) -> Any:
            with torch.get_device_module("simt").dnn.use(library):
                return f.conv2d(image, weight)

        return work

    attention = f.scaled_dot_product_attention
    pictures = ((8, 64, 32, 32), (64, 64, 3, 3))
    found = {
        "softmax, 64 x 1500": _forward(torch, SOFTMAX, lambda x: x.softmax(1), (64, 1500)),
        "cross_entropy, 512 x 1024": _forward(torch, SOFTMAX, cross_entropy, rows),
        "scaled_dot_product_attention, 2 x 8 x 128 x 64": _forward(
            torch, NORM, attention, heads, heads, heads
        ),
        "max_pool2d, 32 x 64 x 16 x 16": _forward(
            torch, REDUCTION, lambda x: f.max_pool2d(x, 2), images
        ),
        "conv2d, 8 x 64 x 32 x 32, columns": _forward(
            torch, NO_GOAL, convolution("columns"), *pictures
        ),
        "conv2d, 8 x 64 x 32 x 32, host": _forward(torch, NO_GOAL, convolution("host"), *pictures),
    }
    both: dict[str, tuple[float, Callable[..., Any], tuple[Any, ...]]] = {
        "softmax, 512 x 1024": (SOFTMAX, lambda x: x.softmax(1), (rows,)),
        "log_softmax, 512 x 1024": (SOFTMAX, lambda x: x.log_softmax(1), (rows,)),
        "layer_norm, 512 x 1024": (NORM, layer_norm, (rows, (1024,), (1024,))),
        "batch_norm, 32 x 64 x 16 x 16": (NORM, batch_norm, (images, (64,), (64,))),
    }
    for name, (goal, work, shapes) in both.items():
        operator, _, size = name.partition(", ")
        found[name] = _forward(torch, goal, work, *shapes)
        found[f"{operator} backward, {size}"] = _backward(torch, goal, work, *shapes)
    return found


def _indexing(torch: Any) -> dict[str, Case]:
    matrix, rows = (1024, 256), (512, 1024)

    def indices(x: Any, count: int = 4096) -> Any:
        return torch.arange(count, device=x.device) * 37 % x.shape[0]

    def of(work: Callable[[Any, Any], Any], shape: tuple[int, ...] = matrix) -> Case:
        def on(device: str) -> Work:
            x = _inputs(torch, (shape,))[0].to(device)
            chosen = indices(x)
            return lambda: work(x, chosen)

        return Case(INDEXING, on)

    def scattered(x: Any, chosen: Any) -> Any:
        return torch.zeros_like(x).index_add_(0, chosen, x[:1].expand(chosen.shape[0], -1))

    return {
        "embedding, 4096 of 1024 x 256": of(lambda x, i: torch.nn.functional.embedding(i, x)),
        "index, 4096 of 1024 x 256": of(lambda x, i: x[i]),
        "index_add, 4096 to 1024 x 256": of(scattered),
        "gather, 512 x 1024": _forward(
            torch, INDEXING, lambda x: x.gather(1, x.long().abs() % 1024), rows
        ),
        "sort, 512 x 1024": _forward(torch, INDEXING, lambda x: x.sort(1), rows),
        "topk, 64 x 1024": _forward(torch, INDEXING, lambda x: x.topk(10, 1), (64, 1024)),
        "cumsum, 512 x 1024": _forward(torch, INDEXING, lambda x: x.cumsum(1), rows),
        "cat, 2 x 512 x 1024": _forward(
            torch, INDEXING, lambda x, y: torch.cat((x, y)), rows, rows
        ),
    }


def _optimisers(torch: Any) -> dict[str, Case]:
    def step(make: Callable[[list[Any]], Any]) -> Case:
        def on(device: str) -> Work:
            weights = [
                tensor.to(device).requires_grad_() for tensor in _inputs(torch, ((4096,),) * 64)
            ]
            for weight in weights:
                weight.grad = torch.ones_like(weight)
            return make(weights).step  # type: ignore[no-any-return]

        return Case(OPTIMISER, on)

    def foreach(device: str) -> Work:
        weights = [tensor.to(device) for tensor in _inputs(torch, ((4096,),) * 64)]
        return lambda: torch._foreach_add(weights, 1.0)

    return {
        "_foreach_add, 64 x 4096": Case(OPTIMISER, foreach),
        "SGD foreach, 64 x 4096": step(lambda w: torch.optim.SGD(w, 1e-3, foreach=True)),
        "Adam foreach, 64 x 4096": step(lambda w: torch.optim.Adam(w, foreach=True)),
        "AdamW fused, 64 x 4096": step(lambda w: torch.optim.AdamW(w, fused=True)),
    }


def _products(torch: Any) -> dict[str, Case]:
    return {
        "matmul, 512 x 512": _forward(torch, 1.5, torch.matmul, (512, 512), (512, 512)),
        "bmm, 16 x 128 x 128": _forward(torch, 1.5, torch.bmm, (16, 128, 128), (16, 128, 128)),
        "linear, 256 x 512": _forward(
            torch, 1.5, torch.nn.functional.linear, (256, 512), (512, 512), (512,)
        ),
    }


def _training(torch: Any) -> dict[str, Case]:
    """A step of the example that build_scripts/quickstart trains."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "train"))
    import mlp

    def on(device: str) -> Work:
        torch.manual_seed(0)
        model = mlp.model().to(device)
        batch = tuple(part.to(device) for part in mlp.spirals(torch.Generator().manual_seed(0)))
        optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)

        def step() -> float:
            optimiser.zero_grad()
            loss = mlp.loss(model, batch)
            torch.autograd.backward(loss)
            optimiser.step()
            return float(loss)

        return step

    return {"training step of the quickstart's perceptron": Case(5, on)}
