"""`torch.simt` has the functions of `torch.cuda`: streams, memory, mixed precision, files, workers, forks."""

from __future__ import annotations

import copy
import io
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from process import run  # noqa: E402


def test_devices_are_described() -> None:
    assert torch.simt.is_available() and torch.simt.device_count() == 2
    properties = torch.simt.get_device_properties("simt:1")
    assert properties.warp_size == 32 and properties.total_memory > 1 << 20
    assert torch.simt.get_device_capability() == (properties.major, properties.minor) == (7, 0)
    assert torch.simt.get_device_name() in repr(properties)
    assert torch.simt.get_device_properties(1) == properties  # the same object, as with CUDA
    free, total = torch.simt.mem_get_info()
    assert 0 < free <= total
    assert torch.simt.can_device_access_peer(0, 1)
    with pytest.raises(AssertionError, match="invalid device index 2"):
        torch.simt.get_device_properties(2)
    with pytest.raises(RuntimeError):
        torch.simt.set_device(2)


def test_accelerator_is_the_device() -> None:
    assert torch.accelerator.current_accelerator() == torch.device("simt")
    assert torch.accelerator.device_count() == 2
    with torch.simt.device(1):
        assert torch.accelerator.current_device_index() == 1
        assert torch.empty(1, device="simt").device == torch.device("simt:1")
    assert torch.accelerator.current_stream() == torch.simt.current_stream()
    torch.accelerator.synchronize()


def test_every_way_to_the_device() -> None:
    x = torch.arange(6.0).view(2, 3)
    linear = torch.nn.Linear(3, 2)
    packed = torch.nn.utils.rnn.pack_sequence([x])
    assert x.simt().is_simt and x.simt(1).device.index == 1 and x.to("simt").cpu().equal(x)
    assert linear.simt().weight.is_simt
    assert packed.simt().is_simt
    assert x.untyped_storage().simt().device == torch.device("simt:0")
    assert x.simt().type() == "torch.simt.FloatTensor"
    with torch.device("simt"):
        assert torch.ones(2).is_simt
    assert copy.deepcopy(x.simt()).cpu().equal(x)


def test_work_of_a_stream_is_awaited_by_another() -> None:
    first, second = torch.simt.Stream(), torch.simt.Stream(priority=-1)
    x = torch.ones(256, 256, device="simt")
    torch.simt.synchronize()
    begin, end = (torch.simt.Event(enable_timing=True) for _ in range(2))
    with torch.simt.stream(first):
        assert torch.simt.current_stream() == first
        begin.record()
        for _ in range(10):
            x = x @ x / 256
        end.record()
    with torch.simt.stream(second):
        second.wait_event(end)
        x.record_stream(second)
        total = x.sum()
    second.synchronize()
    assert second.query() and end.query()
    assert total.item() == 256 * 256
    assert begin.elapsed_time(end) > 0
    assert second.priority < first.priority == 0
    assert first.simt_stream != second.simt_stream
    assert torch.simt.default_stream().simt_stream == 0


def test_memory_is_counted() -> None:
    run("""
        import torch
        torch.simt.empty_cache()
        torch.simt.reset_peak_memory_stats()
        before = torch.simt.memory_allocated()
        x = torch.empty(3 << 20, dtype=torch.uint8, device="simt")
        assert torch.simt.memory_allocated() == before + (3 << 20)
        del x
        assert torch.simt.memory_allocated() == before
        assert torch.simt.max_memory_allocated() == before + (3 << 20)
        held = torch.simt.memory_reserved()
        torch.simt.empty_cache()
        assert torch.simt.memory_reserved() < held
        assert torch.simt.memory_stats()["allocated_bytes.all.current"] == before
        assert "allocated memory" in torch.simt.memory_summary()
        address = torch.simt.caching_allocator_alloc(1000)
        assert torch.simt.memory_allocated() > before
        assert {"address", "total_size", "blocks"} <= set(torch.simt.memory_snapshot()[0])
        torch.simt.caching_allocator_delete(address)
    """)


def test_a_part_of_the_memory() -> None:
    run("""
        import torch
        total = torch.simt.mem_get_info()[1]
        torch.simt.set_per_process_memory_fraction(64 * 2**20 / total)
        try:
            torch.empty(128 << 20, dtype=torch.uint8, device="simt")
        except torch.simt.OutOfMemoryError:
            torch.simt.set_per_process_memory_fraction(1.0)
            torch.empty(128 << 20, dtype=torch.uint8, device="simt")
        else:
            raise SystemExit("no error")
    """)


