"""Operators whose kernels are launched with few threads on a host, at sizes that are multiples of no block.

    $ SIMT_LAUNCH_SIZES=cuda python launch_sizes.py

prints, as JSON, a line for each result that differs from the CPU's, and the number of compared results.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

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


def results(
    call: Callable[..., Any], arguments: tuple[Any, ...], device: str
) -> list[torch.Tensor]:
    """Results of a call on a device, and the gradients of its arguments, on the CPU."""
    given = [one.detach().to(device).requires_grad_() for one in arguments]
    made = call(*given)
    outs = [one for one in ([made] if isinstance(made, torch.Tensor) else made) if one is not None]
    smooth = [one for one in outs if one.requires_grad]
    weights = [
        torch.linspace(-1, 1, one.numel(), dtype=one.dtype, device="cpu").reshape(one.shape)
        for one in smooth
    ]
    if smooth:
        torch.autograd.backward(smooth, [one.to(device) for one in weights])
    return [
        one.detach().cpu() for one in [*outs, *(one.grad for one in given if one.grad is not None)]
    ]


def main() -> int:
    device = sys.argv[1] if len(sys.argv) > 1 else "simt"
    if device != "cpu":
        __import__(f"torch_{device}")
    torch.manual_seed(1)
    compared = 0
    wrong = []
    for dtype in DTYPES:
        for height in ROWS:
            for width in COLUMNS:
                # Values differ from each other, so that positions of largest values are the same on all devices.
                x = (torch.randperm(height * width).to(dtype) / (height * width) - 0.5).reshape(
                    height, width
                )
                if dtype is torch.float16:  # long sums of halves differ in many digits
                    x = x if x.unique().numel() == x.numel() and width <= 500 else x[:, :0]
                if x.numel() == 0:
                    continue
                for name, call, arguments in [*rows(x), *norms(x)]:
                    ours, theirs = results(call, arguments, device), results(call, arguments, "cpu")
                    relative, absolute = (10 * one for one in TOLERANCES[dtype])
                    compared += len(theirs)
                    for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
                        if one.shape != other.shape or not torch.allclose(
                            one.double(),
                            other.double(),
                            rtol=relative,
                            atol=absolute,
                            equal_nan=True,
                        ):
                            wrong.append(f"{name}, result {index}")
    print(json.dumps({"compared": compared, "wrong": wrong}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
