"""torch.profiler with the device's activity: time of each op and kernel, streams as rows of a trace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from process import finished

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from torch.autograd import DeviceType  # noqa: E402
from torch.profiler import ProfilerActivity, profile, record_function, schedule  # noqa: E402

BOTH = [ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]


def device_events(profiled: Any) -> list[Any]:
    return [event for event in profiled.events() if event.device_type == DeviceType.PrivateUse1]


def averages(profiled: Any) -> dict[str, Any]:
    return {row.key: row for row in profiled.key_averages() if row.device_type == DeviceType.CPU}


def trace_of(profiled: Any, folder: Path) -> list[dict[str, Any]]:
    profiled.export_chrome_trace(str(folder / "trace.json"))
    found: list[dict[str, Any]] = json.loads((folder / "trace.json").read_text())["traceEvents"]
    return found


def test_the_activity_is_supported() -> None:
    assert ProfilerActivity.PrivateUse1 in torch.profiler.supported_activities()
    assert ProfilerActivity.PrivateUse1 in torch.autograd._supported_activities()


def test_ops_have_the_time_of_their_kernels() -> None:
    x = torch.randn(512, 512, device="simt")
    y = torch.randn(8, device="simt")
    with profile(activities=BOTH) as profiled:
        (x @ x).sum()
        y + 1
        torch.simt.synchronize()
    rows = averages(profiled)
    assert rows["aten::mm"].self_device_time_total > 10 * rows["aten::add"].self_device_time_total
    assert rows["aten::add"].self_device_time_total > 0
    # The product is a call of the library within aten::matmul, whose time holds that of aten::mm.
    assert rows["aten::matmul"].self_device_time_total == 0
    assert rows["aten::matmul"].device_time_total == rows["aten::mm"].device_time_total
    kernels = {event.name for event in device_events(profiled)}
    assert any("gemm" in name.lower() for name in kernels)
    assert any("reduce_kernel<" in name for name in kernels)
    # Elementwise operators run as loops (docs/decisions/0019-element-loops.md).
    assert any("run_dense<" in name for name in kernels)
    table = profiled.key_averages().table(sort_by="self_device_time_total")
    assert "Self SIMT" in table and "SIMT total" in table and "aten::mm" in table


def test_kernels_of_the_backward_pass_belong_to_its_ops() -> None:
    layer = torch.nn.Linear(64, 64, device="simt")
    x = torch.randn(32, 64, device="simt")
    with profile(activities=BOTH) as profiled:
        layer(x).sum().backward()
        torch.simt.synchronize()
    rows = averages(profiled)
    assert rows["AddmmBackward0"].device_time_total > 0
    assert rows["aten::addmm"].self_device_time_total > 0
    total = sum(event.time_range.elapsed_us() for event in device_events(profiled))
    assert total == pytest.approx(sum(row.self_device_time_total for row in rows.values()))


def test_a_trace_has_a_row_for_each_stream(tmp_path: Path) -> None:
    side = torch.simt.Stream()
    x = torch.randn(256, 256, device="simt")
    torch.simt.synchronize()
    with profile(activities=BOTH) as profiled:
        with record_function("first"):
            x.sin()
        with torch.simt.stream(side):
            x.cos()
        with torch.simt.device(1):
            torch.zeros(8, device="simt:1")
        x.cpu()
        torch.simt.synchronize()
    events = trace_of(profiled, tmp_path)
    kernels = [event for event in events if event.get("cat") == "kernel"]
    by_row: dict[tuple[int, int], str] = {}
    for kernel in kernels:
        assert kernel["ts"] > 0 and kernel["dur"] > 0
        assert kernel["args"]["stream"] == kernel["tid"]
        by_row[kernel["pid"], kernel["tid"]] = kernel["name"]
    assert len({stream for device, stream in by_row if device == 0}) == 2
    names = {
        (event["pid"], event["tid"]): event["args"]["name"]
        for event in events
        if event["name"] == "thread_name"
    }
    assert all(names[row] == f"stream {row[1]}" for row in by_row)
    devices = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    assert devices[0] == "simt:0"
    assert [event for event in events if event.get("cat") == "gpu_memcpy"]
    # A call is linked with what it put on a stream by an arrow.
    starts = {event["id"] for event in events if event["ph"] == "s" and event["cat"] == "ac2g"}
    ends = {event["id"] for event in events if event["ph"] == "f" and event["cat"] == "ac2g"}
    assert ends and ends <= starts
    calls = {event["name"] for event in events if event.get("cat") == "privateuse1_runtime"}
    assert {"simtLaunchKernel", "simtMemcpyAsync"} <= calls
    ops = {
        event["args"]["External id"]: event["name"]
        for event in events
        if event.get("cat") == "cpu_op"
    }
    launched_by = {ops[kernel["args"]["External id"]] for kernel in kernels}
    assert {"aten::sin", "aten::cos"} <= launched_by


def test_kernels_run_within_the_time_of_the_profile(tmp_path: Path) -> None:
    x = torch.randn(1000, device="simt")
    with profile(activities=BOTH) as profiled:
        x.exp()
        torch.simt.synchronize()
    events = trace_of(profiled, tmp_path)
    (op,) = (event for event in events if event["name"] == "aten::exp")
    (kernel,) = (event for event in events if event.get("cat") == "kernel")
    (wait,) = (e for e in events if e["name"] == "Record Window End")
    assert op["ts"] <= kernel["ts"] <= kernel["ts"] + kernel["dur"] <= wait["ts"]


def test_a_schedule_profiles_its_steps_only() -> None:
    x = torch.randn(64, device="simt")
    seen: list[int] = []

    def count(profiled: Any) -> None:
        seen.append(len([e for e in device_events(profiled) if "sin" in e.name.lower()]))

    with profile(
        activities=BOTH, schedule=schedule(wait=1, warmup=1, active=2), on_trace_ready=count
    ) as profiled:
        for _ in range(4):
            x.sin()
            torch.simt.synchronize()
            profiled.step()
    assert seen == [2]


def test_the_device_alone() -> None:
    x = torch.randn(64, device="simt")
    with profile(activities=[ProfilerActivity.PrivateUse1]) as profiled:
        x.sin()
        torch.simt.synchronize()
    assert [event.name for event in profiled.events()]
    assert {event.device_type for event in device_events(profiled)} == {DeviceType.PrivateUse1}


def test_the_cpu_alone_has_no_device_events() -> None:
    x = torch.randn(64, device="simt")
    with profile(activities=[ProfilerActivity.CPU]) as profiled:
        x.sin()
        torch.simt.synchronize()
    assert device_events(profiled) == []
    assert "aten::sin" in averages(profiled)


def test_replayed_graphs_are_seen() -> None:
    x = torch.ones(16, device="simt")
    graph = torch.simt.Graph()
    with torch.simt.graph(graph):
        y = x * 2
    with profile(activities=BOTH) as profiled:
        graph.replay()
        torch.simt.synchronize()
    # A replay begins by setting the state of random numbers.
    kernels = [event for event in device_events(profiled) if "FillFunctor" not in event.name]
    assert len(kernels) == 1
    assert y.sum().item() == 32


def test_memory_is_told_beside_the_time() -> None:
    with profile(activities=BOTH, profile_memory=True, record_shapes=True) as profiled:
        torch.ones(1024, device="simt")
        torch.simt.synchronize()
    row = averages(profiled)["aten::ones"]
    assert row.device_memory_usage == 4096


def test_the_older_profiler_times_ops_by_events() -> None:
    x = torch.randn(256, 256, device="simt")
    with torch.autograd.profiler.profile(use_device="simt") as profiled:
        x @ x
    assert "aten::mm" in {event.name for event in profiled.function_events}


EVENTS = """
import json
import torch
from torch.autograd import DeviceType  # noqa: E402
from torch.profiler import ProfilerActivity, profile  # noqa: E402