def test_mixed_precision() -> None:
    model = torch.nn.Linear(4, 4).simt()
    x = torch.randn(2, 4, device="simt")
    with torch.autocast("simt"):
        assert model(x).dtype == torch.float16
        assert model(x).softmax(-1).dtype == torch.float32
    with torch.autocast("simt", dtype=torch.bfloat16), torch.autocast("simt", enabled=False):
        assert model(x).dtype == torch.float32
    with torch.simt.amp.autocast(dtype=torch.bfloat16):
        assert (x @ x.T).dtype == torch.bfloat16


def test_gradients_that_are_no_numbers_skip_a_step() -> None:
    weight = torch.nn.Parameter(torch.ones(3, device="simt"))
    optimiser = torch.optim.SGD([weight], lr=1.0)
    scaler = torch.simt.amp.GradScaler(init_scale=4.0)
    for factor in (float("inf"), 2.0):
        optimiser.zero_grad()
        scaler.scale((weight * factor).sum()).backward()
        scaler.step(optimiser)
        scaler.update()
    assert scaler.get_scale() == 2.0
    assert weight.tolist() == [-1.0] * 3


def test_page_locked_memory() -> None:
    x = torch.arange(1000.0).pin_memory()
    assert x.is_pinned() and not torch.ones(2).is_pinned()
    moved = x.to("simt", non_blocking=True)
    torch.simt.synchronize()
    assert moved.cpu().equal(x)


@pytest.mark.parametrize(
    ("where", "place"),
    [
        (None, "simt:0"),
        ("cpu", "cpu"),
        ("simt:1", "simt:1"),
        ({"simt:0": "simt:1"}, "simt:1"),
    ],
)
def test_files(where: object, place: str, tmp_path: Path) -> None:
    model = torch.nn.Linear(3, 2)
    expected = model.weight.detach().clone()
    torch.save(model.simt().state_dict(), tmp_path / "model.pt")
    loaded = torch.load(tmp_path / "model.pt", map_location=where, weights_only=True)["weight"]
    assert loaded.device == torch.device(place)
    assert loaded.cpu().equal(expected)


def test_a_file_from_a_device_that_is_not_there() -> None:
    file = io.BytesIO()
    torch.save(torch.ones(2), file)
    file.seek(0)
    with pytest.raises(RuntimeError, match="device_count"):
        torch.load(file, map_location="simt:7", weights_only=True)


def test_workers_load_and_pin() -> None:
    data = torch.utils.data.TensorDataset(torch.arange(12.0))
    loader = torch.utils.data.DataLoader(
        data, batch_size=4, num_workers=2, pin_memory=True, pin_memory_device="simt"
    )
    torch.simt.init()
    batches = [batch for (batch,) in loader]
    assert all(batch.is_pinned() for batch in batches)
    assert torch.cat([batch.to("simt") for batch in batches]).cpu().tolist() == list(range(12))


def test_a_child_forked_after_use_is_told_and_one_forked_before_works() -> None:
    program = """
        import os, sys, torch
        def child(expected):
            pid = os.fork()
            if pid == 0:
                try:
                    total = torch.ones(3, device="simt").sum().item()
                    os._exit(0 if expected is None and total == 3 else 1)
                except RuntimeError as error:
                    os._exit(0 if expected and expected in str(error) else 2)
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        torch.manual_seed(0)
        assert child(None) == 0
        torch.ones(3, device="simt")
        torch.manual_seed(1)
        assert child("forked subprocess") == 0
        assert torch.ones(3, device="simt").sum().item() == 3
    """
    run(program)


def test_a_child_forked_after_use_cannot_use_tensors_of_its_parent() -> None:
    run(
        """
        import os, sys, torch
        x = torch.ones(3, device="simt")
        pid = os.fork()
        if pid == 0:
            try:
                (x + 1).cpu()
            except RuntimeError as error:
                os._exit(0 if "initialization error" in str(error) else 2)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert (x + 1).sum().item() == 6
        """
    )


def test_a_forked_worker_of_a_loader_is_told() -> None:
    run(
        """
        import torch
        class OnDevice(torch.utils.data.Dataset):
            def __len__(self):
                return 4
            def __getitem__(self, index):
                return torch.ones(2, device="simt") * index
        torch.ones(1, device="simt")
        try:
            list(torch.utils.data.DataLoader(OnDevice(), num_workers=2, timeout=30))
        except RuntimeError as error:
            assert "Cannot re-initialize SIMT in forked subprocess" in str(error), error
        else:
            raise AssertionError("the workers were not told")
        """
    )


def test_spawned_processes_use_the_device(tmp_path: Path) -> None:
    program = tmp_path / "spawned.py"
    program.write_text(
        textwrap.dedent("""
        import torch
        import torch.multiprocessing as multiprocessing

        def work(rank, results):
            results[rank] = torch.full((3,), float(rank), device=f"simt:{rank}").sum().item()

        if __name__ == "__main__":
            torch.ones(1, device="simt")
            with multiprocessing.Manager() as manager:
                results = manager.dict()
                multiprocessing.spawn(work, (results,), nprocs=2)
                assert dict(results) == {0: 0.0, 1: 3.0}, results
        """)
    )
    subprocess.run([sys.executable, str(program)], check=True, timeout=300)


