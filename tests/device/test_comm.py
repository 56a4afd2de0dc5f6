"""Collectives and copies between devices of one process: `torch.simt.nccl` and `torch.simt.comm`."""

from __future__ import annotations

import re

import pytest
import torch
from torch.profiler import ProfilerActivity, profile

simt = torch.simt  # type: ignore[attr-defined]
nccl, comm = simt.nccl, simt.comm

pytestmark = pytest.mark.skipif(simt.device_count() < 2, reason="needs two devices")


def on_devices(*rows: list[float]) -> list[torch.Tensor]:
    """A tensor of each row, each on a device of its own."""
    return [torch.tensor(row, device=f"simt:{index}") for index, row in enumerate(rows)]


def test_all_reduce_and_reduce() -> None:
    inputs = on_devices([1.0, 2.0], [10.0, 20.0])
    outputs = [torch.empty_like(each) for each in inputs]
    nccl.all_reduce(inputs, outputs)
    assert [each.tolist() for each in outputs] == [[11.0, 22.0]] * 2
    nccl.all_reduce(inputs, op=nccl.MAX)
    assert [each.tolist() for each in inputs] == [[10.0, 20.0]] * 2
    nccl.reduce(inputs, output=outputs[1], root=1)
    assert outputs[1].tolist() == [20.0, 40.0]
    with pytest.warns(FutureWarning, match="deprecated"):
        nccl.reduce(inputs, outputs, root=0)
    assert outputs[0].tolist() == [20.0, 40.0]


def test_broadcast_all_gather_and_reduce_scatter() -> None:
    inputs = on_devices([1.0, 2.0], [0.0, 0.0])
    nccl.broadcast(inputs)
    assert inputs[1].tolist() == [1.0, 2.0]
    gathered = on_devices([0.0] * 4, [0.0] * 4)
    nccl.all_gather(inputs, gathered)
    assert [each.tolist() for each in gathered] == [[1.0, 2.0] * 2] * 2
    scattered = on_devices([0.0], [0.0])
    nccl.reduce_scatter(inputs, scattered)
    assert [each.tolist() for each in scattered] == [[2.0], [4.0]]


def test_streams_and_communicators_of_the_caller() -> None:
    inputs = on_devices([1.0], [2.0])
    streams = [simt.Stream(each.device) for each in inputs]
    for stream, each in zip(streams, inputs, strict=True):
        stream.wait_stream(simt.current_stream(each.device))
    nccl.all_reduce(inputs, streams=streams)
    for stream in streams:
        stream.synchronize()
    assert [each.item() for each in inputs] == [3.0, 3.0]
    alone = nccl.init_rank(1, nccl.unique_id(), 0)
    nccl.all_reduce(inputs[:1], comms=[alone])
    assert inputs[0].item() == 3.0
    with pytest.raises(ValueError, match="numbers of communicators and of inputs"):
        nccl.all_reduce(inputs, comms=[alone])
    with pytest.raises(ValueError, match="a unique id has 128 bytes, not 3"):
        nccl.init_rank(1, b"bad", 0)


def test_unsuitable_tensors() -> None:
    one, two = on_devices([1.0], [2.0])
    assert nccl.is_available([one, two])
    assert not nccl.is_available([one, one])
    assert not nccl.is_available([one, two.cpu()])
    assert not nccl.is_available([one, two.to_sparse()])
    with pytest.raises(RuntimeError, match="unique devices"):
        nccl.all_reduce([one, one])
    with pytest.raises(RuntimeError, match="same number of elements"):
        nccl.all_reduce([one, torch.ones(2, device="simt:1")])
    with pytest.raises(TypeError):
        nccl.all_reduce(one)
    assert nccl.version() == simt.distributed.version()


def test_copies_and_sums() -> None:
    x = torch.arange(6.0, device="simt:0").reshape(3, 2)
    copies = comm.broadcast(x, [0, 1])
    assert [str(each.device) for each in copies] == ["simt:0", "simt:1"]
    first, second = comm.broadcast_coalesced([x, x + 1], [0, 1])
    assert second[1].cpu().equal(first[1].cpu())
    assert comm.reduce_add(copies, 1).cpu().equal(2 * x.cpu())
    assert comm.reduce_add_coalesced([first, second], 0)[1].equal(2 * (x + 1))
    parts = comm.scatter(x, [0, 1], chunk_sizes=[1, 2])
    assert [each.shape[0] for each in parts] == [1, 2]
    assert comm.gather(parts, destination="cpu").equal(x.cpu())
    with pytest.raises(RuntimeError, match="no input is on the destination"):
        comm.reduce_add([copies[1]], 0)
    with pytest.raises(ValueError, match="different shapes"):
        comm.reduce_add([x, copies[1][:1]], 0)


