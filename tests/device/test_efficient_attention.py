"""Memory-efficient attention: results and gradients agree with attention of composed operators on the CPU."""

from __future__ import annotations

import math
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: E402

if not hasattr(SDPBackend, "OVERRIDEABLE"):
    pytest.skip("the kernels exist for PyTorch 2.6 and newer", allow_module_level=True)

TOLERANCE = {torch.float32: 1e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def made(dtype: Any, device: str, queries: int = 5, keys: int = 7) -> list[Any]:
    generator = torch.Generator().manual_seed(0)
    shapes = [(2, 3, length, 8) for length in (queries, keys, keys)]
    values = [torch.randn(shape, generator=generator).to(dtype) for shape in shapes]
    return [
        value.to(device, torch.float64 if device == "cpu" else dtype).requires_grad_()
        for value in values
    ]


def attention(tensors: list[Any], mask: Any = None, **options: Any) -> list[Any]:
    """Result, and gradients of query, key and value."""
    out = torch.nn.functional.scaled_dot_product_attention(*tensors, attn_mask=mask, **options)
    out.backward(
        torch.linspace(-1, 1, out.numel(), dtype=out.dtype, device=out.device).view(out.shape)
    )
    return [out, *(tensor.grad for tensor in tensors)]


@pytest.mark.parametrize("dtype", list(TOLERANCE), ids=str)
@pytest.mark.parametrize(
    "options", [{}, {"is_causal": True}, {"scale": 0.3}, {"mask": True}], ids=str
)
@pytest.mark.parametrize("lengths", [(5, 7), (7, 5), (1, 9), (40, 40)], ids=str)
def test_results_agree_with_the_cpu(
    lengths: tuple[int, int], options: dict[str, Any], dtype: Any
) -> None:
    options = dict(options)
    mask = None
    if options.pop("mask", False):
        mask = torch.randn(lengths, generator=torch.Generator().manual_seed(1)).to(dtype)
    expected = attention(
        made(dtype, "cpu", *lengths), None if mask is None else mask.double(), **options
    )
    with sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION), torch.simt.no_fallback():
        found = attention(
            made(dtype, "simt", *lengths), None if mask is None else mask.to("simt"), **options
        )
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == dtype
        tolerance = TOLERANCE[dtype]
        torch.testing.assert_close(one.cpu().double(), other, rtol=tolerance, atol=tolerance)


def test_the_logarithms_of_the_sums_are_padded_as_on_cuda() -> None:
    query, key, value = (tensor.detach() for tensor in made(torch.float32, "simt"))
    out, sums, _, _ = torch.ops.aten._scaled_dot_product_efficient_attention(
        query, key, value, None, True
    )
    assert sums.shape == (2, 3, 32)
    assert sums[..., 5:].isinf().all()
    scores = query.cpu() @ key.cpu().mT / math.sqrt(8)
    torch.testing.assert_close(sums[..., :5].cpu(), scores.logsumexp(-1))
    assert out.transpose(1, 2).is_contiguous()
    without = torch.ops.aten._scaled_dot_product_efficient_attention(query, key, value, None, False)
    assert without[1].shape == (2, 3, 0)


def test_gradients_have_the_layout_that_views_need() -> None:
    tensors = made(torch.float32, "simt")
    with sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION):
        out = torch.nn.functional.scaled_dot_product_attention(*tensors)
        # The gradients that backward() stores have the layout of the leaves.
        for gradient in torch.autograd.grad(out.sum(), tensors):
            assert gradient.transpose(1, 2).is_contiguous()


def test_a_query_that_sees_no_key_has_the_result_0() -> None:
    query, key, value = (tensor.detach() for tensor in made(torch.float32, "simt"))
    mask = torch.zeros(5, 7, device="simt")
    mask[2] = -math.inf
    with sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION):
        out = torch.nn.functional.scaled_dot_product_attention(query, key, value, mask)
    assert (out[:, :, 2] == 0).all()
    assert not out.isnan().any()


def test_dropout_is_that_of_the_seed_and_the_gradient_has_the_same_dropout() -> None:
    def run() -> list[Any]:
        torch.manual_seed(3)
        tensors = made(torch.float32, "simt", 64, 64)
        with sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION):
            return attention(tensors, dropout_p=0.25)

    first, second = run(), run()
    for one, other in zip(first, second, strict=True):
        assert torch.equal(one, other)
    # The result is linear in the value: the gradient of the value gives it back.
    query, key, value = made(torch.float32, "simt", 64, 64)
    with sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION):
        out = torch.nn.functional.scaled_dot_product_attention(query, key, value, dropout_p=0.25)
        factor = torch.randn_like(out)
        (out * factor).sum().backward()
    torch.testing.assert_close(
        (value.grad * value).sum(), (out * factor).sum(), rtol=1e-4, atol=1e-4
    )


def test_without_a_choice_composed_operators_compute_the_attention() -> None:
    query, key, value = made(torch.float32, "simt")
    assert torch._fused_sdp_choice(query, key, value) == SDPBackend.MATH.value
    with sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION):
        assert torch._fused_sdp_choice(query, key, value) == SDPBackend.EFFICIENT_ATTENTION.value
    with (
        sdpa_kernel(SDPBackend.FLASH_ATTENTION),
        pytest.raises(RuntimeError, match="No available kernel"),
    ):
        torch._fused_sdp_choice(query, key, value)