def test_checkpointed_parts_are_computed_again_with_the_same_random_numbers() -> None:
    from torch.utils.checkpoint import checkpoint

    x = torch.ones(1000, device="simt", requires_grad=True)
    seen: list[object] = []

    def dropped(given):  # type: ignore[no-untyped-def]
        result = torch.nn.functional.dropout(given, 0.5)
        seen.append(result.detach().clone())
        return result * given

    checkpoint(dropped, x, use_reentrant=False).sum().backward()
    first, again = seen
    assert first.equal(again) and 0 < first.count_nonzero().item() < 1000


def test_random_state_is_forked() -> None:
    with torch.random.fork_rng(device_type="simt"):
        inside = torch.rand(4, device="simt")
    assert torch.rand(4, device="simt").equal(inside)


def test_the_profiler_sees_ops() -> None:
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU]) as profiled:
        torch.ones(8, 8, device="simt").mm(torch.ones(8, 8, device="simt"))
    assert "aten::mm" in {event.key for event in profiled.key_averages()}


def test_a_graph_is_replayed() -> None:
    x = torch.zeros(4, device="simt")
    x.add_(1)
    graph = torch.simt.Graph()
    with torch.simt.graph(graph):
        y = x * 2
        assert torch.simt.is_current_stream_capturing()
    x.fill_(5)
    graph.replay()
    torch.simt.synchronize()
    assert y.tolist() == [10.0] * 4


def test_fallback_is_counted_and_may_be_forbidden() -> None:
    torch.simt.reset_metrics()
    torch.ones(3, device="simt").add(1).sum().item()
    assert torch.simt.metrics() == {}
    # CUDA has no kernel for it either.
    x, out = torch.rand(4, 4, device="simt"), torch.empty(2, 4, device="simt")
    torch.ops.aten.narrow_copy.out(x, 0, 1, 2, out=out)
    assert torch.equal(out.cpu(), x.cpu()[1:3])
    assert torch.simt.metrics() == {"aten::narrow_copy.out": 1}
    with torch.simt.no_fallback(), pytest.raises(NotImplementedError, match="narrow_copy"):
        torch.ops.aten.narrow_copy.out(x, 0, 1, 2, out=out)
    torch.simt.reset_metrics()
    assert torch.simt.metrics() == {}


def test_an_op_without_any_kernel_says_how_to_build_one() -> None:
    lacking = [
        op
        for op in ("aten::_thnn_fused_lstm_cell", "aten::_cudnn_rnn", "aten::_fused_sdp_choice")
        if not any(
            torch._C._dispatch_has_kernel_for_dispatch_key(op, key)
            for key in ("PrivateUse1", "CPU", "CompositeImplicitAutograd")
        )
    ]
    assert lacking  # cuDNN is on no device but CUDA's
    for op in lacking:
        call = getattr(torch.ops.aten, op.partition("::")[2]).default
        arguments = [argument_of(argument) for argument in call._schema.arguments]
        with pytest.raises(NotImplementedError) as caught:
            call(*arguments)
        said = str(caught.value).splitlines()[0]
        assert said.startswith(f"'{op}' has neither a kernel for this device nor one for the CPU")
        assert "--kernels all" in said


def argument_of(argument: object) -> object:
    """Valid value for an argument of a schema."""
    kinds = {
        "Tensor": torch.ones(2, 2, device="simt"),
        "List[Tensor]": [torch.ones(2, 2, device="simt")],
        "int": 1,
        "number": 1,
        "float": 1.0,
        "bool": False,
        "List[int]": [],
    }
    return kinds.get(str(argument.type))  # type: ignore[attr-defined]


def test_an_lstm_runs_or_says_what_is_missing() -> None:
    network = torch.nn.LSTM(4, 3).simt()
    try:
        output, _ = network(torch.ones(2, 1, 4, device="simt"))
    except NotImplementedError as error:
        first = str(error).splitlines()[0]
        assert first.startswith("'aten::_thnn_fused_lstm_cell' has neither")
    else:
        assert output.shape == (2, 1, 3)


def test_sparse_ops_run_or_say_what_is_missing() -> None:
    dense = torch.eye(3, device="simt")
    try:
        product = dense.to_sparse() @ dense
    except NotImplementedError as error:
        first = str(error).splitlines()[0]
        assert "has no kernel for sparse tensors of this device" in first
        assert "--kernels all" in first
    else:
        assert product.equal(dense)
