"""`torch.cuda` and its submodules, as programs for CUDA use them."""

import importlib
from pathlib import Path

import pytest
import torch
from torch.distributed._state_dict_utils import _create_cpu_state_dict
from torch_simt.as_cuda import CudaOnlyError, _bindings, _modules, _names

DOCS = Path(__file__).resolve().parents[3] / "docs/as-cuda.md"
MODULES = [
    (name, importlib.import_module(f"torch.cuda.{name}".rstrip("."))) for name in _modules.MODULES
]
NAMES = [(name, public) for name, module in MODULES for public in _modules.public_names(module)]


def test_every_public_name_works_or_is_refused():
    counted = {"device": 0, "kept": 0, "provided": 0, "refused": 0}
    for name, public in NAMES:
        treatment = _names.treatment(name, public)
        counted[treatment] += 1
        value = getattr(importlib.import_module(f"torch.cuda.{name}".rstrip(".")), public)
        if treatment == "device":
            own = getattr(torch.simt, name, torch.simt) if name else torch.simt
            renamed = _names.RENAMED.get(public, public)
            assert value is getattr(own, renamed, None) or value is getattr(torch.simt, renamed), (
                public
            )
        if treatment == "refused":
            with pytest.raises(
                CudaOnlyError, match=f"torch.cuda.*{public} does not exist on device"
            ):
                value()
    if torch.__version__.startswith("2.6.0"):
        assert counted == COUNTED


COUNTED = {"device": 96, "kept": 46, "provided": 27, "refused": 39}


def test_the_document_lists_every_refused_name():
    text = DOCS.read_text(encoding="utf-8")
    for row in _names.REFUSED:
        for name in row.names:
            full = f"{row.module}.{name}" if row.module and row.module != "memory" else name
            assert f"`{full}`" in text, full


def test_submodules_of_torch_without_a_table_have_no_public_names():
    import pkgutil

    others = {module.name for module in pkgutil.iter_modules(torch.cuda.__path__)}
    others = {name for name in others if not name.startswith("_")} - set(_modules.MODULES)
    assert others == {"error", "gds"}
    for name in others:
        assert _modules.public_names(importlib.import_module(f"torch.cuda.{name}")) == []


def test_devices():
    assert torch.cuda.is_available() and torch.cuda.device_count() == 2
    assert torch.backends.cuda.is_built() and torch.version.cuda
    with torch.cuda.device(1):
        assert torch.cuda.current_device() == 1
        assert torch.zeros(1).cuda().device == torch.device("cuda:1")
    with torch.cuda.device_of(torch.zeros(1, device="cuda:1")):
        assert torch.cuda.current_device() == 1
    assert (
        torch.cuda.get_device_name(torch.device("cuda")) == torch.cuda.get_device_properties(0).name
    )
    uuids = [torch.cuda.get_device_properties(device).uuid for device in range(2)]
    assert [len(uuid.bytes) for uuid in uuids] == [16, 16] and uuids[0].bytes != uuids[1].bytes
    assert bytes.fromhex(str(uuids[1]).replace("-", "")) == bytes(uuids[1].bytes)
    assert torch.cuda.get_arch_list() == ["sm_70"]
    assert torch.get_device_module("cuda") is torch.cuda
    assert torch.accelerator.current_accelerator() == torch.device("cuda")
    for function in (torch.cuda.synchronize, torch.cuda.current_stream):
        with pytest.raises(ValueError, match="Expected a cuda device, but got: cpu"):
            function("cpu")
    assert torch.cuda.memory_allocated(torch.cuda.device(1)) == torch.cuda.memory_allocated(1)
    free, total = torch.cuda.mem_get_info()
    assert torch.cuda.device_memory_used() == total - free or free < total


def test_streams_and_events():
    first, second = torch.cuda.Stream(), torch.cuda.Stream(device="cuda:0", priority=-1)
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    assert end.device is None
    x = torch.ones(64, 64, device="cuda")
    first.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(first):
        assert torch.cuda.current_stream() == first
        begin.record()
        y = x @ x
        end.record()
        x.record_stream(first)
    second.wait_event(end)
    torch.cuda.current_stream().wait_stream(first)
    torch.cuda.synchronize()
    assert y.sum().item() == 64**3 and begin.elapsed_time(end) >= 0
    assert end.device == torch.device("cuda:0") and end._as_parameter_.value == end.cuda_event
    assert isinstance(first.cuda_stream, int) and first.cuda_stream != second.cuda_stream
    assert isinstance(first, torch.cuda.Stream) and "torch.cuda.Stream device=cuda:0" in repr(first)
    assert "torch.cuda.Event" in repr(end)


def test_graphs():
    x = torch.zeros(4, device="cuda")
    (x + 1).sum()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x + 1
    x.fill_(5)
    graph.replay()
    assert y.tolist() == [6] * 4
    assert not torch.cuda.is_current_stream_capturing()


