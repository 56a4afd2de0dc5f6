"""Plugin of pytest: compares the fake kernel and the real kernel of every operator that a test calls.

`porter op test` loads the plugin in the backend's environment, so the plugin does not import porter. It writes its
findings about the namespace $PORTER_OP_NAMESPACE to the file $PORTER_OP_CHECKS, as JSON:
`{"called": [operator, ...], "wrong": {operator: text}}`; PyTorch's operators are named `aten::gelu.out`.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.utils._pytree import tree_leaves, tree_map_only

CALLED: set[str] = set()
WRONG: dict[str, str] = {}
_SEEN: set[str] = set()


def pytest_collection_finish(session: object) -> None:
    """Wrap the operators of the project. pytest has imported the test files, which load the operators."""
    namespace = os.environ["PORTER_OP_NAMESPACE"]
    for name in torch._C._dispatch_get_all_op_names():
        space, _, full = name.partition("::")
        if space == namespace and not full.startswith("_"):
            packet, _, overload = full.partition(".")
            found = getattr(getattr(getattr(torch.ops, space), packet), overload or "default")
            found._op = _watched(full, found._op)


def pytest_runtest_teardown() -> None:
    """Read the call counters of all kernels after each test, also of kernels that override PyTorch's kernels."""
    calls = importlib.import_module(os.environ["PORTER_OP_NAMESPACE"]).calls()
    CALLED.update(name for name, count in calls.items() if count)


def pytest_sessionfinish(session: object) -> None:
    """Write the findings to the file."""
    found = {"called": sorted(CALLED), "wrong": WRONG}
    Path(os.environ["PORTER_OP_CHECKS"]).write_text(json.dumps(found), encoding="utf-8")


def _watched(name: str, op: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(op)
    def call(*args: Any, **kwargs: Any) -> Any:
        tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        if any(type(leaf) not in (torch.Tensor, torch.nn.Parameter) for leaf in tensors):
            # A graph is being traced.
            return op(*args, **kwargs)
        CALLED.add(name)
        key = f"{name} {tree_map_only(torch.Tensor, _look, (args, kwargs))}"
        if key in _SEEN:
            return op(*args, **kwargs)
        _SEEN.add(key)
        # The fake kernel runs first, because the real kernel may modify the arguments.
        said = _fake(op, args, kwargs)
        result = op(*args, **kwargs)
        if name not in WRONG and (
            difference := said if isinstance(said, str) else _differ(said, result)
        ):
            WRONG[name] = difference
        return result

    return call


def _fake(op: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Result of the fake kernel; if the fake kernel fails, the text of the error."""
    mode = FakeTensorMode(shape_env=ShapeEnv())
    as_fake = functools.partial(mode.from_tensor, static_shapes=True)
    try:
        given = tree_map_only(torch.Tensor, as_fake, (args, kwargs))
        with torch.no_grad(), mode:
            return op(*given[0], **given[1])
    except Exception as error:
        return f"the fake kernel fails: {type(error).__name__}: {str(error).splitlines()[0]}"


def _differ(fake: Any, real: Any) -> str:
    """Difference between the fake and the real result; empty when they agree."""
    fakes, reals = tree_leaves(fake), tree_leaves(real)
    if len(fakes) != len(reals):
        return f"the fake kernel returns {len(fakes)} results, the real kernel {len(reals)}"
    for number, (one, other) in enumerate(zip(fakes, reals, strict=True)):
        if isinstance(other, torch.Tensor):
            for aspect, said, is_ in _aspects(one, other):
                if said != is_:
                    which = f" of result {number}" if len(reals) > 1 else ""
                    return (
                        f"the fake kernel gives {aspect}{which} {said}, the real kernel gives {is_}"
                    )
    return ""


def _aspects(fake: Any, real: torch.Tensor) -> Iterator[tuple[str, Any, Any]]:
    if not isinstance(fake, torch.Tensor):
        yield "type", type(fake).__name__, "Tensor"
        return
    yield "dtype", fake.dtype, real.dtype
    yield "device", fake.device.type, real.device.type
    yield "number of dimensions", fake.dim(), real.dim()
    # Data-dependent sizes are symbols in the fake result and cannot be compared.
    known = [size for size in fake.shape if isinstance(size, int)]
    yield (
        "shape",
        tuple(known),
        tuple(n for n, m in zip(real.shape, fake.shape, strict=True) if isinstance(m, int)),
    )
    if len(known) == fake.dim() and real.numel() > 0:
        yield "strides", _strides(fake), _strides(real)


def _strides(tensor: torch.Tensor) -> tuple[int, ...]:
    """Strides of the dimensions with more than one element. The other strides have no effect."""
    return tuple(
        stride for stride, size in zip(tensor.stride(), tensor.shape, strict=True) if size > 1
    )


def _look(tensor: torch.Tensor) -> str:
    return f"{tensor.dtype} {tuple(tensor.shape)} {tensor.stride()} {tensor.device.type}"
