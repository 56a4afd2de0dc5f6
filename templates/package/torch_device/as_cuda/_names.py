"""Public names of `torch.cuda` (PyTorch 2.6.0), by treatment.

A name that no table lists is replaced by this package's name. The keys of the tables are submodules of `torch.cuda`; ""
denotes `torch.cuda` itself.
"""

from __future__ import annotations

from typing import Final, NamedTuple

RENAMED: Final = {"CUDAGraph": "Graph", "DeferredCudaCallError": "DeferredCallError"}
"""Maps a name in `torch.cuda` to the name in this package."""

KEPT: Final[dict[str, tuple[str, ...]]] = {
    "": (
        "BFloat16Storage",
        "BoolStorage",
        "ByteStorage",
        "CharStorage",
        "ComplexDoubleStorage",
        "ComplexFloatStorage",
        "DoubleStorage",
        "FloatStorage",
        "HalfStorage",
        "IntStorage",
        "LongStorage",
        "ShortStorage",
        "CudaError",
        "amp",
        "check_error",
        "cudaStatus",
        "cudart",
        "graphs",
        "has_half",
        "jiterator",
        "max_memory_cached",
        "memory",
        "memory_cached",
        "nccl",
        "nvtx",
        "profiler",
        "random",
        "reset_max_memory_allocated",
        "reset_max_memory_cached",
        "sparse",
        "streams",
        "tunable",
    ),
    "amp": ("GradScaler", "amp_definitely_not_available", "autocast", "custom_bwd", "custom_fwd"),
    "comm": ("reduce_add", "reduce_add_coalesced"),
    "memory": (
        "max_memory_cached",
        "memory_cached",
        "reset_max_memory_allocated",
        "reset_max_memory_cached",
    ),
    "nccl": ("SUM",),
    "profiler": ("DEFAULT_FLAGS", "profile", "start", "stop"),
}
"""Names that keep PyTorch's implementation: it depends on no device, or calls only names that work on the device."""

PROVIDED: Final[dict[str, tuple[str, ...]]] = {
    "": (
        "BFloat16Tensor",
        "BoolTensor",
        "ByteTensor",
        "CharTensor",
        "DoubleTensor",
        "FloatTensor",
        "HalfTensor",
        "IntTensor",
        "LongTensor",
        "ShortTensor",
        "default_generators",
        "device_memory_used",
        "get_arch_list",
        "has_magma",
    ),
    "comm": ("broadcast", "broadcast_coalesced", "gather", "scatter"),
    "nvtx": ("mark", "range", "range_end", "range_pop", "range_push", "range_start"),
    "tunable": ("is_enabled", "record_untuned_is_enabled", "tuning_is_enabled"),
}
"""Names that `as_cuda` implements."""

LEGACY_TENSORS: Final = {
    "BFloat16Tensor": "bfloat16",
    "BoolTensor": "bool",
    "ByteTensor": "uint8",
    "CharTensor": "int8",
    "DoubleTensor": "float64",
    "FloatTensor": "float32",
    "HalfTensor": "float16",
    "IntTensor": "int32",
    "LongTensor": "int64",
    "ShortTensor": "int16",
}
"""Maps the name of a legacy tensor type to the name of its dtype."""


_ALLOCATOR = "the device's allocator cannot be replaced"


class Refused(NamedTuple):
    """Names that raise CudaOnlyError when they are called."""

    module: str
    names: tuple[str, ...]
    reason: str


REFUSED: Final = (
    Refused(
        "",
        (
            "clock_rate",
            "list_gpu_processes",
            "memory_usage",
            "power_draw",
            "temperature",
            "utilization",
        ),
        "NVIDIA's management library (NVML) measures it; use the tool of the device's vendor",
    ),
    Refused("memory", ("list_gpu_processes",), "NVIDIA's management library (NVML) lists them"),
    Refused("", ("current_blas_handle",), "cuBLAS is not used"),
    Refused("", ("get_gencode_flags",), "the device's code is not compiled by nvcc"),
    Refused(
        "",
        ("CUDAPluggableAllocator", "change_current_allocator"),
        _ALLOCATOR,
    ),
    Refused(
        "memory",
        ("CUDAPluggableAllocator", "change_current_allocator"),
        _ALLOCATOR,
    ),
    Refused("profiler", ("init",), "CUDA 12 has removed the function that it calls"),
    Refused(
        "tunable",
        (
            "enable",
            "get_filename",
            "get_max_tuning_duration",
            "get_max_tuning_iterations",
            "get_results",
            "get_validators",
            "mgpu_tune_gemm_in_file",
            "read_file",
            "record_untuned_enable",
            "set_filename",
            "set_max_tuning_duration",
            "set_max_tuning_iterations",
            "tune_gemm_in_file",
            "tuning_enable",
            "write_file",
            "write_file_on_exit",
        ),
        "it selects kernels of cuBLAS and hipBLASLt, which are not used",
    ),
    Refused(
        "sparse",
        (
            "BFloat16Tensor",
            "ByteTensor",
            "CharTensor",
            "DoubleTensor",
            "FloatTensor",
            "HalfTensor",
            "IntTensor",
            "LongTensor",
            "ShortTensor",
        ),
        "the type is deprecated; use torch.sparse_coo_tensor",
    ),
)