def test_a_part_on_the_device_of_the_tensor_is_a_view() -> None:
    x = torch.arange(8.0, device="simt:0").reshape(2, 4)
    parts = comm.scatter(x, [0, 1], dim=1)
    assert parts[0].data_ptr() == x.data_ptr() and parts[0].stride() == (4, 1)
    images = torch.randn(4, 3, 8, 8).contiguous(memory_format=torch.channels_last)
    parts = comm.scatter(images, [0, 1])
    gathered = comm.gather(parts)
    for each in (*parts, gathered):
        assert each.is_contiguous(memory_format=torch.channels_last)
    assert gathered.cpu().equal(images)


X, HOST = torch.ones(4, 2), torch.ones(2, 2)
WRONG = {
    "at index 1 has device 'cpu'": lambda x, y: comm.broadcast(X, out=[x, X]),
    "at index 1 has shape [2, 4]": lambda x, y: comm.broadcast(X, out=[x, y.reshape(2, 4)]),
    "Exactly one of 'devices' and 'out'": lambda x, y: comm.broadcast(X, [0], out=[x]),
    "at least one device to scatter to": lambda x, y: comm.scatter(X, []),
    "2 devices and 3 sizes": lambda x, y: comm.scatter(X, [0, 1], [1, 1, 2]),
    "'devices' must not be specified": lambda x, y: comm.scatter(X, [0], out=[x]),
    "'chunk_sizes' must not be specified": lambda x, y: comm.scatter(X, chunk_sizes=[4], out=[x]),
    "at least one output tensor": lambda x, y: comm.scatter(X, out=[]),
    "output tensor at index 0 has device 'cpu'": lambda x, y: comm.scatter(X, out=[HOST, HOST]),
    "incorrect shape: [2, 1]": lambda x, y: comm.scatter(X, out=[x[:2], y[:2, :1]]),
    "dim 0 does not match the source tensor: 3, not 4": lambda x, y: comm.scatter(
        X, out=[x[:2], y[:1]]
    ),
    "at least one tensor to gather": lambda x, y: comm.gather([]),
    "input tensor at index 1 has device 'cpu'": lambda x, y: comm.gather([x, X]),
    "3 dimensions, expected 2": lambda x, y: comm.gather([x, y.unsqueeze(0)]),
    "index 1 has invalid shape [4, 1], expected [4, 2]": lambda x, y: comm.gather([x, y[:, :1]]),
    "'destination' must not be specified": lambda x, y: comm.gather([x], destination=0, out=x),
}
"""Maps a part of the error's message to a call with a tensor on each device."""


@pytest.mark.parametrize("message", WRONG)
def test_wrong_tensors(message: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(message)):
        WRONG[message](X.to("simt:0"), X.to("simt:1"))


def network() -> torch.nn.Sequential:
    """Module with parameters, and with buffers that have gradients and buffers that have none."""
    torch.manual_seed(0)
    net = torch.nn.Sequential(
        torch.nn.Linear(6, 16), torch.nn.BatchNorm1d(16), torch.nn.Linear(16, 3)
    )
    return net.to("simt:0")


def test_data_parallel_gives_the_results_and_gradients_of_one_device() -> None:
    batch = torch.randn(8, 6)
    alone, parallel = network(), torch.nn.DataParallel(network())
    assert parallel.device_ids[:2] == [0, 1]
    expected = torch.cat(
        [alone(part) for part in batch.to("simt:0").chunk(len(parallel.device_ids))]
    )
    result = parallel(batch)
    torch.testing.assert_close(result, expected)
    result.square().sum().backward()
    expected.square().sum().backward()
    for own, other in zip(parallel.module.parameters(), alone.parameters(), strict=True):
        torch.testing.assert_close(own.grad, other.grad)
    with torch.no_grad(), torch.autocast("simt", dtype=torch.bfloat16):
        assert parallel(batch).dtype == torch.bfloat16
    by_function = torch.nn.parallel.data_parallel(network(), batch.to("simt:0"), [0, 1])
    torch.testing.assert_close(by_function, result)


def test_data_parallel_raises_the_exception_of_a_replica() -> None:
    class Picky(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if x.device.index == 1:
                raise ValueError(f"nothing for {x.device}")
            return x

    with pytest.raises(ValueError, match="replica 1 on device 1") as raised:
        torch.nn.DataParallel(Picky(), device_ids=[0, 1])(torch.ones(2))
    assert "nothing for simt:1" in str(raised.value)


def test_tensors_of_the_cpu_are_copied_to_the_device_by_torch_nn_parallel() -> None:
    parts = torch.nn.parallel.scatter(torch.arange(4.0), [0, 1])
    assert [each.device.index for each in parts] == [0, 1]
    whole = torch.nn.parallel.gather(parts, "cpu")
    assert whole.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert whole.device.type == "cpu"


def test_the_profiler_shows_collectives_of_the_device() -> None:
    inputs = on_devices([1.0], [2.0])
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]) as recorded:
        nccl.all_reduce(inputs)
        for device in range(2):
            simt.synchronize(device)
    events = [event for event in recorded.events() if event.name == "all_reduce"]
    assert sorted(event.device_index for event in events) == [0, 1]
    assert {event.device_type.name for event in events} == {"PrivateUse1"}
