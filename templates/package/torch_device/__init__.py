"""PyTorch on this package's device, whose kernels are ports of PyTorch's own CUDA kernels.

`import torch` loads this package automatically (entry point `torch.backends`) and makes it available as
`torch.<device>`. Names and behaviour follow `torch.cuda`. The device is initialised at its first use.
"""

# ruff: noqa: E402 -- the order of imports matters here.
from __future__ import annotations


def _autoload() -> None:
    """Do nothing: importing this package has already registered the device.

    `import torch` calls this entry point at its end. The function is defined before torch is imported: if a program
    imports this package first, torch calls the function while this package is still being loaded.
    """


import importlib as _importlib
import os as _os
import sys as _sys

import torch
import torch.utils.backend_registration as _registration

from . import _libraries
from ._build import DEVICE as _DEVICE
from ._build import OWN_OPS as _OWN_OPS
from ._build import UPPER as _UPPER
from ._build import __version__ as __version__

_libraries.load()
# Runs before `_C` is loaded, so that everything registered by `_C` has the device's name.
_registration.rename_privateuse1_backend(_DEVICE)

from . import _C as _C
from . import _compile as _compile
from . import _cuda_toolkit as _cuda_toolkit
from . import _data_parallel as _data_parallel
from . import _dlpack as _dlpack
from . import _profiler as _profiler
from . import _python_operators as _python_operators
from . import _release as _release
from . import _sharing as _sharing
from . import _utils as _utils
from . import amp as amp
from . import comm as comm
from . import distributed as distributed
from . import dnn as dnn
from . import graphs as graphs
from . import memory as memory
from . import nccl as nccl
from . import random as random
from . import streams as streams
from ._graphed import make_graphed_callables as make_graphed_callables
from ._lazy import DeferredCallError as DeferredCallError
from ._lazy import _is_in_bad_fork as _is_in_bad_fork
from ._lazy import _lazy_call as _lazy_call
from ._lazy import _lazy_init as _lazy_init
from ._lazy import init as init
from ._lazy import is_initialized as is_initialized
from ._sharing import ipc_collect as ipc_collect
from .amp import get_amp_supported_dtype as get_amp_supported_dtype
from .checks import check as check
from .checks import check_schedule as check_schedule
from .devices import _exchange_device as _exchange_device
from .devices import _maybe_exchange_device as _maybe_exchange_device
from .devices import _sleep as _sleep
from .devices import can_device_access_peer as can_device_access_peer
from .devices import current_device as current_device
from .devices import device as device
from .devices import device_count as device_count
from .devices import device_of as device_of
from .devices import get_device_capability as get_device_capability
from .devices import get_device_name as get_device_name
from .devices import get_device_properties as get_device_properties
from .devices import get_sync_debug_mode as get_sync_debug_mode
from .devices import is_available as is_available
from .devices import is_bf16_supported as is_bf16_supported
from .devices import set_device as set_device
from .devices import set_sync_debug_mode as set_sync_debug_mode
from .devices import synchronize as synchronize
from .fallback import fallback_allowed as fallback_allowed
from .fallback import metrics as metrics
from .fallback import no_fallback as no_fallback
from .fallback import reset_metrics as reset_metrics
from .fallback import set_fallback_allowed as set_fallback_allowed
from .graphs import Graph as Graph
from .graphs import graph as graph
from .graphs import graph_pool_handle as graph_pool_handle
from .graphs import is_current_stream_capturing as is_current_stream_capturing
from .memory import MemPool as MemPool
from .memory import MemPoolContext as MemPoolContext
from .memory import OutOfMemoryError as OutOfMemoryError
from .memory import caching_allocator_alloc as caching_allocator_alloc
from .memory import caching_allocator_delete as caching_allocator_delete
from .memory import caching_allocator_enable as caching_allocator_enable
from .memory import empty_cache as empty_cache
from .memory import get_allocator_backend as get_allocator_backend
from .memory import get_per_process_memory_fraction as get_per_process_memory_fraction
from .memory import max_memory_allocated as max_memory_allocated
from .memory import max_memory_reserved as max_memory_reserved
from .memory import mem_get_info as mem_get_info
from .memory import memory_allocated as memory_allocated
from .memory import memory_reserved as memory_reserved
from .memory import memory_snapshot as memory_snapshot
from .memory import memory_stats as memory_stats
from .memory import memory_stats_as_nested_dict as memory_stats_as_nested_dict
from .memory import memory_summary as memory_summary
from .memory import reset_accumulated_memory_stats as reset_accumulated_memory_stats
from .memory import reset_peak_memory_stats as reset_peak_memory_stats
from .memory import set_per_process_memory_fraction as set_per_process_memory_fraction
from .memory import use_mem_pool as use_mem_pool
from .random import get_rng_state as get_rng_state
from .random import get_rng_state_all as get_rng_state_all
from .random import initial_seed as initial_seed
from .random import manual_seed as manual_seed
from .random import manual_seed_all as manual_seed_all
from .random import seed as seed
from .random import seed_all as seed_all
from .random import set_rng_state as set_rng_state
from .random import set_rng_state_all as set_rng_state_all
from .streams import Event as Event
from .streams import ExternalStream as ExternalStream
from .streams import Stream as Stream
from .streams import StreamContext as StreamContext
from .streams import current_stream as current_stream
from .streams import default_stream as default_stream
from .streams import set_stream as set_stream
from .streams import stream as stream

graphs.__dict__["make_graphed_callables"] = make_graphed_callables
# Alias for code ported from CUDA, which uses the name torch.cuda.CUDAGraph.
globals()[f"{_UPPER}Graph"] = graphs.__dict__[f"{_UPPER}Graph"] = Graph


def __getattr__(name: str) -> object:
    # Both values change at the first use of the device, so they are looked up at each access.
    if name == "_initialized":
        return is_initialized()
    if name == "default_generators":
        return _C.default_generators() if is_initialized() else ()
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def _register() -> None:
    """Make this package `torch.<device>`, and its modules importable under that name."""
    torch._register_device_module(_DEVICE, _sys.modules[__name__])  # type: ignore[no-untyped-call]
    for module in ("amp", "checks", "distributed", "dnn", "graphs", "memory", "random", "streams"):
        # The names denote the same modules; no module is loaded a second time.
        _sys.modules[f"torch.{_DEVICE}.{module}"] = _importlib.import_module(f".{module}", __name__)
    _release.generate_methods()
    _compile.register()
    _data_parallel.register()
    _dlpack.register()
    _python_operators.register()
    _profiler.register()
    _sharing.register()
    distributed.register()


_register()

_cuda_toolkit.activate_if_asked()
if _os.environ.get(f"TORCH_{_UPPER}_AS_CUDA", "0") not in ("", "0"):
    _importlib.import_module(".as_cuda", __name__)

if _OWN_OPS:
    # The operators are imported now, because kernels that replace PyTorch's must apply from the first call.
    ops = _importlib.import_module(".ops", __name__)
