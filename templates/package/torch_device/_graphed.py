"""Callables whose forward and backward passes are replayed graphs, like torch.cuda.make_graphed_callables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch.utils import _pytree as pytree

from ._release import tree_leaves
from .devices import synchronize
from .graphs import Graph, _Pool, graph, graph_pool_handle
from .streams import Stream, StreamContext

_Tensors = tuple[torch.Tensor, ...]
_Optional = tuple[torch.Tensor | None, ...]
_Called = Callable[..., Any]
_once: Callable[[_Called], _Called] = torch.autograd.function.once_differentiable


def make_graphed_callables(
    callables: _Called | tuple[_Called, ...],
    sample_args: tuple[Any, ...],
    num_warmup_iters: int = 3,
    allow_unused_input: bool = False,
    pool: _Pool | None = None,
) -> Any:
    """Capture functions or modules, and return callables that replay them, forward and backward.

    Args:
        callables: one callable, or a tuple of callables that run in this order and share memory.
        sample_args: tensors for the capture; a tuple of tensors for each callable. Later arguments must have the same
            sizes, dtypes and `requires_grad`.
        num_warmup_iters: number of runs of each callable before the capture.
        allow_unused_input: permit inputs on which no output depends.
        pool: memory pool to share: `graph_pool_handle()` or another graph's `pool()`.

    A module keeps its class and its parameters; its graph is used only in the mode (`train` or `eval`) of the capture.
    Raises RuntimeError for modules with hooks or trainable buffers, for arguments other than tensors, and within
    autocast with its cache.
    """
    if torch.is_autocast_enabled() and torch.is_autocast_cache_enabled():
        raise RuntimeError(
            "make_graphed_callables cannot be used with autocast's cache: pass cache_enabled=False to autocast"
        )
    if not isinstance(callables, tuple):
        return make_graphed_callables(
            (callables,), (sample_args,), num_warmup_iters, allow_unused_input, pool
        )[0]
    inputs = [_Inputs.of(call, args) for call, args in zip(callables, sample_args, strict=True)]
    _warm_up(inputs, num_warmup_iters, allow_unused_input)
    shared = graph_pool_handle() if pool is None else pool
    forward = [_record_forward(each, shared) for each in inputs]
    # The passes are captured in the order of execution, so that no replay overwrites memory that a later replay reads.
    backward = [
        _record_backward(each, outputs, allow_unused_input, shared)
        for each, outputs in zip(reversed(inputs), reversed(forward), strict=True)
    ]
    made = [_Recorded(*parts) for parts in zip(inputs, forward, reversed(backward), strict=True)]
    return tuple(_replaying(recorded) for recorded in made)


class _Inputs(NamedTuple):
    """A callable, and the tensors that its graph reads."""

    call: _Called
    args: tuple[Any, ...]
    flat: _Tensors
    parameters: _Tensors

    @classmethod
    def of(cls, call: _Called, args: tuple[Any, ...]) -> _Inputs:
        parameters: _Tensors = ()
        if isinstance(call, torch.nn.Module):
            if call._backward_hooks or call._forward_hooks or call._forward_pre_hooks:
                raise RuntimeError(
                    "a module with hooks cannot be recorded: register the hooks on the result of make_graphed_callables"
                )
            if any(buffer.requires_grad for buffer in call.buffers()):
                raise RuntimeError(
                    "a module with buffers that require gradients cannot be recorded"
                )
            parameters = tuple(call.parameters())
        flat = tuple(tree_leaves(args))
        if not all(isinstance(each, torch.Tensor) for each in flat):
            raise RuntimeError("the arguments of a recorded callable must be tensors")
        return cls(call, args, flat, parameters)

    @property
    def all(self) -> _Tensors:
        return self.flat + self.parameters

    @property
    def with_gradients(self) -> _Tensors:
        return tuple(each for each in self.all if each.requires_grad)


class _Forward(NamedTuple):
    """Captured forward pass."""

    graph: Graph
    outputs: _Tensors
    shape: pytree.TreeSpec


class _Backward(NamedTuple):
    """Captured backward pass: an input tensor for each output of the forward pass, and a gradient for each input."""

    graph: Graph
    incoming: _Optional
    gradients: _Optional


class _Recorded(NamedTuple):
    inputs: _Inputs
    forward: _Forward
    backward: _Backward


def _gradients(
    inputs: _Inputs, outputs: Sequence[torch.Tensor], incoming: _Tensors, allow_unused: bool
) -> _Optional:
    """Gradients of the inputs that require grad; empty if no output requires grad."""
    if not outputs or not inputs.with_gradients:
        return ()
    return torch.autograd.grad(
        outputs,
        inputs.with_gradients,
        incoming,
        only_inputs=True,
        allow_unused=allow_unused,
    )


def _warm_up(inputs: Sequence[_Inputs], times: int, allow_unused: bool) -> None:
    """Run all callables on a separate stream before the capture, so that one-time initialisation is not recorded."""
    synchronize()
    with StreamContext(Stream()):
        for each in inputs:
            for _ in range(times):
                outputs = [o for o in tree_leaves(each.call(*each.args)) if o.requires_grad]
                incoming = tuple(torch.empty_like(output) for output in outputs)
                _gradients(each, outputs, incoming, allow_unused)
    synchronize()


def _record_forward(inputs: _Inputs, pool: _Pool) -> _Forward:
    recorded = Graph()
    with graph(recorded, pool=pool):
        result = inputs.call(*inputs.args)
    outputs, shape = pytree.tree_flatten(result)
    return _Forward(recorded, tuple(outputs), shape)


def _record_backward(
    inputs: _Inputs, forward: _Forward, allow_unused: bool, pool: _Pool
) -> _Backward:
    recorded = Graph()
    incoming = tuple(torch.empty_like(o) if o.requires_grad else None for o in forward.outputs)
    outputs = [output for output in forward.outputs if output.requires_grad]
    found: _Optional = ()
    if outputs and inputs.with_gradients:
        with graph(recorded, pool=pool):
            present = tuple(each for each in incoming if each is not None)
            found = _gradients(inputs, outputs, present, allow_unused)
    left = iter(found)
    gradients = tuple(next(left, None) if each.requires_grad else None for each in inputs.all)
    return _Backward(recorded, incoming, gradients)


def _write(target: torch.Tensor, source: torch.Tensor) -> None:
    if target.data_ptr() != source.data_ptr():
        target.copy_(source)


def _replaying(recorded: _Recorded) -> _Called:
    """Callable that replays the graphs. For a module, this is the module itself with a new `forward`."""
    inputs, forward, backward = recorded

    class Replayed(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *given: torch.Tensor) -> _Tensors:
            # Parameters are not copied: the graph reads them at their addresses.
            for target, source in zip(inputs.flat, given, strict=False):
                _write(target, source)
            forward.graph.replay()
            return tuple(output.detach() for output in forward.outputs)

        @staticmethod
        @_once
        def backward(ctx: Any, *given: torch.Tensor) -> _Optional:
            for target, source in zip(backward.incoming, given, strict=True):
                if target is not None:
                    _write(target, source)
            backward.graph.replay()
            return tuple(None if each is None else each.detach() for each in backward.gradients)

    def replay(*args: Any) -> Any:
        flat = tuple(tree_leaves(args))
        outputs = Replayed.apply(*flat, *inputs.parameters)  # type: ignore[no-untyped-call]
        return pytree.tree_unflatten(outputs, forward.shape)

    module = inputs.call
    if not isinstance(module, torch.nn.Module):
        return replay
    mode, original = module.training, module.forward
    module.forward = lambda *args: replay(*args) if module.training == mode else original(*args)
    return module