def test_a_kernel_that_spins_keeps_a_stream_busy():
    stream = torch.cuda.Stream()
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    with torch.cuda.stream(stream):
        start.record()
        torch.cuda._sleep(10_000_000)
        end.record()
    end.synchronize()
    # A clock has at most some GHz.
    assert start.elapsed_time(end) > 1


def test_memory():
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated("cuda:0")
    x = torch.zeros(1 << 16, device="cuda")
    assert torch.cuda.memory_allocated() - before >= x.nbytes
    assert torch.cuda.max_memory_allocated(torch.device("cuda")) >= x.nbytes
    assert "cuda:0" in torch.cuda.memory_summary() or "simt:0" in torch.cuda.memory_summary()
    with pytest.warns(FutureWarning):
        assert torch.cuda.memory_cached() == torch.cuda.memory_reserved()
    seen = []
    torch._C._cuda_attach_out_of_memory_observer(lambda *sizes: seen.append(sizes))
    with pytest.raises(torch.cuda.OutOfMemoryError):
        torch.empty(1 << 50, device="cuda")
    assert seen and seen[0][1] == 4 << 50
    torch.cuda.ipc_collect()


def test_every_function_of_the_bindings_works_or_is_refused():
    # PyTorch's own function would call CUDA's runtime, and end the process.
    replaced = {*_names.BINDINGS, *_names.HOST_BINDINGS, *_bindings.OWN}
    others = [name for name in dir(torch._C) if name.startswith("_cuda_") and name not in replaced]
    assert _names.REFUSED_BINDINGS.keys() <= {*others}
    for name, value in _bindings.OWN.items():
        assert getattr(torch._C, name) is value
    for name in others:
        function = getattr(torch._C, name)
        if not isinstance(function, type):
            with pytest.raises(CudaOnlyError, match=f"torch._C.{name} does not exist on device"):
                function()


