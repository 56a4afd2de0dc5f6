"""Scaled dot product attention by PyTorch's kernels and by a library of seam `dnn`."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from dnn_layers import LIBRARIES, agree, check, computed_by, gradients

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

DTYPES = [torch.float32, torch.float64, torch.bfloat16, torch.float16]
SDPBackend = torch.nn.attention.SDPBackend
attention = torch.nn.functional.scaled_dot_product_attention


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Any:
    return request.param


def made(
    queries: int = 5,
    keys: int = 7,
    features: int = 8,
    dtype: Any = torch.float32,
    heads: int = 3,
    grad: bool = True,
) -> list[Any]:
    torch.manual_seed(0)
    return [
        torch.randn(2, heads, length, features, dtype=dtype, requires_grad=grad)
        for length in (queries, keys, keys)
    ]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("lengths", [(5, 7), (7, 5), (1, 9), (40, 40)], ids=str)
def test_results_agree_with_the_cpu(
    library: str, lengths: tuple[int, int], causal: bool, dtype: Any
) -> None:
    check(
        "attention",
        library,
        lambda *given: [attention(*given, is_causal=causal)],
        made(*lengths, dtype=dtype),
        dtype,
    )


@pytest.mark.parametrize("scale", [0.3, 1.0, 2.5])
def test_a_scale(library: str, scale: float) -> None:
    check(
        "attention", library, lambda *given: [attention(*given, scale=scale)], made(), torch.float32
    )


@pytest.mark.parametrize(
    "sizes", [(5, 7), (1, 7), (2, 1, 5, 7), (1, 3, 1, 7), (2, 3, 5, 7), (2, 3, 5, 1)], ids=str
)
@pytest.mark.parametrize("boolean", [False, True])
def test_masks(library: str, sizes: tuple[int, ...], boolean: bool) -> None:
    given = made()
    mask = torch.randn(sizes)
    if boolean:
        mask = mask > -0.5
        mask[..., 0] = True  # every query sees a key
    check(
        "attention",
        library,
        lambda q, k, v, mask: [attention(q, k, v, attn_mask=mask)],
        [*given, mask],
        torch.float32,
    )


@pytest.mark.parametrize(
    "wanted", [(True, False, False), (False, True, False), (False, False, True)]
)
def test_some_gradients(library: str, wanted: tuple[bool, ...]) -> None:
    given = [
        tensor.detach().requires_grad_(grad) for tensor, grad in zip(made(), wanted, strict=True)
    ]
    check("attention", library, lambda *given: [attention(*given)], given, torch.float32)


def test_heads_that_are_views(library: str) -> None:
    torch.manual_seed(0)
    embedded = torch.randn(2, 6, 3 * 4 * 8, requires_grad=True)

    def layer(x: Any) -> list[Any]:
        parts = x.unflatten(2, (3, 4, 8)).permute(2, 0, 3, 1, 4)
        return [
            attention(parts[0], parts[1], parts[2].transpose(2, 3).contiguous().transpose(2, 3))
        ]

    check("attention", library, layer, [embedded], torch.float32)


def test_a_library_computes_its_own_gradients() -> None:
    given = made()
    expected = gradients([attention(*given)], given)
    device = [tensor.detach().to("simt").requires_grad_() for tensor in given]
    with torch.simt.dnn.use("host"):
        result = attention(*device)
    with torch.simt.dnn.use("columns"):
        found = gradients([result], device)
    agree(found, expected, torch.float32)


LEFT_TO_PYTORCH = {
    "dropout": (lambda q, k, v: attention(q, k, v, dropout_p=1.0), made),
    "other sizes of the values": (
        lambda q, k, v: attention(q, k, v[..., :4]),
        made,
    ),
    "three dimensions": (lambda q, k, v: attention(q[0], k[0], v[0]), made),
    "grouped heads": (
        lambda q, k, v: attention(q, k[:, :1], v[:, :1], enable_gqa=True),
        made,
    ),
    "a mask with a gradient": (
        lambda q, k, v: attention(q, k, v, attn_mask=q[..., :1].expand(2, 3, 5, 7)),
        made,
    ),
}


@pytest.mark.parametrize("case", LEFT_TO_PYTORCH)
def test_pytorchs_kernels_compute_other_cases(case: str) -> None:
    layer, inputs = LEFT_TO_PYTORCH[case]
    given = inputs()
    device = [tensor.detach().to("simt").requires_grad_() for tensor in given]
    expected = layer(*given)
    before = torch.simt.dnn.calls()["attention"]
    with torch.simt.dnn.use("host"):
        found = layer(*device)
        found_gradients = gradients([found], device)
    after = torch.simt.dnn.calls()["attention"]
    assert after == {**before, "pytorch": before["pytorch"] + 1}
    agree([found, *found_gradients], [expected, *gradients([expected], given)], torch.float32)


@pytest.mark.parametrize("sizes", [(0, 5, 7), (2, 0, 7), (2, 5, 0)], ids=str)
def test_empty_tensors(library: str, sizes: tuple[int, int, int]) -> None:
    batch, queries, keys = sizes
    given = [torch.ones(batch, 3, length, 8) for length in (queries, keys, keys)]
    expected = attention(*given)
    with torch.simt.dnn.use(library):
        found = attention(*(tensor.to("simt") for tensor in given))
    agree([found], [expected], torch.float32)


@pytest.mark.parametrize(
    ("permitted", "computes"),
    [
        ([SDPBackend.MATH], "pytorch"),
        ([SDPBackend.OVERRIDEABLE], "host"),
        ([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION], "host"),
    ],
    ids=str,
)
def test_the_program_permits_kernels(permitted: list[Any], computes: str) -> None:
    given = [tensor.to("simt") for tensor in made(grad=False)]
    before = torch.simt.dnn.calls()["attention"]
    with torch.simt.dnn.use("host"), torch.nn.attention.sdpa_kernel(permitted):
        attention(*given)
    after = torch.simt.dnn.calls()["attention"]
    assert after == {**before, computes: before[computes] + 1}


def test_the_flag_of_the_devices_own_operator() -> None:
    given = [tensor.to("simt") for tensor in made(grad=False)]
    before = torch.simt.dnn.calls()["attention"]
    with torch.simt.dnn.use("host"), contextlib.ExitStack() as stack:
        torch._C._set_sdp_use_overrideable(False)
        stack.callback(torch._C._set_sdp_use_overrideable, True)
        attention(*given)
    assert torch.simt.dnn.calls()["attention"]["pytorch"] == before["pytorch"] + 1


def test_the_operator_without_a_library() -> None:
    given = [tensor.to("simt") for tensor in made(grad=False)]
    with pytest.raises(NotImplementedError, match="'columns' does not compute this attention"):
        torch.ops.aten._scaled_dot_product_fused_attention_overrideable(*given)


def test_a_transformer(library: str) -> None:
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(12, 3, 16, dropout=0.0, batch_first=True)
    given = torch.randn(2, 5, 12, requires_grad=True)
    expected = layer(given)
    expected_gradients = gradients([expected], [given, *layer.parameters()])
    layer, device = layer.to("simt"), given.detach().to("simt").requires_grad_()
    with computed_by("attention", library):
        found = layer(device)
        found_gradients = gradients([found], [device, *layer.parameters()])
    agree([found, *found_gradients], [expected, *expected_gradients], torch.float32)


def test_transformations_and_graphs_are_left_to_pytorch() -> None:
    given = [tensor.to("simt") for tensor in made(grad=False)]
    expected = attention(*given)
    with torch.simt.dnn.use("host"):
        mapped = torch.vmap(attention)(*given)
        graph = torch.compile(attention, backend="aot_eager", fullgraph=True)(*given)
    torch.testing.assert_close(mapped, expected)
    torch.testing.assert_close(graph, expected)


def test_attention_on_the_second_device() -> None:
    given = made(grad=False)
    expected = attention(*given)
    with computed_by("attention", "host"):
        found = attention(*(tensor.to("simt:1") for tensor in given))
    assert found.device == torch.device("simt:1")
    agree([found], [expected], torch.float32)
