"""Loops along rows give the elements that PyTorch's own kernels give (mappings/simt/loops.yaml).

A thread takes 4096 elements. The shapes have rows that are shorter and longer, and that end within a thread's elements
or within a tile of rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import torch_simt

DEVICE = "simt"
SHAPES = [
    (),
    (1,),
    (3,),
    (4096,),
    (4097,),
    (3, 5000),
    (1000, 7),
    (77, 130),
    (2, 3, 1500),
    (2, 1, 3, 700),
]
TYPES = [
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.half,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex32,
    torch.complex64,
    torch.complex128,
    torch.uint16,
    torch.uint32,
    torch.uint64,
    torch.float8_e4m3fn,
    torch.float8_e5m2,
]


def made(shape: tuple[int, ...], dtype: torch.dtype = torch.float32) -> torch.Tensor:
    generator = torch.Generator().manual_seed(len(shape) + sum(shape))
    return torch.randint(-50, 50, shape, generator=generator).to(dtype)


def check(work: Callable[..., torch.Tensor], *arguments: torch.Tensor) -> None:
    """The results are sums and copies of small integers, and therefore exact."""
    expected = work(*arguments)
    found = work(*(one.to(DEVICE) for one in arguments))
    assert found.stride() == expected.stride()
    assert torch.equal(found.cpu(), expected)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_contiguous_tensors(shape: tuple[int, ...]) -> None:
    a, b = made(shape), made(shape) + 1
    check(torch.add, a, b)
    check(torch.where, a > 0, a, b)
    check(lambda x: torch.full_like(x, 3), a)
    check(lambda x: x.clone().mul_(2).add_(x), a)


@pytest.mark.parametrize(
    "dtype", [torch.uint8, torch.int64, torch.half, torch.float32, torch.float64]
)
def test_limits(dtype: torch.dtype) -> None:
    a = made((5000,), dtype)
    if dtype.is_floating_point:
        a[:6] = torch.tensor([torch.nan, torch.inf, -torch.inf, 0.0, -0.0, 3.0])
    for limits in ({"min": 3}, {"max": 3}, {"min": 2, "max": 5}, {"min": 5, "max": 2}):
        found = torch.clamp(a.to(DEVICE), **limits).cpu()
        torch.testing.assert_close(found, torch.clamp(a, **limits), rtol=0, atol=0, equal_nan=True)
    found = torch.relu(a.to(DEVICE)).cpu()
    torch.testing.assert_close(found, torch.relu(a), rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_broadcasts_and_transposes(shape: tuple[int, ...]) -> None:
    a = made(shape)
    if shape:
        check(torch.add, a, made(shape[-1:]))
        check(torch.add, a, made((*shape[:-1], 1)))
        check(lambda x: x.transpose(0, -1).contiguous(), a)
        check(lambda x: x[..., ::2] + 1, a)
        check(lambda x: x[..., 1:] * x[..., :-1], a)
        check(lambda x: x[..., 1:] * x[..., :-1], a.double())
        check(lambda x: x.flip(-1) + x, a)
    check(lambda x: x.expand(3, *x.shape) + 1, a)


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int64, torch.float64, torch.half])
def test_types_that_are_converted(dtype: torch.dtype) -> None:
    a, b = made((50, 301), dtype), made((50, 301))
    check(torch.add, a, b)
    check(torch.add, b, a)
    check(torch.add, a, b.t().contiguous().t())
    check(lambda x: x[:, ::3].to(torch.float32), a)
    check(lambda x, y: x.clone().add_(y), b, a)
    check(lambda x, y: x.clone().t().add_(y.t()[:, :1]), b, a)
    check(lambda x, y: torch.gt(x, y, out=torch.empty_like(x, dtype=torch.int64)), b, a)
    check(lambda x: x + 1.5, a[:1, 0].view(()))


@pytest.mark.parametrize("target", TYPES, ids=str)
@pytest.mark.parametrize("source", TYPES, ids=str)
def test_every_pair_of_types_is_converted(source: torch.dtype, target: torch.dtype) -> None:
    """A thread converts 256 elements at a time, so that rows of 601 elements end within a part."""
    values = made((7, 601)).remainder(9).to(source)
    if source.is_floating_point:
        values[:, ::5] = 0.5
    wide = torch.complex128 if target.is_complex else torch.float64
    for given in (values, values[:, ::3], values.t()):
        expected = torch.empty(given.shape[0], 2 * given.shape[1], dtype=target)[:, ::2]
        found = torch.empty(given.shape[0], 2 * given.shape[1], dtype=target, device=DEVICE)[:, ::2]
        expected.copy_(given)
        found.copy_(given.to(DEVICE))
        assert torch.equal(found.cpu().to(wide), expected.to(wide))
        assert torch.equal(given.to(DEVICE).to(target).cpu().to(wide), expected.to(wide))


@pytest.mark.parametrize(
    "shape", [(9,), (40, 300), (300, 40), (5, 6, 700), (2, 3, 4, 500)], ids=str
)
def test_selected_slices(shape: tuple[int, ...]) -> None:
    source = made(shape)
    last = len(shape) - 1
    for dimension, size in enumerate(shape):
        moved = {0: last, last: 0}.get(dimension, dimension)
        for count in (1, 5, 40):
            chosen = torch.randint(size, (count,), generator=torch.Generator().manual_seed(count))
            check(lambda x, i, d=dimension: x.index_select(d, i), source, chosen)
            check(lambda x, i, d=moved: x.transpose(0, -1).index_select(d, i), source, chosen)
            check(lambda x, i, d=dimension: x.movedim(d, 0)[i - x.shape[d]], source, chosen)
    check(lambda x, i: x[..., i[:, None], i], made((3, 30, 41)), torch.arange(30))


def test_embeddings() -> None:
    weight, words = made((1000, 64)), torch.arange(4000).remainder(1000).view(40, 100)
    check(lambda w, i: torch.nn.functional.embedding(i, w), weight, words)
    check(lambda w, i: torch.nn.functional.embedding(i.t(), w.half()), weight, words.int())


@pytest.mark.parametrize("dimension", [0, 1, 2])
@pytest.mark.parametrize("size", [3, 70])
def test_concatenations(dimension: int, size: int) -> None:
    parts = [
        made((size, 9, 11)).movedim(0, dimension),
        made((size + 1, 9, 11)).movedim(0, dimension),
    ]
    for chosen in (parts, [part.contiguous() for part in parts], [parts[0], parts[1].int()]):
        check(lambda *given: torch.cat(given, dimension), *chosen)
    check(lambda *given: torch.cat(given), made((5000, 2)), torch.zeros(0), made((4000, 2)))


def test_the_library_does_not_depend_on_the_folder_of_the_checkout() -> None:
    """Otherwise ccache would compile all kernels again in each checkout."""
    library = Path(torch_simt.__file__).parent / "lib" / "libtorch_simt_kernels.so"
    found = set(re.findall(rb"[\w./+-]+\.(?:h|cuh|cu|cpp)(?=\0)", library.read_bytes()))
    assert b"simt_element_loops.h" in found
    assert not {path for path in found if path.startswith((b"/", b"../"))}