PRIVATE: Final[dict[str, tuple[str, ...]]] = {
    "": (
        "_exchange_device",
        "_is_in_bad_fork",
        "_lazy_init",
        "_maybe_exchange_device",
    ),
    "memory": (
        "_dump_snapshot",
        "_record_memory_history",
        "_set_allocator_settings",
        "_snapshot",
    ),
    "nccl": ("init_rank", "is_available", "unique_id", "version"),
}
"""Names of this package that replace names outside `__all__`, because programs and PyTorch itself call these names."""

BINDINGS: Final = {
    "_cuda_canDeviceAccessPeer": "can_device_access_peer",
    "_cuda_cudaCachingAllocator_enable": "caching_allocator_enable",
    "_cuda_cudaCachingAllocator_raw_alloc": "caching_allocator_alloc",
    "_cuda_cudaCachingAllocator_raw_delete": "caching_allocator_delete",
    "_cuda_cudaCachingAllocator_set_allocator_settings": "set_allocator_settings",
    "_cuda_attach_out_of_memory_observer": "attach_out_of_memory_observer",
    "_cuda_beginAllocateCurrentStreamToPool": "begin_allocate_current_stream_to_pool",
    "_cuda_beginAllocateToPool": "begin_allocate_to_pool",
    "_cuda_checkPoolLiveAllocations": "pool_has_allocations",
    "_cuda_emptyCache": "empty_cache",
    "_cuda_endAllocateCurrentStreamToPool": "end_allocate_to_pool",
    "_cuda_exchangeDevice": "exchange_device",
    "_cuda_getAllocatorBackend": "allocator_backend",
    "_cuda_getCheckpointState": "PoolState",
    "_cuda_getCurrentStream": "current_stream",
    "_cuda_getDefaultStream": "default_stream",
    "_cuda_getDevice": "current_device",
    "_cuda_getDeviceCount": "device_count",
    "_cuda_getMemoryFraction": "get_memory_fraction",
    "_cuda_get_sync_debug_mode": "get_sync_debug_mode",
    "_cuda_hasPrimaryContext": "has_primary_context",
    "_cuda_isCurrentStreamCapturing": "is_current_stream_capturing",
    "_cuda_isHistoryEnabled": "is_memory_history_enabled",
    "_cuda_maybeExchangeDevice": "maybe_exchange_device",
    "_cuda_memorySnapshot": "memory_snapshot",
    "_cuda_memoryStats": "memory_stats",
    "_cuda_record_memory_history": "record_memory_history",
    "_cuda_releasePool": "release_pool",
    "_cuda_resetAccumulatedMemoryStats": "reset_accumulated_memory_stats",
    "_cuda_resetPeakMemoryStats": "reset_peak_memory_stats",
    "_cuda_setDevice": "set_device",
    "_cuda_setMemoryFraction": "set_memory_fraction",
    "_cuda_setStream": "set_stream",
    "_cuda_set_sync_debug_mode": "set_sync_debug_mode",
    "_cuda_sleep": "sleep",
    "_cuda_synchronize": "synchronize",
    "_free_And_Remove_DeleterFn": "free_memory_of",
    "_has_Standard_Deleter": "owns_memory",
    "_host_emptyCache": "host_empty_cache",
}
"""Maps a function of `torch._C` that PyTorch's Python code or tests call to a function of this package's `_C`."""

HOST_BINDINGS: Final = (
    "_cuda_getCompiledVersion",
    "_cuda_get_conv_benchmark_empty_cache",
    "_cuda_get_cudnn_benchmark_limit",
    "_cuda_set_cudnn_benchmark_limit",
)
"""Functions of `torch._C` that do not call CUDA's runtime."""

REFUSED_BINDINGS: Final = {
    "_cuda_changeCurrentAllocator": _ALLOCATOR,
    "_cuda_customAllocator": _ALLOCATOR,
    "_cuda_getAllocator": _ALLOCATOR,
    "_cuda_getCurrentBlasHandle": "the device does not use cuBLAS",
    "_cuda_jiterator_compile_and_launch_kernel": "torch.cuda.jiterator compiles CUDA source code at run time",
    "_cuda_record_memory_history_legacy": "use torch.cuda.memory._record_memory_history",
}
"""Maps a function of `torch._C` without a counterpart to the reason."""

ABSENT_LIBRARIES: Final = (
    ("torch.backends.cudnn", "is_available", False),
    ("torch.backends.cudnn", "is_acceptable", False),
    ("torch.backends.cudnn", "version", None),
    ("torch.backends.cusparselt", "is_available", False),
    ("torch.backends.cusparselt", "version", None),
    ("torch.backends.cuda", "is_flash_attention_available", False),
    ("torch.cuda.tunable", "is_enabled", False),
    ("torch.cuda.tunable", "record_untuned_is_enabled", False),
    ("torch.cuda.tunable", "tuning_is_enabled", False),
)
"""Functions about libraries that the device does not use: module, function, return value."""


def treatment(module: str, name: str) -> str:
    """Name of the table that lists a public name: "refused", "provided" or "kept"; "device" if no table lists it."""
    if any(row.module == module and name in row.names for row in REFUSED):
        return "refused"
    if name in PROVIDED.get(module, ()):
        return "provided"
    if name in KEPT.get(module, ()):
        return "kept"
    return "device"
