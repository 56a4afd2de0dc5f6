"""Operators whose kernels are launched with few threads on a host, at sizes that are multiples of no block.

    $ SIMT_LAUNCH_SIZES=cuda python launch_sizes.py

prints, as JSON, a line for each result that differs from the CPU's, and the number of compared results.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F

Case = tuple[str, Callable[..., Any], tuple[Any, ...]]

ROWS = (1, 16, 33)
COLUMNS = (1, 3, 31, 32, 33, 127, 500, 1024, 1025, 1500, 4097)
DTYPES = (torch.float32, torch.float16, torch.float64)
TOLERANCES = {
    torch.float16: (2e-2, 2e-2),
    torch.float32: (2e-5, 1e-4),
    torch.float64: (1e-10, 1e-10),
}
"""Relative and absolute tolerance of a result; of a gradient, tenfold: it sums up to 4,097 rounded terms."""


def rows(x: torch.Tensor) -> Iterator[Case]:
    """Reductions, scans and selections along each dimension."""
    name = f"{tuple(x.shape)} {x.dtype}"
    for dim in (0, 1):
        for what in (
            "sum",
            "mean",
            "amax",
            "argmax",
            "cumsum",
            "logsumexp",
            "std",
            "norm",
            "softmax",
            "log_softmax",
        ):
            if what == "std" and x.shape[dim] == 1:
                continue
            yield (
                f"{what} {dim} {name}",
                lambda t, what=what, dim=dim: getattr(t, what)(dim=dim),
                (x,),
            )
        yield f"cummax {dim} {name}", lambda t, dim=dim: t.cummax(dim=dim), (x,)
        yield f"median {dim} {name}", lambda t, dim=dim: t.median(dim=dim).values, (x,)
        count = min(x.shape[dim], 5)
        yield f"topk {dim} {name}", lambda t, dim=dim, count=count: t.topk(count, dim=dim), (x,)
        yield (
            f"least {dim} {name}",
            lambda t, dim=dim, count=count: t.topk(count, dim=dim, largest=False),
            (x,),
        )
    for what in ("sum", "mean", "max", "argmin", "norm"):
        yield f"{what} {name}", lambda t, what=what: getattr(t, what)(), (x,)
    # A view that begins at no multiple of 16 bytes.
    yield f"softmax, unaligned {name}", lambda t: t[:, 1:].softmax(1) if t.shape[1] > 1 else t, (x,)
    yield f"sum, unaligned {name}", lambda t: t.flatten()[1:].sum(), (x,)


def norms(x: torch.Tensor) -> Iterator[Case]:
    """Normalisations, with gradients of all inputs."""
    name = f"{tuple(x.shape)} {x.dtype}"
    wide = torch.linspace(0.5, 1.5, x.shape[1], dtype=x.dtype)
    yield f"layer_norm {name}", lambda t, w: F.layer_norm(t, t.shape[1:], w, w), (x, wide)
    if x.shape[0] > 1:
        yield (
            f"batch_norm {name}",
            lambda t, w: F.batch_norm(t, None, None, w, w, training=True),
            (x, wide),
        )
    if x.shape[1] % 2 == 0:
        cube = x.reshape(x.shape[0], 2, -1)
        two = wide[:2]
        yield f"group_norm {name}", lambda t, w: F.group_norm(t, 2, w, w), (cube, two)
        yield (
            f"batch_norm {tuple(cube.shape)} {x.dtype}",
            lambda t, w: F.batch_norm(t, None, None, w, w, training=True),
            (cube, two),
        )
        planes = x.reshape(x.shape[0], 2, -1, 1).contiguous(memory_format=torch.channels_last)
        yield (
            f"batch_norm, channels last {name}",
            lambda t, w: F.batch_norm(t, None, None, w, w, training=True),
            (
                planes,
                two,
            ),
        )


def selections() -> Iterator[Case]:
    """Selections among integers, equal elements, infinities and NaN. Any of equal elements may have the gradient."""
    for dtype in (torch.int8, torch.uint8, torch.int16, torch.int64, torch.bfloat16):
        x = (torch.arange(7 * 301) * 37 % 251 - (0 if dtype is torch.uint8 else 120)).to(dtype)
        x = x.reshape(7, 301)
        for k in (1, 2, 150, 301):
            yield f"topk {k} {dtype}", lambda t, k=k: t.detach().topk(k).values, (x,)
            yield f"kthvalue {k} {dtype}", lambda t, k=k: t.detach().kthvalue(k).values, (x,)
    special = torch.tensor([[1.0, torch.nan, -torch.inf, torch.inf, -0.0, 0.0, 2.0, 2.0]])
    for k in range(1, 9):
        yield f"topk {k}, special", lambda t, k=k: t.detach().topk(k).values, (special,)
        yield (
            f"least {k}, special",
            lambda t, k=k: t.detach().topk(k, largest=False).values,
            (special,),
        )


def optimizers() -> Iterator[Case]:
    """Steps of fused optimizers, of tensors with and without a multiple of four elements and with several chunks."""
    for optimizer in (torch.optim.AdamW, torch.optim.Adam, torch.optim.SGD):
        for amsgrad in (False, True) if optimizer is torch.optim.Adam else (False,):
            yield (
                f"{optimizer.__name__} amsgrad={amsgrad}",
                lambda *given, optimizer=optimizer, amsgrad=amsgrad: stepped(
                    given, optimizer, **({"amsgrad": True} if amsgrad else {})
                ),
                tuple(torch.linspace(-1, 1, size) for size in (1, 4, 1000, 1003, 65536, 70001)),
            )


def stepped(given: tuple[torch.Tensor, ...], optimizer: Any, **options: bool) -> list[torch.Tensor]:
    """Copies of tensors after three steps of a fused optimizer."""
    parameters = [one.detach().clone() for one in given]
    for index, one in enumerate(parameters):
        one.grad = (one * (index + 1)).cos()
    steps = optimizer(parameters, lr=0.01, weight_decay=0.1, fused=True, **options)
    for _ in range(3):
        steps.step()
    return parameters


class Results(NamedTuple):
    """Results of a call, and the gradients of its arguments, on the CPU."""

    values: list[torch.Tensor]
    gradients: list[torch.Tensor]


def results(call: Callable[..., Any], arguments: tuple[Any, ...], device: str) -> Results:
    """Results of a call on a device."""
    given = [one.detach().to(device).requires_grad_(one.is_floating_point()) for one in arguments]
    made = call(*given)
    outs = [made] if isinstance(made, torch.Tensor) else list(made)
    smooth = [one for one in outs if one.requires_grad]
    weights = [
        torch.linspace(-1, 1, one.numel(), dtype=one.dtype).reshape(one.shape) for one in smooth
    ]
    if smooth:
        torch.autograd.backward(smooth, [one.to(device) for one in weights])
    gradients = [one.grad for one in given if one.grad is not None]
    return Results([one.detach().cpu() for one in outs], [one.cpu() for one in gradients])


def different(
    ours: list[torch.Tensor], theirs: list[torch.Tensor], relative: float, absolute: float
) -> list[int]:
    """Indices of the tensors that differ by more than the tolerances."""
    return [
        index
        for index, (one, other) in enumerate(zip(ours, theirs, strict=True))
        if one.shape != other.shape
        or not torch.allclose(one.double(), other.double(), relative, absolute, equal_nan=True)
    ]


def inputs() -> Iterator[torch.Tensor]:
    """Matrices of different values: the position of the largest value is then the same on all devices."""
    for dtype in DTYPES:
        for height in ROWS:
            for width in COLUMNS:
                count = height * width
                x = torch.randperm(count).to(dtype) / count - 0.5
                # Halves have too few values for large matrices, and their long sums differ in many digits.
                if dtype is not torch.float16 or (width <= 500 and x.unique().numel() == count):
                    yield x.reshape(height, width)


def main() -> int:
    """Compare the device's results with the CPU's, and print JSON."""
    __import__("torch_simt")
    torch.manual_seed(1)
    compared = 0
    wrong = []
    groups = [*((x.dtype, [*rows(x), *norms(x)]) for x in inputs())]
    groups.append((torch.float32, [*selections(), *optimizers()]))
    for dtype, cases in groups:
        relative, absolute = TOLERANCES[dtype]
        for name, call, arguments in cases:
            ours, theirs = results(call, arguments, "simt"), results(call, arguments, "cpu")
            compared += len(theirs.values) + len(theirs.gradients)
            for index in different(ours.values, theirs.values, relative, absolute):
                wrong.append(f"{name}, result {index}")
            for index in different(ours.gradients, theirs.gradients, 10 * relative, 10 * absolute):
                wrong.append(f"{name}, gradient {index}")
    print(json.dumps({"compared": compared, "wrong": wrong}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
