"""Program of one rank of tests/device/test_distributed.py.

    python distributed_ranks.py RANK RANKS STORE_FILE CASE...

Each case runs on all ranks in the same order and prints `CASE ok`. A failed case ends the program with its traceback.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from distributed_models import (
    checkpoint,
    ddp,
    dtensor,
    expect_losses_of_one_process,
    fsdp1,
    fsdp2,
    losses_of,
    model,
    sync_batch_norm,
)
from rank_arguments import DEVICE, RANK, RANKS
from torch.distributed import _symmetric_memory as symmetric
from torch.nn.parallel import DistributedDataParallel
from torch.profiler import ProfilerActivity, profile

REAL = (torch.float32, torch.float64, torch.float16, torch.bfloat16)


class SlowAdditions(dist.Store):
    """Store that slows rank 0 down between its two additions for a new communicator, and rank 1 before its first."""

    def __init__(self, store: dist.Store) -> None:
        super().__init__()
        self.store = store

    def add(self, key: str, amount: int) -> int:
        if key.endswith("joining/0/0" if RANK else "joining/0"):
            time.sleep(0.1 if RANK else 0.3)
        return self.store.add(key, amount)

    def set(self, key: str, value: str) -> None:
        self.store.set(key, value)

    def get(self, key: str) -> bytes:
        return self.store.get(key)

    def check(self, keys: list[str]) -> bool:
        return self.store.check(keys)

    def wait(self, keys: list[str], *timeout: timedelta) -> None:
        self.store.wait(keys, *timeout)


def collectives() -> None:
    assert "simt:simtccl" in dist.get_backend_config()
    for dtype in (*REAL, torch.int8, torch.int64, torch.uint8):
        value = torch.full((1000,), RANK + 1, dtype=dtype, device=DEVICE)
        dist.all_reduce(value)
        assert value.unique().tolist() == [RANKS * (RANKS + 1) // 2], dtype
    value = torch.full((5,), float(RANK), device=DEVICE)
    dist.all_reduce(value, op=dist.ReduceOp.MAX)
    assert value.tolist() == [RANKS - 1] * 5
    gathered = [torch.empty(3, device=DEVICE) for _ in range(RANKS)]
    dist.all_gather(gathered, torch.full((3,), float(RANK), device=DEVICE))
    assert [one[0].item() for one in gathered] == list(range(RANKS))
    scattered = torch.empty(2, device=DEVICE)
    dist.reduce_scatter_tensor(scattered, torch.arange(2.0 * RANKS, device=DEVICE))
    assert scattered.tolist() == [RANKS * 2.0 * RANK, RANKS * (2.0 * RANK + 1)]
    sent = torch.arange(RANKS, dtype=torch.float32, device=DEVICE) + 10 * RANK
    received = torch.empty_like(sent)
    dist.all_to_all_single(received, sent)
    assert received.tolist() == [10.0 * peer + RANK for peer in range(RANKS)]
    value = torch.full((4,), float(RANK), device=DEVICE)
    dist.broadcast(value, src=1)
    assert value.tolist() == [1.0] * 4
    work = dist.all_reduce(value, async_op=True)
    assert work is not None
    work.wait()
    assert value.tolist() == [float(RANKS)] * 4
    objects: list[Any] = [None] * RANKS
    dist.all_gather_object(objects, {"rank": RANK})
    assert objects == [{"rank": rank} for rank in range(RANKS)]
    dist.barrier()


def messages() -> None:
    large = 1 << 20  # more than the channels between two ranks hold
    peer = 1 - RANK
    sent = torch.full((large,), float(RANK), device=DEVICE)
    received = torch.empty_like(sent)
    operations = [dist.P2POp(dist.isend, sent, peer), dist.P2POp(dist.irecv, received, peer)]
    if RANK == 1:
        operations.reverse()
    for work in dist.batch_isend_irecv(operations):
        work.wait()
    assert received[-1].item() == peer


def groups() -> None:
    alone = [dist.new_group([rank]) for rank in range(RANKS)]
    value = torch.full((2,), float(RANK + 1), device=DEVICE)
    dist.all_reduce(value, group=alone[RANK])
    assert value.tolist() == [RANK + 1.0] * 2
    version = torch.simt.distributed.version()  # type: ignore[attr-defined]
    assert version == (2, 21, 5)


def groups_of_one_rank() -> None:
    """Each rank makes a group of its own; the groups have the same name, and share keys of the store."""
    world: Any = dist.distributed_c10d._world
    default = dist.distributed_c10d._get_default_group()
    name, store = world.pg_map[default]
    world.pg_map[default] = name, SlowAdditions(store)
    for _ in range(2):
        dist.barrier()
        alone = dist.new_group([RANK])
        value = torch.full((2,), float(RANK + 1), device=DEVICE)
        dist.all_reduce(value, group=alone)
        assert value.tolist() == [RANK + 1.0] * 2
    world.pg_map[default] = name, store


def groups_as_with_nccl() -> None:
    """Behaviour that PyTorch gives to groups of NCCL only."""
    os.environ["TORCH_NCCL_ENABLE_TIMING"] = "1"  # hooks of completed work need it
    group: Any = dist.new_group(backend="simtccl")
    assert group._get_backend(DEVICE).options._timeout == timedelta(minutes=10)
    done = []
    group._register_on_completion_hook(done.append)
    for _ in range(3):
        group.allreduce(torch.ones(2, device=DEVICE))
    assert group._get_sequence_number_for_group() == 3
    group.barrier().wait()
    dist.destroy_process_group(group)
    assert len(done) >= 3, "destroy_process_group waits for the hooks"


def gloo() -> None:
    """gloo reduces copies of the device's tensors in the host's memory."""
    group = dist.new_group(backend="cpu:gloo,simt:gloo")
    value = torch.full((1000,), RANK + 1.0, device=DEVICE)
    dist.all_reduce(value, group=group)
    assert value.unique().tolist() == [RANKS * (RANKS + 1) // 2]
    work = dist.broadcast(value.fill_(RANK), src=1, group=group, async_op=True)
    assert work is not None
    work.wait()
    assert value.device == DEVICE
    assert value.unique().tolist() == [1.0]
    gathered = [torch.empty(3, device=DEVICE) for _ in range(RANKS)]
    dist.all_gather(gathered, torch.full((3,), float(RANK), device=DEVICE), group=group)
    assert [one[0].item() for one in gathered] == list(range(RANKS))
    sent = torch.arange(RANKS, dtype=torch.float32, device=DEVICE) + 10 * RANK
    received = torch.empty_like(sent)
    dist.all_to_all_single(received, sent, group=group)
    assert received.tolist() == [10.0 * peer + RANK for peer in range(RANKS)]
    scattered = torch.empty(2, device=DEVICE)
    parts = torch.arange(2.0 * RANKS, device=DEVICE) * (RANK + 1)
    dist.reduce_scatter_tensor(scattered, parts, op=dist.ReduceOp.MAX, group=group)
    assert scattered.tolist() == [RANKS * 2.0 * RANK, RANKS * (2.0 * RANK + 1)]
    net = DistributedDataParallel(model(), device_ids=[RANK], process_group=group)
    expect_losses_of_one_process(losses_of(net, share=True))
    dist.destroy_process_group(group)


def copies_to_host(operation: Callable[[], object]) -> int:
    torch.simt.synchronize()  # type: ignore[attr-defined]
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]) as recorded:
        operation()
    return sum(event.name == "aten::_to_copy" for event in recorded.events())


def gloo_copies() -> None:
    """gloo copies a tensor to the host only if the operation reads the tensor on this rank."""
    group = dist.new_group(backend="cpu:gloo,simt:gloo")
    is_root = RANK == 1
    value = torch.full((3,), float(RANK), device=DEVICE)
    values = [torch.empty_like(value) for _ in range(RANKS)]
    whole = torch.empty(3 * RANKS, device=DEVICE)
    assert copies_to_host(lambda: dist.all_gather(values, value, group=group)) == 1
    assert [one[0].item() for one in values] == list(range(RANKS))
    assert copies_to_host(lambda: dist.all_gather_into_tensor(whole, value, group=group)) == 1
    assert whole.tolist() == [float(rank) for rank in range(RANKS) for _ in range(3)]
    gathered = values if is_root else None
    assert copies_to_host(lambda: dist.gather(value, gathered, dst=1, group=group)) == 1
    assert copies_to_host(lambda: dist.reduce(value, dst=1, group=group)) == 1
    assert value.tolist() == [sum(range(RANKS)) if is_root else float(RANK)] * 3
    assert copies_to_host(lambda: dist.broadcast(value, src=1, group=group)) == int(is_root)
    assert value.tolist() == [sum(range(RANKS))] * 3
    given = [torch.full_like(value, float(rank)) for rank in range(RANKS)] if is_root else None
    copied = copies_to_host(lambda: dist.scatter(value, given, src=1, group=group))
    assert copied == (RANKS if is_root else 0)
    assert value.tolist() == [float(RANK)] * 3
    dist.destroy_process_group(group)


def gloo_on_a_stream() -> None:
    """A result of gloo is written after earlier work of the caller's stream."""
    group = dist.new_group(backend="cpu:gloo,simt:gloo")
    factor = torch.full((512, 512), 2.0, device=DEVICE)
    value = torch.ones(4, device=DEVICE)
    torch.simt.synchronize()  # type: ignore[attr-defined]
    with torch.simt.stream(torch.simt.Stream()):  # type: ignore[attr-defined]
        for _ in range(20):
            value.copy_((factor @ factor)[0, :4])
        if RANK == 1:
            value.fill_(1.0)
        dist.broadcast(value, src=1, group=group)
        assert value.tolist() == [1.0] * 4
    dist.destroy_process_group(group)