x = torch.randn(600, 600, device="simt")
x @ x
torch.simt.synchronize()
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]) as profiled:
    torch.ones(4) + 1
    y = x @ x
    z = y.softmax(0)
rows = {r.key: r.self_device_time_total for r in profiled.key_averages() if r.device_type == DeviceType.CPU}
names = [e.name for e in profiled.events() if e.device_type == DeviceType.PrivateUse1]
print(json.dumps([rows, names]))
"""


def test_without_an_activity_api_events_give_the_time_of_each_op() -> None:
    done = finished(EVENTS, TORCH_SIMT_PROFILER="events")
    assert done.returncode == 0, done.stderr
    assert "CUPTI" not in done.stderr
    rows, names = json.loads(done.stdout.splitlines()[-1])
    assert {"aten::mm", "aten::_softmax"} <= set(names)
    assert rows["aten::mm"] > 0 and rows["aten::_softmax"] > 0
    assert rows["aten::matmul"] < rows["aten::mm"]


QUIET = """
import torch
from torch.profiler import ProfilerActivity, profile
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]) as profiled:
    torch.ones(4) + 1
print(torch.simt.is_initialized(), len(profiled.events()) > 0)
"""


@pytest.mark.parametrize("source", ["", "events"])
def test_a_profile_of_the_cpu_does_not_touch_the_device(source: str) -> None:
    done = finished(QUIET, TORCH_SIMT_PROFILER=source)
    assert done.returncode == 0, done.stderr
    assert "CUPTI" not in done.stderr
    assert done.stdout.split()[-1] == "True"