def captured(size, pool=None):
    """Graph that fills a tensor, and the tensor."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool):
        tensor = torch.ones(size, dtype=torch.uint8, device="cuda")
    return graph, tensor


def active_blocks(pool):
    return [
        block["address"]
        for segment in torch.cuda.memory_snapshot()
        for block in segment["blocks"]
        if segment["segment_pool_id"] == pool and block["state"] == "active_allocated"
    ]


def test_states_of_pools_of_graphs():
    graph, first = captured(512)
    pool, address = graph.pool(), first.data_ptr()
    storage = first.untyped_storage()
    metadata = {
        "dtype": first.dtype,
        "size": (4, 8),
        "stride": (16, 1),
        "storage_offset": first.storage_offset() + 3,
    }
    one_block = torch._C._cuda_getCheckpointState(0, pool)
    _second_graph, second = captured(512, pool)
    assert active_blocks(pool) == sorted([address, second.data_ptr()])
    torch._C._cuda_setCheckpointPoolState(0, one_block, [second.untyped_storage()._cdata])
    assert not torch._C._has_Standard_Deleter(second.untyped_storage()._cdata)
    assert active_blocks(pool) == [address]
    assert torch._C._cuda_checkPoolLiveAllocations(0, pool, {address})
    assert not torch._C._cuda_checkPoolLiveAllocations(0, pool, {address, second.data_ptr()})
    with pytest.raises(RuntimeError, match="does not own the memory"):
        torch._C._free_And_Remove_DeleterFn(second.untyped_storage()._cdata)

    with pytest.raises(RuntimeError, match="Invalid device index 9"):
        torch._C._cuda_getCheckpointState(9, pool)
    with pytest.raises(RuntimeError, match="Invalid device index -1"):
        torch._C._cuda_checkPoolLiveAllocations(-1, pool, set())

    # The first tensor's memory is freed by hand, and is in use again after the state is set.
    assert torch._C._has_Standard_Deleter(storage._cdata)
    torch._C._free_And_Remove_DeleterFn(storage._cdata)
    assert not torch._C._has_Standard_Deleter(storage._cdata) and active_blocks(pool) == []
    torch._C._cuda_setCheckpointPoolState(0, one_block, [], [storage._cdata])
    assert torch._C._has_Standard_Deleter(storage._cdata) and active_blocks(pool) == [address]
    view = torch._C._construct_CUDA_Tensor_From_Storage_And_Metadata(metadata, storage)
    assert view.data_ptr() == address + 3 and view.stride() == (16, 1) and view.is_cuda
    del first, storage, view
    assert active_blocks(pool) == []


def test_allocations_of_one_stream_go_to_a_pool():
    graph, _ = captured(512)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch._C._cuda_beginAllocateCurrentStreamToPool(0, graph.pool())
        inside = torch.ones(512, dtype=torch.uint8, device="cuda")
    outside = torch.ones(512, dtype=torch.uint8, device="cuda")
    torch._C._cuda_endAllocateCurrentStreamToPool(0, graph.pool())
    torch._C._cuda_releasePool(0, graph.pool())
    assert inside.data_ptr() in active_blocks(graph.pool())
    assert outside.data_ptr() not in active_blocks(graph.pool())


def test_random_numbers():
    torch.cuda.manual_seed_all(7)
    state = torch.cuda.get_rng_state("cuda")
    first = torch.rand(3, device="cuda")
    torch.cuda.set_rng_state(state)
    assert torch.equal(first, torch.rand(3, device="cuda"))
    generator = torch.Generator(device="cuda").manual_seed(7)
    assert generator.device == torch.device("cuda:0") or generator.device.type == "cuda"
    assert torch.equal(first, torch.rand(3, device="cuda", generator=generator))
    assert torch.cuda.default_generators[0].initial_seed() == torch.cuda.initial_seed() == 7
    with torch.random.fork_rng(devices=[0]):
        torch.rand(1, device="cuda")


def test_ranges_of_nvtx_are_in_the_profile(tmp_path):
    from torch.cuda import nvtx
    from torch.profiler import ProfilerActivity, profile

    x = torch.ones(16, device="cuda")
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as recorded:
        with nvtx.range("outer {}", 1):
            assert nvtx.range_push("inner") == 1
            x.abs().sum().item()
            assert nvtx.range_pop() == 1
        nvtx.mark("here")
        nvtx.range_end(nvtx.range_start("free"))
    averages = recorded.key_averages()
    names = {event.key for event in averages}
    assert {"outer 1", "inner", "here", "free"} <= names
    assert averages.table(sort_by="cuda_time_total", row_limit=3)
    assert sum(event.device_time_total for event in averages) > 0


def test_calls_of_the_runtime():
    runtime = torch.cuda.cudart()
    torch.cuda.check_error(runtime.cudaProfilerStart())
    torch.cuda.check_error(runtime.cudaProfilerStop())
    with torch.cuda.profiler.profile():
        torch.ones(4, device="cuda").sum().item()
    assert runtime.cudaMemGetInfo(0) == torch.cuda.mem_get_info(0)

    host = torch.zeros(1 << 16)
    assert not host.is_pinned()
    locked = runtime.cudaHostRegister(host.data_ptr(), host.nbytes, 0)
    assert locked == runtime.cudaError.success == 0 and host.is_pinned()
    torch.cuda.check_error(runtime.cudaHostUnregister(host.data_ptr()))
    assert not host.is_pinned()

    # PyTorch's own call: memory that processes share is locked until the tensor is freed.
    state = {"x": torch.ones(1 << 12, device="cuda")}
    shared = _create_cpu_state_dict(state, pin_memory=True, share_memory=True)
    assert shared["x"].is_shared() and shared["x"].is_pinned()
    del shared

    wrong = runtime.cudaHostUnregister(host.data_ptr())
    assert wrong != runtime.cudaError.success
    with pytest.raises(torch.cuda.CudaError, match=runtime.cudaGetErrorString(wrong)):
        torch.cuda.check_error(wrong)
    assert torch.ones(2, device="cuda").sum().item() == 2

    handle = torch.zeros(1, dtype=torch.int64)
    torch.cuda.check_error(runtime.cudaStreamCreate(handle.data_ptr()))
    with torch.cuda.stream(torch.cuda.ExternalStream(handle.item())):
        assert torch.ones(2, device="cuda").sum().item() == 2
    torch.cuda.synchronize()
    torch.cuda.check_error(runtime.cudaStreamDestroy(handle.item()))


def test_libraries_that_the_device_lacks_say_so():
    assert not torch.backends.cudnn.is_available() and torch.backends.cudnn.version() is None
    assert not torch.cuda.tunable.is_enabled()
    assert not torch.cuda.has_magma
    torch.backends.cudnn.benchmark = True
    assert not hasattr(torch.ones(1, device="cuda"), "__cuda_array_interface__")


def test_nccl_denotes_the_library_of_the_device(monkeypatch):
    distributed, backend = torch.distributed, torch.distributed.Backend
    others = {name: on for name, on in backend.backend_capability.items() if "simt" not in on}
    monkeypatch.setattr(backend, "backend_capability", others)
    assert not distributed.is_nccl_available()
    with pytest.raises(CudaOnlyError, match="no library for collectives"):
        distributed.init_process_group("nccl", rank=0, world_size=1, store=distributed.HashStore())
    monkeypatch.setattr(backend, "backend_capability", {**others, "acmeccl": ["simt"]})
    monkeypatch.setattr(backend, "_plugins", {"ACMECCL": None})
    assert distributed.is_nccl_available()
    assert backend("nccl") == backend("NCCL") == "acmeccl" and backend("gloo") == "gloo"
    config = distributed.distributed_c10d.BackendConfig("cpu:gloo,cuda:nccl")
    assert config.get_device_backend_map() == {"cpu": "gloo", "cuda": "acmeccl"}
