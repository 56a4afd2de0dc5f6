"""Comparison of the operators with PyTorch's own: eager, with gradients, and in graphs."""

import os

import example_ops
import pytest
import torch

DEVICE = os.environ.get("PORTER_DEVICE", "simt")
DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
ops = torch.ops.example_ops


@pytest.fixture(autouse=True)
def data_dependent_sizes():
    """Context in which graphs may contain data-dependent sizes."""
    torch.manual_seed(0)
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        torch._dynamo.reset()
        yield


def made(*shape, dtype=torch.float32, grad=False):
    return torch.randn(shape).to(dtype).to(DEVICE).requires_grad_(grad)


def same(result, expected):
    torch.testing.assert_close(result.cpu(), expected.cpu())


# -- eager


def test_add_custom():
    """Add 8 rows of 2,048 halves, as in the first example of many vendors' guides."""
    x, y = made(8, 2048, dtype=torch.float16), made(8, 2048, dtype=torch.float16)
    example_ops.reset_calls()
    same(example_ops.add_custom(x, y), x.cpu() + y.cpu())
    assert example_ops.calls()["add_custom"] == 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(0,), (1,), (127,), (129, 3), (8, 2048)])
def test_add_custom_of_any_shape(shape, dtype):
    x, y = made(*shape, dtype=dtype), made(*shape, dtype=dtype)
    same(example_ops.add_custom(x, y), x.cpu() + y.cpu())
    x, y = x.movedim(0, -1), y.movedim(0, -1)
    same(example_ops.add_custom(x, y), x.cpu() + y.cpu())


def test_what_a_kernel_refuses():
    with pytest.raises(RuntimeError, match=r"add_custom: shapes \[3\] and \[4\]"):
        example_ops.add_custom(made(3), made(4))
    with pytest.raises(RuntimeError, match="same device"):
        example_ops.add_custom(made(3), torch.zeros(3))


def test_the_profiler_has_a_range_for_each_call():
    x = made(3, grad=True)
    # Warm-up: in `porter op test`, the first call of each kind also runs the fake kernel.
    example_ops.scale(x, 3.0).sum().backward()
    with torch.profiler.profile() as profiled:
        example_ops.scale(x, 3.0).sum().backward()
    counts = {event.key: event.count for event in profiled.key_averages()}
    assert counts["example_ops::scale"] == 1
    # The autograd node calls the gradient operator.
    assert counts["example_ops::scale_backward"] == 1
    assert counts["ScaleBackward0"] == 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_scale_and_the_forms_that_follow_from_it(dtype):
    x = made(5, 7, dtype=dtype)
    expected = x.cpu() * 3
    same(example_ops.scale(x, 3), expected)
    same(example_ops.scale(x.cpu(), 3), expected)
    # The result has the strides of the argument.
    assert example_ops.scale(x.T, 3).stride() == x.T.stride()
    out = torch.empty(0, dtype=dtype, device=DEVICE)
    assert example_ops.scale(x, 3, out=out) is out
    same(out, expected)
    assert example_ops.scale_(x, 3) is x
    same(x, expected)


def test_clamp_low_in_place_and_on_a_copy():
    x = made(50)
    expected = x.cpu().clamp(min=0.5)
    same(example_ops.clamp_low(x, 0.5), expected)
    version = x._version
    assert example_ops.clamp_low_(x, 0.5) is x
    assert x._version == version + 1
    same(x, expected)


def test_accumulate():
    total, x = made(4, 5), made(5)
    expected = total.cpu() + x.cpu()
    assert example_ops.accumulate(total, x) is None
    same(total, expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1,), (3, 5), (2, 3, 300), (0, 4)])
def test_min_max(shape, dtype):
    x = made(*shape, dtype=dtype)
    low, high = example_ops.min_max(x)
    same(low, x.cpu().amin(-1))
    same(high, x.cpu().amax(-1))


def test_weighted_sum():
    xs, bias = [made(3, 4), made(3, 4), made(3, 4)], made(3, 4)
    expected = sum(weight * x.cpu() for weight, x in zip((1.0, -2.0, 0.5), xs, strict=True))
    same(example_ops.weighted_sum(xs, [1.0, -2.0, 0.5]), expected)
    same(example_ops.weighted_sum(xs, [1.0, -2.0, 0.5], bias), expected + bias.cpu())


def test_positives():
    x = made(1000)
    same(example_ops.positives(x), x.cpu()[x.cpu() > 0])
    assert example_ops.positives(-x.abs()).shape == (0,)


def test_results_in_tensors_that_are_there():
    x, y = made(4, 6), made(4, 6)
    z, low, high = (torch.empty(0, device=DEVICE) for _ in range(3))
    assert example_ops.add_custom(x, y, out=z) is z
    same(z, x.cpu() + y.cpu())
    assert all(map(torch.Tensor.is_set_to, example_ops.min_max(x, out=(low, high)), (low, high)))
    same(high, x.cpu().amax(-1))
    example_ops.weighted_sum([x, y], [1.0, -1.0], out=z)
    same(z, x.cpu() - y.cpu())
    with pytest.raises(
        RuntimeError, match=r"scale\.out has no backward pass, and 'self' requires grad"
    ):
        example_ops.scale(made(3, grad=True), out=z)


