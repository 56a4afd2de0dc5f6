"""Support for torch.compile: the device interface for Dynamo and the backend for Inductor.

Both are registered when the program loads Dynamo or Inductor. Inductor generates no code for the device. Every
operator calls the device's own kernel (Inductor's "extern kernels"); Inductor contributes memory planning and the
wrapper. A graph that needs generated code raises a one-line error.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any
from zlib import crc32

import torch

from . import devices, memory, streams
from ._build import DEVICE, __version__
from ._capture import captured
from ._device_types import NAMES, is_own
from ._imports import when_imported
from ._release import count_as_streams, tree_leaves


def register() -> None:
    """Register the device with Dynamo and Inductor when the program loads them."""
    when_imported("torch._dynamo.device_interface", _register_interface)
    when_imported("torch._dynamo.trace_rules", _skip_own_frames)
    when_imported("torch._inductor.graph", _register_inductor)
    when_imported("torch._inductor.output_code", _register_capture)
    when_imported("torch._inductor.cudagraph_utils", _allow_capture)
    when_imported("torch._decomp.decompositions", _decompose_recurrent_layers)


def _register_interface(dynamo: ModuleType) -> None:
    """Register the device interface with Dynamo and Inductor (torch/_dynamo/device_interface.py)."""

    count_as_streams(streams.Stream, streams.Event)

    class Worker:
        set_device = staticmethod(devices.set_device)
        current_device = staticmethod(devices.current_device)
        get_device_properties = staticmethod(devices.get_device_properties)

    class Interface(dynamo.DeviceInterface):  # type: ignore[misc,name-defined]  # a module's, by name
        device = devices.device
        Event = streams.Event
        Stream = streams.Stream
        current_device = staticmethod(devices.current_device)
        set_device = staticmethod(devices.set_device)
        exchange_device = staticmethod(devices._exchange_device)
        maybe_exchange_device = staticmethod(devices._maybe_exchange_device)
        device_count = staticmethod(devices.device_count)
        is_available = staticmethod(devices.is_available)
        is_bf16_supported = staticmethod(devices.is_bf16_supported)
        synchronize = staticmethod(devices.synchronize)
        stream = staticmethod(streams.stream)
        current_stream = staticmethod(streams.current_stream)
        set_stream = staticmethod(streams.set_stream)
        memory_allocated = staticmethod(memory.memory_allocated)

        @staticmethod
        def get_compute_capability(device: Any = None) -> str:
            return ".".join(map(str, devices.get_device_capability(device)))

        @staticmethod
        def get_raw_stream(device_idx: int) -> int:
            # Dynamo passes this value to generated kernels. There are none: extern kernels use the current stream.
            return 0

    Interface.Worker = Worker
    dynamo.register_interface_for_device(DEVICE, Interface)


def _skip_own_frames(rules: ModuleType) -> None:
    """Exclude this package from Dynamo's compilation of functions that run outside a graph, as PyTorch is excluded.

    Otherwise, Dynamo compiles functions of the package that a skipped function calls, for example in FSDP's forward.
    Functions that a compiled function calls are traced nevertheless (torch/_dynamo/trace_rules.py).
    """
    if not hasattr(rules, "is_torch_inline_allowed"):
        return
    folder = f"{Path(__file__).parent}/"
    upstream = rules.is_torch_inline_allowed
    rules.add(__package__)
    rules.is_torch_inline_allowed = lambda file: file.startswith(folder) or upstream(file)  # type: ignore[attr-defined]


def _register_inductor(graph: ModuleType) -> None:
    """Register extern kernels for all operators on the device (torch/_inductor/graph.py). Needs PyTorch 2.6 or newer.

    Inductor of an older release rejects the device; torch.compile(backend="aot_eager") works without Inductor.
    """
    from torch._inductor.codegen import common, wrapper
    from torch._inductor.scheduler import BaseScheduling

    if not hasattr(wrapper, "PythonWrapperCodegen"):
        return

    class Overrides(common.DeviceOpOverrides):  # type: ignore[misc]  # untyped there
        def import_get_raw_stream_as(self, name: str) -> str:
            return f"def {name}(_):\n    return 0\n"

        def set_device(self, device_idx: int) -> str:
            return f"torch.{DEVICE}.set_device({device_idx})"

        def synchronize(self) -> str:
            return f"torch.{DEVICE}.synchronize()"

        def device_guard(self, device_idx: int) -> str:
            return f"torch.{DEVICE}.device({device_idx})"

    class Scheduling(BaseScheduling):  # type: ignore[misc]  # untyped there
        def __init__(self, scheduler: Any) -> None:
            self.scheduler = scheduler

        def can_fuse_vertical(self, node1: Any, node2: Any) -> bool:
            return False

        def can_fuse_horizontal(self, node1: Any, node2: Any) -> bool:
            return False

        def group_fn(self, sizes: Any) -> Any:
            return tuple(tuple(size) for size in sizes)

        def codegen_node(self, node: Any) -> None:
            raise NotImplementedError(
                f"Inductor generates no code for device '{DEVICE}', but {node.get_name()} requires generated code: "
                "use torch.compile(backend='aot_eager')"
            )

        def codegen_sync(self) -> None:
            pass

        def flush(self) -> None:
            pass

    _mark_cache()
    common.register_device_op_overrides(DEVICE, Overrides())
    common.register_backend_for_device(DEVICE, Scheduling, wrapper.PythonWrapperCodegen)
    # Inductor uses this lowering for dtypes without generated code: the operator's own kernel is called.
    upstream = graph.fallback_node_due_to_unsupported_type
    views = (torch.ops.aten.lift_fresh_copy.default, torch.ops.aten.view_as_complex.default)

    def without_lowering(node: torch.fx.Node, allow_cpu_inputs: bool = True) -> bool:
        if upstream(node, allow_cpu_inputs):
            return True
        results = tree_leaves(node.meta.get("val"))
        tensors = [one for one in results if isinstance(one, torch.Tensor)]
        return node.target not in views and any(is_own(one.device) for one in tensors)

    graph.fallback_node_due_to_unsupported_type = without_lowering  # type: ignore[attr-defined]
    graph.fallback_handler = _writing_back(graph.fallback_handler)  # type: ignore[attr-defined]


def _decompose_recurrent_layers(decompositions: ModuleType) -> None:
    """Use PyTorch's decompositions of recurrent layers in traces (torch/_decomp/decompositions.py).

    The device has kernels for whole layers (seam `dnn`). Without an entry for the device, the tracer would call these
    kernels, which accept only real tensors.
    """
    keys = torch._C.DispatchKey
    for layer in ("lstm", "gru", "rnn_tanh", "rnn_relu"):
        for overload in ("input", "data"):
            operator = getattr(getattr(decompositions.aten, layer), overload)
            decomposition = operator.py_kernels[keys.CompositeImplicitAutograd]
            for key in (keys.AutogradPrivateUse1, keys.PrivateUse1):
                operator.py_impl(key)(decomposition)


def _mark_cache() -> None:
    """Add this package's version to the key of Inductor's disk cache (PyTorch 2.6 or newer)."""
    config = getattr(torch.compiler, "config", None)
    if hasattr(config, "cache_key_tag"):
        config.cache_key_tag += f" {__package__} {__version__} {crc32(Path(__file__).read_bytes())}"


def _writing_back(upstream: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap Inductor's factory of extern kernels: operators that write to an existing tensor get separate nodes."""
    from torch._inductor.ir import InplaceCopyFallback
    from torch._inductor.lowering import index_put_fallback

    def copy(dst: Any, src: Any, non_blocking: bool = False) -> Any:
        InplaceCopyFallback.create(dst, src, non_blocking)
        return dst

    def index_put(self: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
        self.realize()
        return index_put_fallback(self, indices, values, accumulate)

    own = {torch.ops.aten.copy_.default: copy, torch.ops.aten.index_put_.default: index_put}

    def handler(kernel: Any, add_to_fallback_set: bool = True) -> Any:
        return own.get(kernel) or upstream(kernel, add_to_fallback_set)

    return handler


def _allow_capture(utils: ModuleType) -> None:
    """Allow the capture of graphs that use only the device, as for CUDA (torch/_inductor/cudagraph_utils.py)."""
    upstream = utils.check_lowering_disable_cudagraph

    def check(device_node_mapping: dict[torch.device, Any]) -> str | None:
        if len(device_node_mapping) == 1 and is_own(next(iter(device_node_mapping))):
            return None
        reason: str | None = upstream(device_node_mapping)
        return reason

    utils.check_lowering_disable_cudagraph = check  # type: ignore[attr-defined]


def _register_capture(output_code: ModuleType) -> None:
    """Capture compiled graphs in mode="reduce-overhead" (torch/_inductor/output_code.py)."""
    upstream = output_code.cudagraph_post_compile

    def post_compile(
        example_inputs: Any, compiled_graph: Any, cudagraphs: Any, constants: Any, *more: Any
    ) -> None:
        if len(compiled_graph.device_types) != 1 or not compiled_graph.device_types <= NAMES:
            upstream(example_inputs, compiled_graph, cudagraphs, constants, *more)
            return
        if compiled_graph.cudagraph_info.cudagraph_fail_reasons:
            output_code.BoxedBool.disable(cudagraphs)
            return
        compiled_graph.current_callable = captured(
            compiled_graph.current_callable,
            next(iter(compiled_graph.device_idxs)),
            compiled_graph.fx_kwargs["static_input_idxs"] or (),
            compiled_graph.mutated_input_idxs,
        )

    output_code.cudagraph_post_compile = post_compile  # type: ignore[attr-defined]