def symmetric_memory() -> None:
    """Each rank reads and writes the memory of the other one."""
    name = dist.group.WORLD.group_name  # type: ignore[union-attr]
    symmetric.enable_symm_mem_for_group(name)
    memory: Any = torch._C._distributed_c10d._SymmetricMemory
    own = memory.empty_strided_p2p((1000,), (1,), torch.float32, DEVICE, name)
    handle = memory.rendezvous(own)
    own.fill_(RANK + 1)
    handle.barrier()
    peer = 1 - RANK
    of_peer = handle.get_buffer(peer, (1000,), torch.float32)
    assert torch.equal(of_peer.cpu(), torch.full((1000,), peer + 1.0))
    handle.barrier()
    of_peer[:10] = 7
    handle.put_signal(dst_rank=peer)
    handle.wait_signal(src_rank=peer)
    assert own[:10].tolist() == [7.0] * 10
    own.fill_(RANK + 1)
    for reduce in (torch.ops.symm_mem.one_shot_all_reduce, torch.ops.symm_mem.two_shot_all_reduce_):
        assert reduce(own, "sum", name).tolist() == [3.0] * 1000


def quantized_values() -> None:
    """The conversions by which all_to_all sends bfloat16 in place of float."""
    values = torch.randn(20, 33)
    for convert in (
        torch.ops.quantization._FloatToBfloat16Quantized,
        lambda x: torch.ops.quantization._Bfloat16QuantizedToFloat(x.half()),
    ):
        assert torch.equal(convert(values.to(DEVICE)).cpu(), convert(values))