# -- gradients


def test_gradients_are_those_of_finite_differences():
    xs = [made(3, 4, dtype=torch.float64, grad=True) for _ in range(2)]
    bias = made(3, 4, dtype=torch.float64, grad=True)
    check = torch.autograd.gradcheck
    assert check(example_ops.add_custom, xs)
    assert check(example_ops.scale, (xs[0], 3.0))
    assert check(example_ops.min_max, (xs[0],))
    assert check(
        lambda *tensors: example_ops.weighted_sum(tensors[:2], [2.0, 3.0], tensors[2]), (*xs, bias)
    )
    assert check(lambda x: example_ops.scale_(x.clone(), 3.0), (xs[0],))


def test_what_has_no_gradient_says_so():
    x = made(3, grad=True)
    assert not example_ops.positives(x).requires_grad
    with pytest.raises(
        RuntimeError, match="clamp_low_ has no backward pass, and 'self' requires grad"
    ):
        example_ops.clamp_low_(x.clone())
    with pytest.raises(NotImplementedError, match="clamp_low has no backward pass"):
        example_ops.clamp_low(x).sum().backward()


# -- graphs


def model(x, y):
    """Model that calls all operators one after another."""
    total = example_ops.add_custom(x, y)
    example_ops.accumulate(total, example_ops.scale(x, 0.5))
    low, high = example_ops.min_max(total)
    sum = example_ops.weighted_sum([low, high], [1.0, 2.0], low)
    return example_ops.clamp_low_(sum.clone()), example_ops.scale_(total, 2.0), total


@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
@pytest.mark.parametrize("dynamic", [False, True])
def test_a_compiled_model(backend, dynamic):
    compiled = torch.compile(model, backend=backend, fullgraph=True, dynamic=dynamic)
    for rows in (3, 4, 5):
        x, y = made(rows, 6), made(rows, 6)
        for result, expected in zip(compiled(x, y), model(x, y), strict=True):
            same(result, expected)


def test_a_model_that_is_recorded():
    compiled = torch.compile(model, mode="reduce-overhead", fullgraph=True)
    for _ in range(3):
        x, y = made(3, 6), made(3, 6)
        for result, expected in zip(compiled(x, y), model(x, y), strict=True):
            same(result, expected)


def test_gradients_of_a_compiled_model():
    def loss(x, y):
        return sum(
            part.sum()
            for part in example_ops.min_max(example_ops.scale(example_ops.add_custom(x, y), 3.0))
        )

    compiled = torch.compile(loss, backend="aot_eager", fullgraph=True)
    x, y = made(3, 6, grad=True), made(3, 6, grad=True)
    compiled(x, y).backward()
    found = x.grad, y.grad
    x.grad = y.grad = None
    loss(x, y).backward()
    same(found[0], x.grad)
    same(found[1], y.grad)


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_sizes_that_the_data_decides(backend):
    compiled = torch.compile(
        lambda x: example_ops.positives(x) * 2, backend=backend, fullgraph=True
    )
    for _ in range(3):
        x = made(20)
        same(compiled(x), example_ops.positives(x) * 2)


def test_an_exported_model():
    class Model(torch.nn.Module):
        def forward(self, x, y):
            return model(x, y)

    rows = torch.export.Dim("rows", min=2)
    given = made(3, 6), made(3, 6)
    exported = torch.export.export(Model(), given, dynamic_shapes={"x": {0: rows}, "y": {0: rows}})
    for program in (exported, exported.run_decompositions()):
        x, y = made(5, 6), made(5, 6)
        for result, expected in zip(program.module()(x, y), model(x, y), strict=True):
            same(result, expected)


# -- opcheck


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("add_custom", lambda: (made(8, 2048), made(8, 2048))),
        ("scale", lambda: (made(3, 4), 2.0)),
        ("scale.out", lambda: (made(3, 4), 2.0)),
        ("scale_", lambda: (made(3, 4), 2.0)),
        ("scale_backward", lambda: (made(3, 4), 2.0)),
        ("clamp_low_", lambda: (made(3, 4), 0.5)),
        ("clamp_low", lambda: (made(3, 4), 0.5)),
        ("accumulate", lambda: (made(3, 4), made(3, 4))),
        ("min_max", lambda: (made(3, 4),)),
        ("min_max_backward", lambda: (made(3), made(3), made(3, 4), made(3), made(3))),
        ("weighted_sum", lambda: ([made(3), made(3)], [1.0, 2.0], None)),
        ("weighted_sum", lambda: ([made(3), made(3)], [1.0, 2.0], made(3))),
        ("positives", lambda: (made(9),)),
    ],
)
def test_opcheck(name, arguments):
    packet, _, overload = name.partition(".")
    op = getattr(getattr(ops, packet), overload or "default")
    named = {"out": made(3, 4)} if overload == "out" else {}
    torch.library.opcheck(op, arguments(), named)


def test_opcheck_with_gradients():
    """Run opcheck's gradient checks on the CPU, because opcheck runs them on CUDA and the CPU only."""
    torch.library.opcheck(ops.scale.default, (torch.randn(3, requires_grad=True), 2.0))
