"""History, settings and pools of the caching allocator, compared with torch.cuda.memory."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from torch.cuda import _memory_viz  # noqa: E402
from torch.simt import memory  # noqa: E402

LARGE = 24 << 20
"""Size in bytes of an allocation that gets its own segment."""


@pytest.fixture
def recording() -> Iterator[None]:
    torch.simt.empty_cache()
    yield
    memory._record_memory_history(None)


def allocated(snapshot: dict[str, Any], size: int) -> list[dict[str, Any]]:
    return [
        block
        for segment in snapshot["segments"]
        for block in segment["blocks"]
        if block["state"] == "active_allocated" and block["requested_size"] == size
    ]


def history(snapshot: dict[str, Any], size: int, device: int = 0) -> list[str]:
    trace = snapshot["device_traces"][device]
    return [entry["action"] for entry in trace if entry["size"] == size]


def somewhere() -> Any:
    return torch.empty(LARGE, dtype=torch.uint8, device="simt")


@pytest.mark.usefixtures("recording")
def test_a_block_has_the_frames_of_its_allocation() -> None:
    memory._record_memory_history(stacks="python")
    x = somewhere()
    (block,) = allocated(memory._snapshot(), x.nbytes)
    names = [frame["name"] for frame in block["frames"]]
    assert names[:2] == ["somewhere", "test_a_block_has_the_frames_of_its_allocation"]
    assert block["frames"][0]["filename"] == __file__
    assert block["frames"][0]["line"] == somewhere.__code__.co_firstlineno + 1


@pytest.mark.usefixtures("recording")
def test_frames_of_cpp_are_there_where_they_are_asked_for() -> None:
    memory._record_memory_history(stacks="all")
    x = somewhere()
    (block,) = allocated(memory._snapshot(), x.nbytes)
    names = [frame["name"] for frame in block["frames"]]
    assert "somewhere" in names
    assert any("at::" in name or "c10::" in name for name in names)


@pytest.mark.usefixtures("recording")
def test_a_history_has_what_was_freed() -> None:
    memory._record_memory_history()
    x = torch.empty(LARGE, dtype=torch.uint8, device="simt:1")
    del x
    torch.simt.empty_cache()
    found = history(memory._snapshot(), LARGE, device=1)
    assert found == ["segment_alloc", "alloc", "free_requested", "free_completed", "segment_free"]
    entry = memory._snapshot()["device_traces"][1][0]
    assert entry["time_us"] > 1_600_000_000_000_000 and entry["frames"]


@pytest.mark.usefixtures("recording")
def test_the_extent_and_the_length_of_a_history() -> None:
    memory._record_memory_history("state", stacks="python")
    x = somewhere()
    assert allocated(memory._snapshot(), x.nbytes)[0]["frames"]
    assert len(memory._snapshot()["device_traces"][0]) <= 1
    memory._record_memory_history(context=None, max_entries=3)
    for _ in range(5):
        torch.empty(8, device="simt")
    assert len(memory._snapshot()["device_traces"][0]) == 3
    memory._record_memory_history(None)
    torch.empty(LARGE * 2, dtype=torch.uint8, device="simt")
    assert history(memory._snapshot(), LARGE * 2) == []
    for wrong in ({"enabled": "some"}, {"context": "none"}, {"stacks": "cpp"}):
        with pytest.raises(RuntimeError, match="of a memory history: those are"):
            memory._record_memory_history(**wrong)


@pytest.mark.usefixtures("recording")
def test_memory_that_ran_out_is_in_the_history() -> None:
    memory._record_memory_history(stacks="python")
    with pytest.raises(torch.OutOfMemoryError):
        torch.empty(1 << 50, dtype=torch.uint8, device="simt")
    (entry,) = (e for e in memory._snapshot()["device_traces"][0] if e["action"] == "oom")
    assert entry["size"] == 1 << 50 and entry["device_free"] > 0


@pytest.mark.usefixtures("recording")
def test_ranges_stand_beside_allocations() -> None:
    memory._record_memory_history(stacks="python")
    with torch.profiler.record_function("a range"):
        torch.empty(8, device="simt")
    found = [a for a in memory._snapshot()["external_annotations"] if a["name"] == "a range"]
    assert [(each["stage"], each["device"]) for each in found if each["device"] == 0] == [
        ("START", 0),
        ("END", 0),
    ]


@pytest.mark.usefixtures("recording")
def test_pytorchs_tools_read_a_snapshot(tmp_path: Path) -> None:
    memory._record_memory_history(stacks="python")
    pool = torch.simt.MemPool()  # so that no segment of earlier tests is used
    with torch.simt.use_mem_pool(pool):
        x = somewhere()
    memory._dump_snapshot(str(tmp_path / "snapshot.pickle"))
    snapshot = pickle.loads((tmp_path / "snapshot.pickle").read_bytes())
    (segment,) = (s for s in snapshot["segments"] if tuple(s["segment_pool_id"]) == pool.id)
    assert segment["total_size"] == LARGE
    assert f"{LARGE / 2**20:.1f}MiB" in _memory_viz.segsum(snapshot)
    assert "alloc" in _memory_viz.trace(snapshot)
    assert "<html>" in _memory_viz.trace_plot(snapshot).lower()
    assert "<html>" in _memory_viz.segment_plot(snapshot).lower()
    assert x.nbytes == LARGE


def test_a_snapshot_has_the_keys_of_torch_cuda() -> None:
    snapshot = memory._snapshot()
    assert set(snapshot) == {
        "segments",
        "device_traces",
        "allocator_settings",
        "external_annotations",
    }
    assert set(snapshot["allocator_settings"]) == {
        "PYTORCH_CUDA_ALLOC_CONF",
        "max_split_size",
        "garbage_collection_threshold",
        "expandable_segments",
        "pinned_num_register_threads",
        "release_lock_on_cudamalloc",
        "pinned_use_cuda_host_register",
        "roundup_power2_divisions",
    }
    assert len(snapshot["device_traces"]) == 2


def test_settings_are_changed_while_the_program_runs() -> None:
    try:
        memory._set_allocator_settings("max_split_size_mb:40,garbage_collection_threshold:0.5")
        settings = memory._snapshot()["allocator_settings"]
        assert settings["max_split_size"] == 40 << 20
        assert settings["garbage_collection_threshold"] == 0.5
        with pytest.raises(RuntimeError):
            memory._set_allocator_settings("no_such_setting:1")
    finally:
        memory._set_allocator_settings("")


def test_a_pool_has_segments_of_its_own() -> None:
    pool = torch.simt.MemPool()
    outside = torch.empty(8, device="simt")
    with torch.simt.use_mem_pool(pool):
        inside = torch.empty(LARGE, dtype=torch.uint8, device="simt")
        assert torch.simt.MemPoolContext.active_pool() is pool
    assert torch.simt.MemPoolContext.active_pool() is None
    (segment,) = pool.snapshot()
    assert tuple(segment["segment_pool_id"]) == pool.id
    assert segment["address"] <= inside.data_ptr() < segment["address"] + segment["total_size"]
    assert not segment["address"] <= outside.data_ptr() < segment["address"] + segment["total_size"]
    other = torch.simt.MemPool()
    assert other.id != pool.id and other.snapshot() == [] and other.allocator is None
    assert pool.use_count() == 1


def test_memory_of_a_pool_is_given_back_with_it() -> None:
    torch.simt.empty_cache()
    before = torch.simt.memory_reserved()
    pool = torch.simt.MemPool()
    with torch.simt.use_mem_pool(pool):
        x = torch.empty(LARGE, dtype=torch.uint8, device="simt")
    del x
    with torch.simt.use_mem_pool(pool):  # the same memory again
        y = torch.empty(LARGE, dtype=torch.uint8, device="simt")
    assert torch.simt.memory_reserved() == before + LARGE
    del y
    del pool
    assert torch.simt.memory_reserved() == before


def test_a_pool_is_of_one_device() -> None:
    pool = torch.simt.MemPool()
    with torch.simt.use_mem_pool(pool, device=1):
        there = torch.empty(LARGE, dtype=torch.uint8, device="simt:1")
        torch.empty(LARGE, dtype=torch.uint8, device="simt:0")
    assert [segment["device"] for segment in pool.snapshot()] == [1]
    assert there.device.index == 1


def test_the_allocator_of_a_pool_cannot_be_exchanged() -> None:
    with pytest.raises(NotImplementedError, match="cannot be exchanged"):
        torch.simt.MemPool(object())