def died() -> None:
    """The last rank ends without a word; the others get an error from their next collective."""
    value = torch.ones(4, device=DEVICE)
    dist.all_reduce(value)
    torch.simt.synchronize()  # type: ignore[attr-defined]
    if RANK == RANKS - 1:
        os.kill(os.getpid(), 9)
    dist.all_reduce(value)
    value.sum().item()


def never_calls() -> None:
    """The last rank does not call the collective; the others get an error after the timeout."""
    value = torch.ones(4, device=DEVICE)
    dist.all_reduce(value)
    if RANK == RANKS - 1:
        sys.stdin.read()
        os._exit(0)
    dist.all_reduce(value)
    value.sum().item()


def stops() -> None:
    """The last rank is stopped by a signal; the others get an error after the timeout."""
    value = torch.ones(4, device=DEVICE)
    dist.all_reduce(value)
    torch.simt.synchronize()  # type: ignore[attr-defined]
    if RANK == RANKS - 1:
        os.kill(os.getpid(), signal.SIGSTOP)
    dist.all_reduce(value)
    value.sum().item()


def mismatch() -> None:
    """The ranks reduce tensors of different sizes; all of them get an error."""
    value = torch.ones(4 + RANK, device=DEVICE)
    dist.all_reduce(value)
    value.sum().item()


CASES: dict[str, Callable[[], None]] = {
    case.__name__: case
    for case in (
        collectives, messages, groups, groups_of_one_rank, groups_as_with_nccl, gloo, gloo_copies, gloo_on_a_stream,
        ddp, fsdp1, fsdp2, dtensor, checkpoint, sync_batch_norm, symmetric_memory, quantized_values,
        died, never_calls, stops, mismatch,
    )
}  # fmt: skip


def main() -> None:
    torch.simt.set_device(DEVICE)  # type: ignore[attr-defined]
    seconds = int(os.environ.get("TEST_TIMEOUT", "60"))
    store = dist.FileStore(sys.argv[3], RANKS)
    dist.init_process_group(
        store=store, rank=RANK, world_size=RANKS, timeout=timedelta(seconds=seconds)
    )
    for name in sys.argv[4:]:
        with torch.simt.no_fallback():  # type: ignore[attr-defined]
            CASES[name]()
        print(f"{name} ok", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
