"""Calls of PyTorch's kernels that its operator database does not launch, or not with these shapes.

Each function launches the kernels of one subject on the device `simt`. `import torch_simt` precedes this module.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

torch: Any = importlib.import_module("torch")
F = torch.nn.functional

DEVICE = "simt"
Call = Callable[[], object]


def normal(*shape: int) -> Any:
    """Leaf with normally distributed values."""
    return torch.randn(*shape, device=DEVICE, requires_grad=True)


def both_ways(result: Any) -> None:
    """Run backward after the forward call that made the result."""
    result.sum().backward()


def steps(kind: Callable[..., Any], **options: Any) -> None:
    """Two steps of a fused optimizer, one tensor with vectors of four elements and one without."""
    parameters = [
        torch.nn.Parameter(normal(37).detach()),
        torch.nn.Parameter(normal(300, 70).detach()),
    ]
    optimizer = kind(parameters, lr=0.1, fused=True, **options)
    for _ in range(2):
        for one in parameters:
            one.grad = torch.randn_like(one)
        optimizer.step()


def gradient_scaling() -> None:
    """Kernels of GradScaler."""
    found, inverse = torch.zeros((), device=DEVICE), torch.full((), 0.5, device=DEVICE)
    for gradients in ([normal(1000).detach(), normal(7).detach()], [normal(8).detach().double()]):
        torch._amp_foreach_non_finite_check_and_unscale_(gradients, found, inverse)
    growth = torch.zeros((), dtype=torch.int32, device=DEVICE)
    torch._amp_update_scale_(torch.ones((), device=DEVICE), growth, found, 2.0, 0.5, 2000)


def weight_norms() -> None:
    """Over the first and over the last dimension, whose size is no multiple of the block's."""
    both_ways(torch._weight_norm(normal(40, 50), normal(40, 1), 0))
    both_ways(torch._weight_norm(normal(40, 50), normal(1, 50), 1))


def distributions() -> None:
    """Random numbers of distributions, with gradients."""
    p = torch.rand(50, 30, device=DEVICE)
    torch.poisson(p * 5)
    torch.binomial(torch.full_like(p, 10.0), p)
    for replacement in (True, False):
        torch.multinomial(p, 5, replacement=replacement)
    both_ways(torch.distributions.Dirichlet((p + 0.5).requires_grad_()).rsample())
    both_ways(torch.distributions.Gamma((p + 0.5).requires_grad_(), 1.0).rsample())


def convolutions() -> None:
    """Depthwise, transposed and dilated convolutions."""
    both_ways(F.conv2d(normal(2, 6, 9, 9), normal(6, 1, 3, 3), normal(6), padding=1, groups=6))
    both_ways(F.conv3d(normal(2, 4, 5, 6, 7), normal(4, 1, 3, 3, 3), padding=1, groups=4))
    for dimensions, name in ((2, "2d"), (3, "3d")):
        small, large = [3] * dimensions, [7] * dimensions
        two, one = [2] * dimensions, [1] * dimensions
        transposed = getattr(torch.ops.aten, f"slow_conv_transpose{name}")
        weight = normal(3, 4, *small)
        both_ways(transposed(normal(2, 3, *large), weight, small, normal(4), two))
        dilated = getattr(torch.ops.aten, f"slow_conv_dilated{name}")
        weight = normal(4, 3, *small)
        both_ways(
            dilated(normal(2, 3, *large), weight, small, normal(4), one, [0] * dimensions, two)
        )


def resizing() -> None:
    """Nearest neighbours in two and three dimensions."""
    for mode in ("nearest", "nearest-exact"):
        both_ways(F.interpolate(normal(2, 3, 5, 7), scale_factor=2.3, mode=mode))
        both_ways(F.interpolate(normal(2, 3, 4, 5, 6), scale_factor=1.7, mode=mode))
        last = normal(2, 8, 5, 7).detach().to(memory_format=torch.channels_last).requires_grad_()
        both_ways(F.interpolate(last, scale_factor=2, mode=mode))


def sparse_matrices() -> None:
    """Products and softmax of sparse matrices."""
    left, right = (
        (normal(*shape).detach() * (torch.rand(*shape, device=DEVICE) > 0.7)).to_sparse()
        for shape in ((20, 30), (30, 25))
    )
    torch.sparse.mm(left, right)
    torch.sparse.softmax(left, 1)
    torch.addmm(normal(20, 5), left, normal(30, 5))


def nested_tensors() -> None:
    """Elementwise operators and products of nested tensors."""
    rows = [torch.randn(3, 8), torch.randn(5, 8)]
    nested = torch.nested.nested_tensor(rows, device=DEVICE)
    nested + nested
    nested * normal(2, 1, 8).detach()
    nested @ torch.nested.nested_tensor([torch.randn(8, 4), torch.randn(8, 6)], device=DEVICE)


def quantization() -> None:
    """Quantized and fake-quantized tensors."""
    x, scale = normal(64, 20), torch.full((20,), 0.1, device=DEVICE)
    zero = torch.zeros(20, dtype=torch.int32, device=DEVICE)
    both_ways(torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -128, 127))
    both_ways(torch.fake_quantize_per_channel_affine(x, scale, zero, 1, -128, 127))
    learnt = (normal(20).detach().abs().requires_grad_(), normal(20))
    both_ways(torch._fake_quantize_learnable_per_channel_affine(x, *learnt, 1, -128, 127, 1.0))
    whole = torch.quantize_per_tensor(x.detach(), 0.1, 3, torch.quint8)
    torch._make_per_tensor_quantized_tensor(whole.int_repr(), 0.1, 3)
    one = torch.ones(1, device=DEVICE)
    least, most = torch.full_like(one, float("inf")), torch.full_like(one, -float("inf"))
    torch.fused_moving_avg_obs_fake_quant(
        *(x.detach(), one.long(), one.long(), least, most, one, one.int()), 0.01, 0, 255, 0
    )
    torch.quantize_per_channel(x.detach(), scale.double(), zero.long(), 1, torch.qint8).dequantize()


def others() -> None:
    """Sets, orders and positions."""
    numbers = torch.randint(0, 20, (3000,), device=DEVICE)
    torch.unique(numbers, return_inverse=True, return_counts=True)
    torch.unique(numbers.view(300, 10) % 2, dim=0, return_inverse=True, return_counts=True)
    torch.tril_indices(5, 6, device=DEVICE)
    torch.randperm(3000, device=DEVICE)
    torch.gcd(numbers, numbers.flip(0))


CALLS: dict[str, Call] = {
    "Adam": partial(steps, torch.optim.Adam),
    "Adam, amsgrad": partial(steps, torch.optim.Adam, amsgrad=True),
    "AdamW": partial(steps, torch.optim.AdamW),
    "AdamW, amsgrad": partial(steps, torch.optim.AdamW, amsgrad=True),
    "SGD": partial(steps, torch.optim.SGD),
    "SGD, momentum": partial(steps, torch.optim.SGD, momentum=0.9, nesterov=True),
    "gradient scaling": gradient_scaling,
    "weight norms": weight_norms,
    "distributions": distributions,
    "convolutions": convolutions,
    "resizing": resizing,
    "sparse matrices": sparse_matrices,
    "nested tensors": nested_tensors,
    "quantization": quantization,
    "others": others,
}
"""Maps the subject to its calls."""
